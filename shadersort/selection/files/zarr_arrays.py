"""Zarr arrays: a piece is some neighbouring chunks along the first axis, or a part of one."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import ForeignFile, InputChanged, MissingPackage, UnknownColumn
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.source import Source, checked_type

Region = tuple[slice, ...]


class ZarrArray(Source):
    """A Zarr array, of any number of dimensions and in any store."""

    def __init__(self, array: Any, budget: Budget, name: str = "") -> None:
        self.name = name or f"the Zarr array {array.path or array.store}"
        self.dtype = checked_type(np.dtype(array.dtype), self.name)
        self._array, self.flat = array, array.ndim == 1
        unit = tuple(array.shards or array.chunks)  # what is read and decoded at once
        self.threads = budget.threads_for(
            prod(unit) * self.dtype.itemsize, f"a chunk of {self.name}", ", or use smaller chunks"
        )
        most = max(budget.piece // self.dtype.itemsize // max(prod(unit), 1), 1)
        self._regions = regions(array.shape, unit, most)
        self.sizes = [prod(each.stop - each.start for each in one) for one in self._regions]
        self._shape = tuple(array.shape)

    def read(self, place: int) -> Keys:
        """Return the keys of some chunks."""
        with reported(self.name):
            found = np.asarray(self._array[self._regions[place]])
        return found.reshape(-1).astype(self.dtype, copy=False)

    def check(self) -> None:
        """Raise InputChanged if the array has another shape now, or is gone."""
        zarr = package()
        try:
            now = zarr.open_array(self._array.store, path=self._array.path, mode="r").shape
        except (FileNotFoundError, KeyError, ValueError) as error:
            raise InputChanged(f"{self.name} was removed while it was read") from error
        if tuple(now) != self._shape:
            raise InputChanged(
                f"{self.name} was changed while it was read: its shape was {self._shape}, and is "
                f"{tuple(now)}"
            )


def regions(shape: tuple[int, ...], unit: tuple[int, ...], most: int) -> list[Region]:
    """Cut an array into regions of whole chunks, of which each has up to `most`.

    Examples
    --------
    >>> regions((5, 3), (2, 2), 1)[:2]
    [(slice(0, 2, None), slice(0, 2, None)), (slice(0, 2, None), slice(2, 3, None))]
    >>> len(regions((5, 3), (2, 2), 2)), regions((), (), 1), regions((0, 3), (2, 2), 1)
    (3, [()], [])
    """
    steps = list(unit)
    for axis in reversed(range(len(shape))):  # neighbours along the last axes first
        chunks = -(-shape[axis] // max(steps[axis], 1)) or 1
        joined = min(chunks, most)
        steps[axis], most = steps[axis] * joined, most // joined if joined == chunks else 1
    axes = [
        [slice(start, min(start + step, size)) for start in range(0, size, max(step, 1))]
        for size, step in zip(shape, steps, strict=True)
    ]
    return list(product(*axes))


def opened(path: Path, column: str | None) -> Any:
    """Return the Zarr array at a path; `column` is the path of an array in a group."""
    zarr = package()
    try:
        found = zarr.open(str(path), mode="r")
    except (OSError, ValueError, KeyError) as error:
        raise ForeignFile(
            f"{path} is a folder without a Zarr array: name a file, or the folder of an array"
        ) from error
    if not hasattr(found, "array_keys"):
        if column is not None:
            raise UnknownColumn(f"{path} is one Zarr array and has no columns: leave out column=")
        return found
    names = sorted(found.array_keys())
    if column is None and len(names) == 1:
        column = names[0]
    if column is None or column not in found or hasattr(found[column], "array_keys"):
        raise UnknownColumn(
            f"{path} is a Zarr group with the arrays {', '.join(names)}: choose one, with column="
        )
    return found[column]


def package() -> Any:
    """Import zarr; raise MissingPackage if it is not here."""
    try:
        return import_module("zarr")
    except ModuleNotFoundError as error:
        raise MissingPackage(
            "Zarr arrays need the package zarr: pip install 'shadersort[files]'"
        ) from error


@contextmanager
def reported(name: str) -> Iterator[None]:
    """Turn what zarr raises for damaged or removed chunks into errors of this package."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputChanged(f"{name} was removed while it was read") from error
    except (ValueError, RuntimeError, KeyError) as error:
        raise ForeignFile(f"{name} is damaged: {error}") from error
