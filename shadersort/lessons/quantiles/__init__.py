"""Lesson 7, quantiles of a stream: `notebooks/sources/07-quantiles.md`."""
