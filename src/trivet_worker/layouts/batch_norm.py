"""Batch normalisation: scale, shift and the two running statistics, each (channels,)."""

ROLES = {
    "weight": {"keras": "gamma", "flax": "scale"},
    "bias": {"keras": "beta"},
    "mean": {"torch": "running_mean", "keras": "moving_mean"},
    "variance": {"torch": "running_var", "keras": "moving_variance", "flax": "var"},
}
AXES: dict[str, dict[str, tuple[int, ...]]] = {}
