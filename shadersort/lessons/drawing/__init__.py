"""Lesson 1, a GPU that can only draw: `notebooks/sources/01-drawing.md`."""
