"""Dask arrays: all keys as pieces, asked in rounds (`pieces`); rows along axes, later (`answers`)."""
