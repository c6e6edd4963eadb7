"""Lesson 13, side by side: `notebooks/sources/13-side-by-side.md`."""
