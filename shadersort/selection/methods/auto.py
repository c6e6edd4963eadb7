"""The method that suits the keys at hand.

Measured with NumPy on one CPU: up to 16,384 keys nothing beats sorting them, and above that
`randomized` wins, by five to ten times over sorting a million. Each further rank costs it as much
again, so beyond a handful all ranks are found together. `bucket` does that in half the time of a
sort, but for some hundred thousand keys of 32 bits or less, which are sorted faster. On an NVIDIA
H200 the same choices hold, and there a sort takes four times as long as `bucket`. `np.partition` is
not among the choices: it is no primitive, and on a million keys it takes twice as long as
`randomized`.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.methods import bucket, cutting_plane, randomized, sort_choose
from shadersort.selection.primitives import Primitives
from shadersort.selection.selection import Selection

__all__ = ["FEW", "METHOD", "SEVERAL"]

FEW = 1 << 14
"""So few keys are sorted at once."""

SEVERAL = 8
"""More ranks than these are found together."""

MANY = 1 << 21
"""With more keys than these, and more than a sort is best for, that is not done by sorting."""


def auto(selection: Selection) -> Key:
    """Sort few keys; reduce many by samples, or by cutting planes where copying is dear."""
    chosen = _for_one(selection.keys)
    selection.method = chosen.name
    return chosen.find(selection, {})


def auto_many(selection: Selection) -> Keys:
    """Find a few ranks one after the other, and more together."""
    together = selection.n <= FEW or selection.ranks.size > SEVERAL
    method = bucket.METHOD if _is_much(selection.keys) else sort_choose.METHOD
    if together and not method.missing(selection.keys):
        selection.method = method.name
        return method.find_many(selection, {})
    chosen = _for_one(selection.keys)
    selection.method = chosen.name
    return selection.one_by_one(lambda single: chosen.find(single, {}))


def _for_one(keys: Primitives) -> Method:
    sorts = keys.size <= FEW and keys.tuning.few <= FEW  # else few are ranked without a sort
    preferred = sort_choose.METHOD if sorts else randomized.METHOD
    usable = keys.tuning.copies and not preferred.missing(keys)
    return preferred if usable else cutting_plane.METHOD


def _is_much(keys: Primitives) -> bool:
    """Whether a sort would take longer than finding many ranks by buckets."""
    return keys.size > max(FEW, keys.tuning.few) and (keys.dtype.itemsize == 8 or keys.size > MANY)


METHOD = Method("auto", auto, needs=(), many=auto_many)
