"""Quickselect (Hoare 1961): count at a pivot, and continue with the side that has the rank.

The pivot is the median of three keys drawn at random, so no order of the keys is bad for long. With
many ranks, every side with a rank is divided again: the multiple quickselect of Alsuwaiyel, to
which Blanchard et al. 2015, section 3.2, compare their method.
"""

import numpy as np

from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.selection import Selection


def quickselect(selection: Selection, *, few: int | None = None, seed: int = 0) -> Keys:
    """Divide the keys at pivots until few are left with each rank.

    After one pivot at least, up to `few` keys are sorted; None for the device's default. `seed` is
    that of the draws of pivots.
    """
    few = selection.keys.tuning.few if few is None else few
    ks, answers = selection.ranks, np.empty(selection.ranks.size, selection.keys.dtype)
    # keys that hold ranks number `start` to `end` − 1; `before` other keys are below them
    parts: list[tuple[Primitives, int, int, int]] = [(selection.keys, 0, 0, ks.size)]
    found, begun = 0, False
    while parts:
        keys, before, start, end = parts.pop()
        if begun and keys.size <= max(few, 1):
            some = ks[start:end]
            answers[start:end] = selection.finish(keys, some, some - before)
            found += end - start
            continue
        seed, begun = seed + 1, True
        pivot = sort_keys(keys.sample(3, seed))[1]
        counts = keys.counts(pivot)
        equal = before + counts.below
        above = equal + counts.equal
        first, until = np.searchsorted(ks, [equal, above]).clip(start, end).tolist()
        answers[first:until] = pivot
        found += until - first
        sides = (first > start) * counts.below + (end > until) * counts.above
        candidates = sum(part[0].size for part in parts) + sides + found
        known = Counts.complete(equal, counts.equal, selection.n)
        selection.record("pivot", pivot=pivot, counts=known, candidates=candidates)
        if first > start:
            side = keys.between(None, pivot, count=counts.below)
            parts.append((side, before, start, first))
            selection.record("compact")
        if end > until:
            side = keys.between(pivot, None, count=counts.above)
            parts.append((side, above, until, end))
            selection.record("compact")
    return answers


METHOD = Method("quickselect", many=quickselect, needs=("sample", "between", "sort"))
