"""Lesson 12, a hundred order statistics at once: `notebooks/sources/12-hundred.md`."""
