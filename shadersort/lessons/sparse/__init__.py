"""Lesson 17, a picture from few measurements: `notebooks/sources/17-sparse.md`."""
