"""`update_from`: summaries of files, pipes and iterators that are read ahead of the work."""

from abc import abstractmethod
from contextlib import closing
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.streams.read_ahead import MEMORY, read_ahead
from shadersort.streams.sorters.protocol import Sorter


class Sourced:
    """What can be updated by an iterator of arrays, and sorts with a sorter."""

    sorter: Sorter
    _dtype: np.dtype[Any] | None

    @property
    def _wanted(self) -> np.dtype[Any] | None:
        """The type into which values are converted; None if the first ones decide it."""
        return self._dtype

    @abstractmethod
    def update(self, values: Any) -> Self:
        """Take in values."""

    def update_from(
        self,
        source: Any,
        *,
        column: str | int | None = None,
        dtype: npt.DTypeLike | None = None,
        offset: int = 0,
        memory: int | str = MEMORY,
    ) -> Self:
        """Take in all numbers of a source, read by threads ahead of the work; return this summary.

        It is one update: if anything fails, the summary stays as it was. Threads read the next
        arrays while the summary works on one; with a sorter on a GPU, each piece is copied there as
        soon as it is read. The pieces of a `.npy`, raw or Parquet file and of an array are read by
        several threads, all else by one.

        Parameters
        ----------
        source
            The path of a file of any format that the commands read, compressed or not; "-" for the
            standard input; an open binary file or a pipe, with raw numbers or a `.npy` file; a
            NumPy array, which may be a `np.memmap`; or an iterator of arrays, which must not use
            this summary.
        column
            The column of a table or the field of a structured array, by its name or its number
            from 1. None stands for the only one.
        dtype
            The type of raw numbers. Summaries have a type of their own, see `dtype`.
        offset
            Bytes to skip before raw numbers.
        memory
            What pieces of a file may need besides some arrays: a number of bytes, or as in "1GiB".

        Raises
        ------
        ForeignFile, TruncatedFile, UnknownColumn, BadMemory, MissingPackage, BadOption
            There are no such numbers, they do not fit into the memory, or a package is missing.
        InputChanged
            The file was changed while it was read.
        UnsupportedKeys, KeysNotFlat, NaNRefused
            As for `update`.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from shadersort.streams import QuantileSummary
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "times.npy")
        ...     np.save(path, np.arange(100_001.0))
        ...     summary = QuantileSummary(0.01).update_from(path)
        >>> summary.n, abs(summary.median() - 50_000) <= 0.01 * summary.n
        (100001, np.True_)
        """
        options: Any = {"column": column, "dtype": dtype, "offset": offset, "memory": memory}
        with closing(read_ahead(source, self.sorter, **options, wanted=self._wanted)) as arrays:
            return self.update(arrays)
