"""Sums over the pairs of a stream up to some x, by Greenwald-Khanna summaries with masses."""
