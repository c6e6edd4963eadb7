"""Lesson 9, sliding windows: `notebooks/sources/09-sliding.md`."""
