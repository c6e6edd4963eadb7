"""What a data set is, and how it is drawn so that the same seed gives the same bits.

Random numbers come from PCG64 by `Generator.random` and `Generator.standard_normal`, in float64;
the rest is arithmetic that IEEE 754 defines to the last bit, and one rounding to the requested
type. So float32 data are the float64 data rounded. There is one exception: three normal numbers in
ten thousand are from the tails, and depend on the last bit of the C library's logarithm.

A data set draws from a `RandomKeys`. Another one, such as a GPU's generator, draws other bits from
the same distribution.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, UnsupportedKeys, choices
from shadersort.keys.types import Keys

Dtype = np.dtype[Any]

FLOATS = ("float32", "float64")
ALL_TYPES = (*FLOATS, "int32", "int64", "uint32", "uint64")


def generator(seed: int) -> np.random.Generator:
    """Return the random numbers of a seed; PCG64 by name, because NumPy's default may change."""
    return np.random.Generator(np.random.PCG64(seed))


class RandomKeys:
    """The random numbers of a seed, and arrays of keys that are made of them."""

    xp: Any = np  # the array module
    block = 4096  # keys drawn at a time, so that large data need no second copy in float64

    def __init__(self, seed: int) -> None:
        self._rng = generator(seed)

    def random(self, shape: int | tuple[int, ...]) -> Any:
        """Return uniform numbers from 0 up to, but not including, 1."""
        return self._rng.random(shape)

    def standard_normal(self, count: int) -> Any:
        """Return numbers from N(0, 1)."""
        return self._rng.standard_normal(count)

    def raw(self, count: int) -> Any:
        """Return 64 random bits for each number."""
        return self._rng.bit_generator.random_raw(count)

    def shuffle(self, keys: Any) -> None:
        """Put keys in a random order, in place."""
        self._rng.shuffle(keys)

    def full(self, n: int, key: float, dtype: Dtype) -> Keys:
        """Return n equal keys."""
        keys: Keys = self.xp.full(n, key, dtype)
        return keys

    def keys(self, n: int, dtype: Dtype, draw: Callable[[int], Any]) -> Keys:
        """Return n keys; `draw` makes a block at a time. Fewer keys are the first of more."""
        keys: Keys = self.xp.empty(n, dtype)
        for start in range(0, n, self.block):
            keys[start : start + self.block] = draw(self.block)[: n - start]
        return keys


Make = Callable[[int, Dtype, RandomKeys], Keys]


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set: any number of keys of a known distribution, from a seed.

    Attributes
    ----------
    name
        The name that `make` takes.
    about
        What it holds and what it is for.
    papers
        Where it is used: author, year, section.
    dtypes
        The types in which it exists.

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

        Raises BadOption if n is negative, UnsupportedKeys if the data do not exist in this type.
        """
        if n < 0:
            raise BadOption(f"a data set has 0 keys or more, not {n}")
        kind = np.dtype(dtype)
        if kind.name not in self.dtypes or not kind.isnative:
            raise UnsupportedKeys(
                f"{self.name!r} cannot be had in {kind}: use {choices(self.dtypes)}"
            )
        return self.draw(n, kind, RandomKeys(seed))


def data_set(
    name: str, *papers: str, dtypes: tuple[str, ...] = FLOATS
) -> Callable[[Make], DataSet]:
    """Make a data set from the function that draws it; the docstring becomes `about`."""

    def make_set(draw: Make) -> DataSet:
        return DataSet(name, cleandoc(draw.__doc__ or ""), papers, dtypes, draw)

    return make_set
