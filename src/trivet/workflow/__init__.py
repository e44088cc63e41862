"""`trivet compare` as stages. Each reads and writes the run, so that a run which was stopped goes on where it was."""

from trivet.workflow.comparison import compare, continue_run

__all__ = ["compare", "continue_run"]
