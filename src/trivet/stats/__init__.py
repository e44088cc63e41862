"""From raw slices to estimates, intervals and verdicts. `docs/intervals.md` says why this method and how well it covers."""
