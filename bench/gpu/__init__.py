"""Benchmarks of selection on a GPU.

Calls on the same keys take turns, and the median turn counts. R, or `reads`, is a time as a
multiple of one read of all keys: the time of `max` in the same turns.
"""
