"""Hierarchical heavy hitters: prefixes of integers and of addresses."""
