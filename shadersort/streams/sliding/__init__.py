"""Quantiles and frequencies of the last values of a stream, after Arasu and Manku."""
