"""Decisions: questions, trees as data, evidence filled into them, and the recommendation that answers lead to."""
