"""Evidence from everywhere it comes from: stored runs, planted mistakes, cited facts, the user's package index."""
