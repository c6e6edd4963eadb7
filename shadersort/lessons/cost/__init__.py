"""Lesson 5, what it cost in 2005: `notebooks/sources/05-cost.md`."""
