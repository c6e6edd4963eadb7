"""Keys of ranks, and first keys, in rows of NumPy, which lie along the last axis.

NumPy's partition is introselect (Musser 1997), with AVX-512 or AVX2 on x86-64. No counts prove its
answers. It finds one rank at a time fast, so several are found from the last to the first, each
among the keys below the one before. Half floats become integers in their order, which NumPy
compares faster; its sort of them has a fault (see `keys/numpy_sort.py`). Very short rows are
compared by columns. First keys are those before the key of a rank, and ties of it.
"""

from functools import lru_cache

import numpy as np

from shadersort.drawing.networks import odd_even_merge
from shadersort.keys.codes import from_ordinals, nans, ordinals
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives.values import Ranks
from shadersort.selection.rows.protocol import Ties

HALF = np.dtype(np.float16)

FEW = 1 << 12
"""Up to this many half floats become float32 instead, which takes fewer calls."""

SEVERAL, DIGITS = 8, 1 << 7
"""A sort finds more than SEVERAL ranks, and ranks of DIGITS keys of 8 bits or more."""

SHORT, MANY = 12, 32
"""Rows of up to SHORT keys are compared by columns, if there are MANY for each comparator: its two
calls of NumPy then take less time than a partition of each row."""

LONG = 1 << 12
"""In rows of at least this many keys, each row's own ranks are found row by row."""


def find_ranks(rows: Keys, ks: Ranks) -> Keys:
    """Return the keys of ascending ranks: of shape (ranks, *rows)."""
    if rows.dtype == HALF and rows.size <= FEW:
        return find_ranks(rows.astype(np.float32), ks).astype(HALF)
    if rows.dtype == HALF:
        numbers = ordinals(rows)
        numbers[nans(rows)] = 0x7FFF  # above that of infinity
        return from_ordinals(find_ranks(numbers, ks), HALF)
    length = rows.shape[-1]
    if 1 < length <= SHORT and rows.size >= MANY * length * length and len(ks):
        return _compare_columns(np.array(np.moveaxis(rows, -1, 0), order="C"), tuple(map(int, ks)))
    work = rows.copy()
    if len(ks) > SEVERAL or (rows.itemsize == 1 and length >= DIGITS):
        work.sort(kind="stable" if rows.itemsize == 1 else None)
        return work[..., ks].transpose(-1, *range(work.ndim - 1))
    found = np.empty((len(ks), *rows.shape[:-1]), rows.dtype)
    for at in range(len(ks) - 1, -1, -1):
        k = ks[at]
        if k == work.shape[-1] - 1:
            work.max(-1, out=found[at, ...])
        else:
            work.partition(k, axis=-1)
            found[at] = work[..., k]
            work = work[..., :k]  # the keys below
    return found


def find_ranks_each(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of each row's own ranks, in any order: both of shape (r, *rows)."""
    if rows.ndim > 1 and rows.shape[-1] >= LONG:
        found = np.empty(ks.shape, rows.dtype)
        for row in np.ndindex(rows.shape[:-1]):
            found[:, *row] = find_ranks_each(rows[row], ks[:, *row])
        return found
    distinct, places = np.unique(ks, return_inverse=True)
    return np.take_along_axis(find_ranks(rows, distinct), places.reshape(ks.shape), 0)


def find_first(
    keys: Keys, count: int, *, smallest: bool = False, in_order: bool = True, ties: Ties = "lowest"
) -> Integers:
    """Return the places of the `count` largest or smallest keys of each row, (rows, count).

    The keys are of shape (rows, length), and a place is that in the flat array of all rows. Among
    equal keys those that `ties` names are taken. Without `in_order`, they come in any order.
    """
    if not count:
        return np.empty((len(keys), 0), np.int64)
    if keys.dtype == HALF:
        keys = keys.astype(np.float32)  # NumPy compares half floats slowly
    if ties == "highest":  # they are the lowest ones from the other end
        turned = find_first(keys[::-1, ::-1], count, smallest=smallest, in_order=in_order)
        return np.asarray(keys.size - 1 - turned[::-1])
    rows, length = keys.shape
    last = find_ranks(keys, [count - 1 if smallest else length - count])[0][:, None]
    before, tied = keys < last if smallest else ~(keys <= last), keys == last  # NaN is the largest
    if keys.dtype.kind == "f" and (lost := last != last).any():
        numbers = keys == keys
        before = np.where(lost, smallest & numbers, before)
        tied = np.where(lost, ~numbers, tied)
    found = (before | tied).reshape(-1)
    places = found.nonzero()[0]
    if places.size > rows * count:  # leave out the last ties of each row
        counts, at = tied.sum(1), tied.reshape(-1).nonzero()[0]
        ends = counts.cumsum() - counts + count - before.sum(1)
        found[at[np.arange(at.size) >= np.repeat(ends, counts)]] = False
        places = found.nonzero()[0]
    if not in_order:
        return np.asarray(places.reshape(rows, count))
    values = keys.reshape(-1)[places].reshape(rows, count)
    if smallest:
        order = values.argsort(1, kind="stable")
    else:  # the stable order from the other end, read backwards, has the largest first
        order = count - 1 - values[:, ::-1].argsort(1, kind="stable")[:, ::-1]
    if rows > 1:
        order += np.arange(0, places.size, count)[:, None]
    return np.asarray(places[order])


def _compare_columns(columns: Keys, ks: tuple[int, ...]) -> Keys:
    """Return the keys of ranks of the rows (length, *rows), which are changed.

    A call of `np.fmin` and one of `np.maximum` are a comparator for all rows: NaNs come last.
    """
    each, spare = list(columns), np.empty_like(columns[0])
    with np.errstate(invalid="ignore"):
        for low, high in _comparators(len(each), ks):
            np.fmin(each[low], each[high], out=spare)
            np.maximum(each[low], each[high], out=each[high])
            each[low], spare = spare, each[low]
    return np.stack([each[k] for k in ks])


@lru_cache(maxsize=64)
def _comparators(length: int, ks: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return the comparators of Batcher's network on which the keys of some ranks depend.

    The network is that for a power of two, without the last wires, which would hold larger keys.
    """
    network = odd_even_merge(1 << (length - 1).bit_length())
    wanted, used = set(ks), []
    for step in reversed(network.steps):
        for low, high in zip(*step.comparators(network.n), strict=True):
            if high < length and not wanted.isdisjoint((low, high)):
                wanted |= {int(low), int(high)}
                used.append((int(low), int(high)))
    return tuple(reversed(used))
