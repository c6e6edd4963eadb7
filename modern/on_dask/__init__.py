"""The primitives over the chunks of a Dask array: every call is a round of tasks.

A task computes a chunk, asks it, and forgets it; answers are added up by a tree of tasks. Copies of
keys that are not few are not kept: they are a filter, which each later round applies to the chunks
that it computes anew. So the memory that a worker needs is that of the chunks that it computes at
the same time, whatever the size of the array.
"""

from modern.on_dask.chunks import known
from modern.on_dask.primitives import DaskPrimitives

__all__ = ["DaskPrimitives", "known"]
