"""Lesson 15, what a kernel costs: `notebooks/sources/15-kernel-costs.md`."""
