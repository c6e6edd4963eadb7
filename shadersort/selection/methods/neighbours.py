"""Ranks that lie close together, of keys far away of which a copy can be held: one full read.

As in `randomized`, two keys of a sample are likely to have all the ranks between them. One read
counts at both and copies what lies between; `bucket` finds the ranks in the copy, which is small.
Ranks that the bracket has missed are found in the keys on their side of it, in the same way.
"""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.methods import bucket
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.primitives import Primitives
from shadersort.selection.selection import Selection

PROBABILITY = 0.999
"""Of a bracket that holds a rank. A miss costs two reads."""

CLOSE = 1 << 10
"""Ranks are neighbours if 1 in this many keys, at most, lies between the first and the last."""


def are_close(ranks: Integers, size: int) -> bool:
    """Whether all ranks fit into one bracket that is still narrow.

    Examples
    --------
    >>> are_close(np.array([7, 8, 7]), 2000), are_close(np.array([7, 1700]), 2000)
    (True, False)
    """
    return bool(ranks.size) and int(np.ptp(ranks)) <= size // CLOSE


def neighbours(selection: Selection) -> Keys:
    """Find ranks that lie close together."""
    return _Bracketing(selection).find(selection.keys, selection.ranks, 0, 0)


@dataclass(frozen=True, slots=True)
class _Bracketing:
    """Brackets ranks, and those that are missed again."""

    selection: Selection

    def find(self, keys: Primitives, ks: Integers, before: int, seed: int) -> Keys:
        """Return the keys of some ranks, given keys that have `before` other keys below them."""
        if keys.size <= min(keys.tuning.samples, keys.tuning.few):
            return self.selection.finish(keys, ks, ks - before)
        low, high = self.ends(keys, ks - before, seed)
        at_low, at_high, inside = keys.parted(low, high)
        self.selection.record("bracket", candidates=inside.size)
        to_low, to_high = at_low.below + at_low.equal, at_high.below + at_high.equal
        starts = np.maximum.accumulate([at_low.below, to_low, at_high.below, to_high])
        side = np.searchsorted(starts, ks - before, side="right")
        answers = np.empty(ks.size, keys.dtype)
        for end, at, of_end in ((low, at_low, side == 1), (high, at_high, side == 3)):
            answers[of_end] = end
            known = np.array([before + at.below]), np.array([at.equal])
            self.selection.known.learn(np.array([end], keys.dtype), *known)
        if (chosen := side == 2).any():
            answers[chosen] = self.inside(inside, ks[chosen], before + to_low, seed + 1)
        if (chosen := side == 0).any():
            below = keys.between(None, low, count=at_low.below)
            answers[chosen] = self.find(below, ks[chosen], before, seed + 1)
        if (chosen := side == 4).any():
            above = keys.between(high, None, count=at_high.above)
            answers[chosen] = self.find(above, ks[chosen], before + to_high, seed + 1)
        return answers

    def ends(self, keys: Primitives, places: Integers, seed: int) -> tuple[Key, Key]:
        """Return two keys of a sample that are likely to have the keys of some places between."""
        shares = (places[[0, -1]] + 0.5) / keys.size
        count = keys.tuning.samples
        (lower, _), (_, upper) = (bracket(count, share, PROBABILITY) for share in shares.tolist())
        chosen = [max(lower - 1, 0), min(upper, count - 1)]
        low, high = np.partition(keys.sample(count, seed), chosen)[chosen]
        self.selection.record("sample")
        return low, high

    def inside(self, keys: Primitives, ks: Integers, before: int, seed: int) -> Keys:
        """Return the keys of some ranks by buckets of the keys in a bracket, if these are far."""
        if not keys.tuning.far:
            return self.find(keys, ks, before, seed)
        if keys.size <= keys.tuning.few:
            return self.selection.finish(keys, ks, ks - before)
        find = bucket.METHOD.find_many
        return self.selection.within(keys, ks, ks - before, lambda inner: find(inner, {}))
