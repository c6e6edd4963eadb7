"""Dask arrays: one answer for all keys by rounds of tasks, answers along axes as Dask arrays.

A task computes a chunk, asks it, and forgets it; a tree of tasks joins the answers. So the memory
that a worker needs is that of the chunks that it computes at the same time (`pieces.py`). Rows
along axes are answered chunk by chunk, when Dask computes the answer (`answers.py`).
"""
