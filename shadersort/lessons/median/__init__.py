"""Lesson 10, the median as a minimum: `notebooks/sources/10-median.md`."""
