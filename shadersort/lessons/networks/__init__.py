"""Lesson 2, sorting without branches: `notebooks/sources/02-networks.md`."""
