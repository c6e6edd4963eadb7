"""The fastest method for the keys at hand.

With NumPy up to 16,384 keys are sorted. Of more keys `randomized` finds one rank, five to ten times
as fast as a sort of a million keys, and `bucket` finds many, in half the time of a sort. On an
NVIDIA H200 `one-read` is fastest for one rank, however many keys there are, and for many ranks of
more keys than the cache holds.

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


def auto(selection: Selection) -> Key:
    """Choose a method for one rank, and run it."""
    method = _for_one(selection)
    selection.method = method.name
    return method.find(selection, {})


def auto_many(selection: Selection) -> Keys:
    """Find a few ranks one after the other, and more together."""
    keys, tuning, many = selection.keys, selection.keys.tuning, selection.ranks.size
    counted = keys.dtype.itemsize <= 2 and keys.supports("count_values")
    cells = keys.size > tuning.few and one_read.SEVERAL < many <= TOGETHER
    one = _for_one(selection)
    if tuning.launch and cells and keys.supports("cells"):
        method = one_read.METHOD
    elif tuning.launch and counted:
        method = bucket.METHOD
    elif tuning.far or (many <= SEVERAL and keys.size > FEW):
        method = one
    else:
        method = bucket.METHOD if keys.size > max(FEW, tuning.few) else sort_choose.METHOD
    method = one if method.missing_calls(keys) else method
    selection.method = method.name
    return method.find_many(selection, {})


def _for_one(selection: Selection) -> Method:
    """Return the fastest method for one rank; cutting planes where copying is expensive."""
    keys, tuning = selection.keys, selection.keys.tuning
    if keys.size <= (min(FEW, tuning.few) if tuning.far else FEW) and not tuning.launch:
        method = sort_choose.METHOD
    elif tuning.far:
        fits = randomized.fits(keys, selection.ranks)
        method = randomized.METHOD if fits else bucket.METHOD
    else:
        method = one_read.METHOD if tuning.launch else randomized.METHOD
    return method if tuning.copies and not method.missing_calls(keys) else cutting_plane.METHOD


METHOD = Method("auto", auto, auto_many)
