"""Keys in pieces: arrays on several devices, chunks of Dask, files. One way for all of them.

`asking` has what holds pieces and asks them, `primitives` those of all keys, for the methods, and
`rows` the row of all keys; `files` holds pieces of files.
"""
