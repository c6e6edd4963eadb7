"""Lesson 16, a picture from few measurements: `notebooks/sources/16-sparse.md`."""
