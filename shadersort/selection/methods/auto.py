"""The fastest method for the keys at hand.

Measured with NumPy on one CPU: up to 16,384 keys, sorting is fastest. With more keys `randomized`
is fastest: five to ten times faster than a sort of a million keys. Each further rank costs it as
much again, so more than a few ranks are found together. `bucket` does that in half the time of a
sort, except for a few hundred thousand keys of 32 bits, where the sort is faster; keys of 16 bits
have a bucket for every value.

On an NVIDIA H200 `one-read` is fastest for one rank, however many keys there are, and for many
ranks of more keys than the cache holds.

Parts that are far away (`primitives/parts.py`) are asked for any number of ranks by `bucket`: in
three calls, for a sample, a histogram and candidates. If copies of their keys can be
held, few ranks, such as the two in the middle, take one read of all keys (`neighbours.py`).

`np.partition` is not a choice: it is no primitive. `modern` takes it for NumPy arrays, if nobody
asks for a trace or a method; with AVX-512 it takes half as long as `randomized`.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.methods import (
    bucket,
    cutting_plane,
    neighbours,
    one_read,
    randomized,
    sort_choose,
)
from shadersort.selection.primitives import Primitives
from shadersort.selection.selection import Selection

FEW = 1 << 14
"""Up to this many keys are sorted."""

SEVERAL = 8
"""More ranks than this are found together."""

TOGETHER = 1 << 13
"""Up to this many ranks are found by cells, on a GPU."""

MANY = 1 << 21
"""With more keys than this, many ranks are not found by a sort, whatever the type."""


def auto(selection: Selection) -> Key:
    """Choose a method for one rank, and run it."""
    if selection.keys.tuning.far:
        return auto_many(selection)[0]
    chosen = _for_one(selection.keys)
    selection.method = chosen.name
    return chosen.find(selection, {})


def auto_many(selection: Selection) -> Keys:
    """Find a few ranks one after the other, and more together."""
    far, counted = selection.keys.tuning.far, _is_counted(selection.keys)
    if neighbours.have_brackets(selection.keys, selection.ranks):
        selection.method = randomized.METHOD.name
        return neighbours.neighbours(selection)
    together = selection.n <= FEW or selection.ranks.size > SEVERAL or counted or far
    method = bucket.METHOD if counted or _is_much(selection.keys) else sort_choose.METHOD
    if far and selection.n > min(FEW, selection.keys.tuning.few):
        method = bucket.METHOD
    if _has_cells(selection):
        together, method = True, one_read.METHOD
    if together and not method.missing(selection.keys):
        selection.method = method.name
        return method.find_many(selection, {})
    chosen = _for_one(selection.keys)
    selection.method = chosen.name
    return selection.one_by_one(lambda single: chosen.find(single, {}))


def _for_one(keys: Primitives) -> Method:
    """Return the fastest method for one rank; cutting planes where copying is expensive."""
    if keys.tuning.fused:
        preferred = one_read.METHOD
    else:
        preferred = sort_choose.METHOD if keys.size <= FEW else randomized.METHOD
    usable = keys.tuning.copies and not preferred.missing(keys)
    return preferred if usable else cutting_plane.METHOD


def _is_much(keys: Primitives) -> bool:
    """Whether a sort takes longer than finding many ranks by buckets."""
    if keys.size <= max(FEW, keys.tuning.few):
        return False
    return _has_counters(keys) or keys.dtype.itemsize == 8 or keys.size > MANY


def _is_counted(keys: Primitives) -> bool:
    """Whether a few ranks, too, are found by a counter for every value: in one wait of a GPU."""
    return bool(keys.tuning.fused) and _has_counters(keys)


def _has_cells(selection: Selection) -> bool:
    """Whether ranks are found by cells: on a GPU, unless a sort is as good."""
    keys, many = selection.keys, selection.ranks.size
    fits = keys.tuning.fused and keys.size > keys.tuning.few and keys.supports("cells")
    return bool(fits) and one_read.SEVERAL < many <= TOGETHER


def _has_counters(keys: Primitives) -> bool:
    """Whether the device can have a counter for every value of these keys."""
    return keys.dtype.itemsize <= 2 and keys.supports("counting")


METHOD = Method("auto", auto, needs=(), many=auto_many)
