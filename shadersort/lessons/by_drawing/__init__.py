"""Lesson 3, sorting by drawing: `notebooks/sources/03-by-drawing.md`."""
