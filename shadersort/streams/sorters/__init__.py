"""Sorters put the windows of a stream in order: by NumPy, by drawing, or on another machine."""
