"""Lesson 12, the adversary: `notebooks/sources/12-adversary.md`."""
