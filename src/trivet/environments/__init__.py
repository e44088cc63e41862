"""Makes the environments in which frameworks run, or takes the user's own. Its README explains the hard parts."""
