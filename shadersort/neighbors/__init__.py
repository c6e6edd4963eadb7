"""Nearest neighbours by the k-th distance: nothing is sorted."""
