"""Keys larger than memory: `FileKeys`, or the path of a file, stands where an array does."""

from os import PathLike
from typing import Any

import numpy as np

from modern.parts import TopParts
from modern.primitives.numpy import HostPrimitives
from shadersort.errors import KeysNotFlat
from shadersort.keys.types import Integers, Keys
from shadersort.selection import files
from shadersort.selection.files.primitives import FilePrimitives
from shadersort.selection.primitives.blocks import BlockPrimitives


class FileKeys(files.FileKeys):  # noqa: D101  (it has the docstring of the class it extends)
    __doc__ = files.FileKeys.__doc__

    def primitives(self) -> Any:
        """Return the primitives over these keys; a file without keys is like an empty array."""
        if not self.size:
            return HostBlocks(np.empty(0, self.source.dtype))
        return FileParts(self.source, self.budget, over=HostBlocks, progress=self.progress)


class HostBlocks(BlockPrimitives, HostPrimitives):
    """Primitives over a piece, with those of top-k."""


class FileParts(FilePrimitives, TopParts):
    """Primitives over the pieces of a source, and the first keys in an order."""

    def first(self, by: int, count: int) -> tuple[Keys, Integers]:
        """Return the `count` largest or smallest keys in order, and their places in the source."""
        if not self.source.flat:
            raise KeysNotFlat(
                f"{self.source.where} has several dimensions, and topk takes one: ask for keys by "
                "multiselect"
            )
        return super().first(by, count)


OPTIONS = ("column", "dtype", "offset", "memory", "progress")
"""Options of a function that say how a source is read."""


def keys_of(source: Any, options: dict[str, Any]) -> FileKeys:
    """Return the keys of a source; options that say how it is read are taken out of `options`."""
    return FileKeys(source, **{name: options.pop(name) for name in OPTIONS if name in options})


def array_of(source: Any, column: str | int | None) -> Any:
    """Return the array in a source of several dimensions: a `.npy` file as a map of it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".npy") as file:
    ...     np.save(file, np.zeros((2, 3)))
    ...     file.flush()
    ...     array_of(file.name, None).shape
    (2, 3)
    """
    if not isinstance(source, str | PathLike):
        return source
    array = np.load(source, mmap_mode="r")
    return array if column is None else array[str(column)]
