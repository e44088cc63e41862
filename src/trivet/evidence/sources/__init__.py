"""Sources of evidence, a module each; `trivet.evidence.gather` asks all that are here."""
