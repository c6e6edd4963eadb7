"""Regression that outliers cannot move: least median and least trimmed squares."""
