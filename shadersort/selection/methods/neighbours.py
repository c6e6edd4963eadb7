"""Few groups of neighbouring ranks, of keys far away of which copies can be held: one full read.

As in `randomized`, two keys of a sample are likely to have all ranks of a group between them. One
read counts at both and copies what lies between; `bucket` finds the ranks in the copy, which is
small. Ranks that a bracket has missed are found in the keys on their side of it, in the same way.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.in_order import in_order
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.methods import bucket
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.selection import Selection

PROBABILITY = 0.999
"""Of a bracket that holds a rank. A miss costs two reads."""

CLOSE = 1 << 10
"""Ranks are neighbours if 1 in this many keys, at most, lies between them."""

Found = tuple[Counts, Counts, Primitives]
"""The counts at both ends of a bracket, and a copy of the keys between."""


def groups(ranks: Integers, size: int) -> list[Integers]:
    """Return groups of neighbours among ascending ranks: a bracket of each is still narrow.

    Examples
    --------
    >>> groups(np.array([7, 8, 1700]), 2000)
    [array([7, 8]), array([1700])]
    """
    return np.split(ranks, np.flatnonzero(np.diff(ranks) > size // CLOSE) + 1)


def ends_of(dtype: np.dtype[Any]) -> tuple[Key, Key]:
    """Return the least and the largest number of a type.

    Examples
    --------
    >>> ends_of(np.dtype("int8")), ends_of(np.dtype("float32"))
    ((np.int8(-128), np.int8(127)), (np.float32(-inf), np.float32(inf)))
    """
    if dtype.kind == "f":
        return dtype.type(-np.inf), dtype.type(np.inf)
    limits = np.iinfo(dtype)
    return dtype.type(limits.min), dtype.type(limits.max)


def have_brackets(keys: Primitives, ranks: npt.ArrayLike) -> bool:
    """Whether brackets find some ranks with fewer reads than a histogram."""
    if not keys.tuning.brackets or not np.size(ranks):
        return False
    some = groups(np.unique(ranks), keys.size)
    narrow = all(each[-1] - each[0] <= keys.size // CLOSE for each in some)
    return narrow and len(some) <= keys.tuning.brackets


def neighbours(selection: Selection) -> Keys:
    """Find some groups of ranks that lie close together."""
    keys, bracketing = selection.keys, _Bracketing(selection)
    if keys.size <= min(keys.tuning.samples, keys.tuning.few):
        return selection.finish(keys, selection.ranks, selection.ranks)
    some = groups(selection.ranks, selection.n)
    brackets = [bracketing.ends(keys, ks, 0) for ks in some]
    found = zip(some, brackets, keys.parted_each(brackets), strict=True)
    return np.concatenate([bracketing.ranked(keys, ks, 0, 0, *each) for ks, *each in found])


@dataclass(frozen=True, slots=True)
class _Bracketing:
    """Brackets ranks, and those that are missed again."""

    selection: Selection

    def find(self, keys: Primitives, ks: Integers, before: int, seed: int) -> Keys:
        """Return the keys of some ranks, given keys that have `before` other keys below them."""
        if keys.size <= min(keys.tuning.samples, keys.tuning.few):
            return self.selection.finish(keys, ks, ks - before)
        ends = self.ends(keys, ks - before, seed)
        return self.ranked(keys, ks, before, seed, ends, keys.parted(*ends))

    def ranked(
        self,
        keys: Primitives,
        ks: Integers,
        before: int,
        seed: int,
        ends: tuple[Key, Key],
        found: Found,
    ) -> Keys:
        """Do as `find` does, with a bracket that is counted already."""
        (low, high), (at_low, at_high, inside) = ends, found
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
        chosen = side == 4
        if chosen.any() and keys.dtype.kind == "f" and np.isposinf(high):
            answers[chosen] = np.nan
            known = np.array([before + to_high]), np.array([keys.size - to_high])
            self.selection.known.learn(np.array([np.nan], keys.dtype), *known)
        elif chosen.any():
            above = keys.between(high, None, count=at_high.above)
            answers[chosen] = self.find(above, ks[chosen], before + to_high, seed + 1)
        return answers

    def ends(self, keys: Primitives, places: Integers, seed: int) -> tuple[Key, Key]:
        """Return two numbers that are likely to have the keys of some places between.

        They are keys of a sample. Beyond its ends they are those of the type, infinity at most.
        """
        shares = (places[[0, -1]] + 0.5) / keys.size
        count = keys.tuning.samples
        (lower, _), (_, upper) = (bracket(count, share, PROBABILITY) for share in shares.tolist())
        sample = in_order(keys.sample(count, seed))
        self.selection.record("sample")
        least, most = ends_of(keys.dtype)
        low = sample[lower - 1] if lower else least
        high = sample[upper] if upper < count else most
        return (low if low < most else most), (high if high < most else most)  # and no NaN

    def inside(self, keys: Primitives, ks: Integers, before: int, seed: int) -> Keys:
        """Return the keys of some ranks by buckets of the keys in a bracket, if these are far."""
        if not keys.tuning.far:
            return self.find(keys, ks, before, seed)
        if keys.size <= keys.tuning.few:
            return self.selection.finish(keys, ks, ks - before)
        find = bucket.METHOD.find_many
        return self.selection.within(keys, ks, ks - before, lambda inner: find(inner, {}))
