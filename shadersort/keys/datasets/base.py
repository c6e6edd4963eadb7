"""What a data set is, and how it is drawn so that the same seed gives the same bits.

Random numbers come from PCG64 by `Generator.random` and `Generator.standard_normal`, in float64;
the rest is arithmetic that IEEE 754 defines to the last bit, and one rounding to the type asked
for. So float32 data are the float64 data rounded. One thing lies outside: three normal numbers in
ten thousand are from the tails, by the C library's logarithm, whose last bit is its own affair.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadCount, DtypeUnavailable, choices
from shadersort.keys.types import Keys

__all__ = [
    "ALL_TYPES",
    "FLOATS",
    "DataSet",
    "data_set",
    "generator",
    "in_blocks",
]

Dtype = np.dtype[Any]
Rng = np.random.Generator
Make = Callable[[int, Dtype, Rng], Keys]

FLOATS = ("float32", "float64")
ALL_TYPES = (*FLOATS, "int32", "int64", "uint32", "uint64")

BLOCK = 4096
"""Keys that are drawn at a time: large data need no second copy in float64."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set: any number of keys of a known make, from a seed.

    Attributes
    ----------
    name
        What `make` takes.
    about
        What it holds and what it is for.
    papers
        Where it is used: author, year, section.
    dtypes
        The types that it can be had in.

    Examples
    --------
    >>> from shadersort.keys.datasets import DATASETS
    >>> DATASETS["discrete"](5, dtype="int32", seed=1)
    array([51, 95, 14, 95, 31], dtype=int32)
    """

    name: str
    about: str
    papers: tuple[str, ...]
    dtypes: tuple[str, ...]
    draw: Make

    def __call__(self, n: int, *, dtype: npt.DTypeLike = "float32", seed: int = 0) -> Keys:
        """Return n keys of this type. The same seed gives the same bits.

        Raises
        ------
        BadCount
            If n is negative.
        DtypeUnavailable
            If the data cannot be had in this type.
        """
        if n < 0:
            raise BadCount(f"a data set has 0 keys or more, not {n}")
        kind = np.dtype(dtype)
        if kind.name not in self.dtypes or not kind.isnative:
            raise DtypeUnavailable(
                f"{self.name!r} cannot be had in {kind}: use {choices(self.dtypes)}"
            )
        return self.draw(n, kind, generator(seed))


def generator(seed: int) -> Rng:
    """Return the random numbers of a seed; PCG64 by name, as NumPy's default may change."""
    return np.random.Generator(np.random.PCG64(seed))


def data_set(
    name: str, *papers: str, dtypes: tuple[str, ...] = FLOATS
) -> Callable[[Make], DataSet]:
    """Make a data set of a function that draws it; its docstring says what it is about."""

    def named(draw: Make) -> DataSet:
        return DataSet(name, cleandoc(draw.__doc__ or ""), papers, dtypes, draw)

    return named


def in_blocks(n: int, dtype: Dtype, draw: Callable[[int], Keys]) -> Keys:
    """Return n keys, `draw` making a block at a time; fewer are the first of more."""
    keys = np.empty(n, dtype)
    for start in range(0, n, BLOCK):
        keys[start : start + BLOCK] = draw(BLOCK)[: n - start]
    return keys
