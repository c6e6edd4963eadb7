"""Dask arrays: all keys as pieces, in rounds (`pieces`); rows along axes, later (`answers`)."""
