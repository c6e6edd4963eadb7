"""Lesson 4, four sorts for the price of one: `notebooks/sources/04-four-sorts.md`."""
