"""Embeddings: canonical table (entries, width)."""

ROLES = {"weight": {"keras": "embeddings", "flax": "embedding"}}
AXES: dict[str, dict[str, tuple[int, ...]]] = {}
