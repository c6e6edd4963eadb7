"""Lesson 13, a hundred order statistics at once: `notebooks/sources/13-hundred.md`."""
