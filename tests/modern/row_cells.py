"""Functions of rows, with what each answers for one row: what tests of their options share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

import modern
from shadersort.keys.types import Keys
from tests.modern.references import largest_places, thresholded
from tests.modern.test_axes import quiet

Q = np.array([0.1, 0.5])
KS = np.array([[0, -1], [1, -2]])


def numbers_of(row: Keys) -> Any:
    return row[row == row]


def ranked(row: Keys, ks: Any, policy: str | None) -> Keys:
    """The keys of ranks in a row that has them, one after the other."""
    keys = np.sort(row, kind="stable")
    numbers = numbers_of(keys)
    if policy == "propagate" and numbers.size < keys.size:
        keys = np.full_like(keys, keys[-1])
    if policy != "omit" or numbers.size == keys.size:
        return np.asarray(keys[np.asarray(ks)])
    none = keys[-1]
    found = [numbers[k] if -numbers.size <= k < numbers.size else none for k in np.ravel(ks)]
    return np.array(found, keys.dtype).reshape(np.shape(ks))


def place_of(row: Keys, key: Any, ties: str) -> Any:
    equal = np.flatnonzero((row == key) | ((row != row) & (key != key)))
    return equal[0 if ties == "lowest" else -1]


def middle_key(row: Keys, policy: str | None) -> Any:
    count = numbers_of(row).size
    if policy == "omit":
        return ranked(row, max(count - 1, 0) // 2, None)
    return ranked(row, (row.size - 1) // 2, "propagate")


def top_places(row: Keys, k: int, policy: str | None) -> list[int]:
    """Places of the largest keys; a NaN is the largest, or comes last."""
    codes = row.view("i8") - 1 if row.dtype.kind in "mM" else row  # NaT becomes the largest
    places = np.array(largest_places(codes, row.size))
    if policy == "omit":
        gone = row[places] != row[places]
        places = np.concatenate([places[~gone], places[gone]])
    return [int(place) for place in places[:k]]


@dataclass(frozen=True)
class Cell:
    """A function with its arguments, and what it answers for one row by a policy for NaN."""

    call: Callable[..., Any]
    more: tuple[Any, ...]
    of_row: Callable[[Keys, str | None], Any]
    policies: tuple[str | None, ...]
    kind: Literal["reduced", "chosen", "kept"] = "reduced"
    front: int = 0  # axes in front of the result

    def __call__(self, x: Any, **options: Any) -> Any:
        return quiet(self.call, x, *self.more, **options)


ALL, MEAN = (None, "propagate", "omit"), ("propagate", "omit")
CELLS = {
    "select": Cell(modern.select, (-2,), lambda row, policy: ranked(row, -2, policy), ALL),
    "multiselect": Cell(
        modern.multiselect, (KS,), lambda row, policy: ranked(row, KS, policy), ALL, front=2
    ),
    "median": Cell(
        modern.median,
        (),
        lambda row, policy: (np.nanmedian if policy == "omit" else np.median)(row),
        MEAN,
    ),
    "nanmedian": Cell(modern.nanmedian, (), lambda row, _: np.nanmedian(row), (None,)),
    "quantile": Cell(
        modern.quantile,
        (Q,),
        lambda row, policy: (np.nanquantile if policy == "omit" else np.quantile)(row, Q),
        MEAN,
        front=1,
    ),
    "nanquantile": Cell(
        modern.nanquantile, (Q,), lambda row, _: np.nanquantile(row, Q), (None,), front=1
    ),
    "argselect": Cell(
        modern.argselect,
        (-2,),
        lambda row, policy: place_of(row, ranked(row, -2, policy), "lowest"),
        ALL,
    ),
    "argmedian": Cell(
        modern.argmedian,
        (),
        lambda row, policy: place_of(row, middle_key(row, policy), "lowest"),
        MEAN,
    ),
    "topk": Cell(
        modern.topk,
        (2,),
        lambda row, policy: row[top_places(row, 2, policy)],
        (None, "omit"),
        "chosen",
    ),
    "argtopk": Cell(
        modern.argtopk,
        (2,),
        lambda row, policy: top_places(row, 2, policy),
        (None, "omit"),
        "chosen",
    ),
    "sort": Cell(modern.sort, (), lambda row, _: np.sort(row, kind="stable"), (None,), "kept"),
    "threshold": Cell(
        modern.threshold, (1,), lambda row, _: thresholded(row, 1, "hard"), (None,), "kept"
    ),
}
each_cell = pytest.mark.parametrize("name", CELLS)


def keys_of(found: Any) -> Any:
    """The values of top keys; other results as they are."""
    return getattr(found, "values", found)


def with_policy(cell: Cell, policy: str | None) -> dict[str, Any]:
    return {} if cell.policies == (None,) else {"nan_policy": policy}


def expected_rows(cell: Cell, rows: Any, policy: str | None) -> Any:
    """The answers of rows, one after the other: the axis of the rows first."""
    return np.stack([np.asarray(quiet(cell.of_row, row, policy)) for row in rows])


def holed(rng: np.random.Generator, shape: tuple[int, ...], dtype: str = "float64") -> Keys:
    """Keys of which a share is NaN; one row has only NaNs, one none, along every axis."""
    x = rng.integers(-3, 9, shape).astype(dtype)
    x[rng.random(shape) < 0.3] = np.array("nan" if x.dtype.kind == "f" else "NaT", dtype)
    x[..., 0] = x[(0,) * x.ndim] = np.zeros((), dtype)
    return x
