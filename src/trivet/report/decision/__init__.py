"""The page for the meeting: one HTML file in which the answers can be changed and the verdict follows, offline."""
