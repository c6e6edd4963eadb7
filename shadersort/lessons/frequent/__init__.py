"""Lesson 8, frequent items and heavy hitters: `notebooks/sources/08-frequent.md`."""
