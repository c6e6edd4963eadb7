"""NumPy's own tests of partition, median, percentile and quantile, run against `modern`."""
