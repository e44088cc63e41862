"""The ecosystem dimension: what the user's own package index says (asked), and what dated sources say (cited)."""
