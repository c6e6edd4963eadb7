"""Lesson 16, a line that outliers cannot move: `notebooks/sources/16-line.md`."""
