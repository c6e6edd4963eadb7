"""Lesson 17, your own statistic: `notebooks/sources/17-capstone.md`."""
