"""Lesson 11, buckets, digits, dice: `notebooks/sources/11-buckets.md`."""
