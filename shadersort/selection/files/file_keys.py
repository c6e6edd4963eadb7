"""`FileKeys`: keys larger than memory, which stand where an array does."""

from typing import Any

import numpy.typing as npt

from shadersort.selection.files.budget import Budget
from shadersort.selection.files.opening import source_of
from shadersort.selection.files.primitives import FilePrimitives

MEMORY = "1GiB"
"""The budget, if none is given."""


class FileKeys:
    """Keys in a file, or made in chunks, that are read anew whenever they are asked for.

    Parameters
    ----------
    source
        The path of a `.npy`, raw or Parquet file; an `np.memmap`; or chunks: a function that
        returns a fresh iterator of arrays each time, or a list of arrays. Arrays of several
        dimensions are seen as one, in the order of memory.
    column
        The column of a Parquet file, by its name or its number from 1; the field of a structured
        array. None stands for the only one.
    dtype
        The type of the keys in a raw file.
    offset
        Bytes to skip at the beginning of a raw file.
    memory
        How many bytes may be used beside the interpreter: a number, or as in "1GiB".
    progress
        Whether to show a bar for each round of reading.

    Raises
    ------
    BadOption
        The budget is too small or no size, or an option does not fit the file.
    ForeignFile, TruncatedFile, UnsupportedKeys, UnknownColumn, MissingPackage
        There are no such keys, or a package is missing.
    NotRereadable
        The source is an iterator, which can be read only once.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from shadersort.selection import median
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "readings.npy")
    ...     np.save(path, np.arange(101.0).reshape(1, 101))
    ...     median(FileKeys(path, memory="64MiB").primitives())
    np.float64(50.0)
    """

    ndim = 1

    def __init__(
        self,
        source: Any,
        *,
        column: str | int | None = None,
        dtype: npt.DTypeLike | None = None,
        offset: int = 0,
        memory: int | str = MEMORY,
        progress: bool = False,
    ) -> None:
        self.budget, self.progress = Budget.of(memory), progress
        self.source = source_of(source, self.budget, column=column, dtype=dtype, offset=offset)

    @property
    def size(self) -> int:
        """How many keys there are."""
        return sum(self.source.sizes)

    def primitives(self) -> FilePrimitives:
        """Return the primitives over these keys."""
        return FilePrimitives(self.source, self.budget, progress=self.progress)
