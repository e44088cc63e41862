"""Layer normalisation: scale and shift, each (features,)."""

ROLES = {"weight": {"keras": "gamma", "flax": "scale"}, "bias": {"keras": "beta"}}
AXES: dict[str, dict[str, tuple[int, ...]]] = {}
