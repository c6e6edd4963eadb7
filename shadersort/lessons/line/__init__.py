"""Lesson 15, a line that outliers cannot move: `notebooks/sources/15-line.md`."""
