"""Runs on disk: a folder each, versioned, append-only, safe to kill at any point, readable from a zip file."""
