"""Lesson 15, your own statistic: `notebooks/sources/15-capstone.md`."""
