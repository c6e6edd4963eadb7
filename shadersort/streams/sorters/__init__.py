"""Sorters: what puts the windows of a stream in order, by NumPy or by drawing."""
