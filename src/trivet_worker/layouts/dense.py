"""Dense (fully connected) layers: canonical kernel (in, out)."""

ROLES = {"weight": {"keras": "kernel", "flax": "kernel"}, "bias": {}}
AXES = {"torch": {"weight": (1, 0)}}
"""Layout -> role -> the canonical axes in native order."""
