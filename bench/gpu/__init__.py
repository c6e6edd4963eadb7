"""Benchmarks of selection on a GPU of today."""
