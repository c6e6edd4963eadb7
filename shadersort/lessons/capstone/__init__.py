"""Lesson 18, your own statistic: `notebooks/sources/18-capstone.md`."""
