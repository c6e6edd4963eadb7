"""Lesson 14, side by side: `notebooks/sources/14-side-by-side.md`."""
