"""Starts workers in other interpreters, talks to them, and leaves nothing behind. Its README explains the hard parts."""
