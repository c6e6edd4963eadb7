"""The fastest method for the keys at hand.

Measured with NumPy on one CPU: up to 16,384 keys, sorting is fastest. With more keys `randomized`
is fastest: five to ten times faster than a sort of a million keys. More than a few ranks are found
together by `bucket`, in half the time of a sort, except for a few hundred thousand keys of 32 bits,
where the sort is faster; keys of 16 bits have a bucket for every value.

On an NVIDIA H200 `one-read` is fastest for one rank, however many keys there are, and for many
ranks of more keys than the cache holds.

Far keys, in several places, take few calls: `randomized` reads all of them once if copies of its
brackets can be held, and `bucket` asks for a sample, a histogram and candidates.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.methods import bucket, one_read, randomized, sort_choose
from shadersort.selection.methods.searches import cutting_plane
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
    method = _for_one(selection)
    selection.method = method.name
    return method.find(selection, {})


def auto_many(selection: Selection) -> Keys:
    """Find a few ranks one after the other, and more together."""
    keys, tuning = selection.keys, selection.keys.tuning
    counted = keys.dtype.itemsize <= 2 and keys.supports("counting")
    together = tuning.far or keys.size <= FEW or selection.ranks.size > SEVERAL
    if tuning.far:
        method = _for_far(selection)
    elif _has_cells(selection):
        together, method = True, one_read.METHOD
    elif tuning.launch and counted:
        together, method = True, bucket.METHOD
    elif keys.size <= max(FEW, tuning.few):
        method = sort_choose.METHOD
    else:
        sorts = not counted and keys.dtype.itemsize < 8 and keys.size <= MANY
        method = sort_choose.METHOD if sorts else bucket.METHOD
    if not together or method.missing(keys):
        method = _for_one(selection)
    selection.method = method.name
    return method.find_many(selection, {})


def _for_one(selection: Selection) -> Method:
    """Return the fastest method for one rank; cutting planes where copying is expensive."""
    keys, tuning = selection.keys, selection.keys.tuning
    if tuning.far:
        return _for_far(selection)
    if tuning.launch:
        method = one_read.METHOD
    else:
        method = sort_choose.METHOD if keys.size <= FEW else randomized.METHOD
    return method if tuning.copies and not method.missing(keys) else cutting_plane.METHOD


def _for_far(selection: Selection) -> Method:
    """Return the method that makes the fewest calls."""
    if selection.n <= min(FEW, selection.keys.tuning.few):
        return sort_choose.METHOD
    return randomized.METHOD if randomized.fits(selection.keys, selection.ranks) else bucket.METHOD


def _has_cells(selection: Selection) -> bool:
    """Whether ranks are found by cells, where a device has them and a sort is not as good."""
    keys, many = selection.keys, one_read.SEVERAL < selection.ranks.size <= TOGETHER
    return keys.tuning.launch and many and keys.size > keys.tuning.few and keys.supports("cells")


METHOD = Method("auto", auto, many=auto_many)
