"""Two-dimensional convolutions: canonical kernel (height, width, in, out)."""

ROLES = {"weight": {"keras": "kernel", "flax": "kernel"}, "bias": {}}
AXES = {"torch": {"weight": (3, 2, 0, 1)}}
"""Layout -> role -> the canonical axes in native order."""
