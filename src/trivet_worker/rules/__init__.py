"""Optimizer update rules in numpy, a module per optimizer kind (`sgd`)."""
