"""Selection from keys larger than memory: pieces of files that are read anew in each round.

From the bottom up:

==================  ==============================================================
``budget``          what a budget of memory buys: sizes of pieces, threads, candidates
``source``          what a source of pieces is
``plain``           `.npy` and raw files
``in_memory``       arrays and `np.memmap`
``parquet``         columns of Parquet files; a piece is a row group
``chunks``          chunks of arrays that a function makes anew for each round
``opening``         which of these a path or an object is
``piece``           a piece as a part that answers the calls of the primitives
``asking``          asks pieces: several threads read and count, within the budget
``primitives``      the primitives over all pieces
``file_keys``       `FileKeys`, which stands where an array does
==================  ==============================================================
"""

from shadersort.selection.files.file_keys import FileKeys

__all__ = ["FileKeys"]
