"""Keys in pieces: on several devices, in chunks of Dask, in files. One way for all of them.

`asking` (what holds pieces and asks them), `cutting` (counts at pivots, and keys between), `first
keys` and `ranks` of the row of all keys (`rows`, `narrowing`), and the `primitives` of the methods.
"""
