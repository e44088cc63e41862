"""From a stored run to its conclusions: estimates, standings, pairs, and the verdict in a sentence."""

from trivet.conclude.conclusions import conclude

__all__ = ["conclude"]
