"""Quantiles of a stream: Greenwald and Khanna's list, and the exponential histogram as printed."""
