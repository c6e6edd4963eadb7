"""Sparse approximation: all but the k largest magnitudes become zero."""
