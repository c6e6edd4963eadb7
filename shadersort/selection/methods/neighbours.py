"""Few groups of neighbouring ranks, of keys far away of which copies can be held: one full read.

As in `randomized`, two keys of a sample are likely to have all ranks of a group between them. One
read counts at both and copies what lies between; `bucket` finds the ranks in the copy, which is
small. Ranks that a bracket has missed are found in the keys on their side of it, in the same way.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.keys.in_order import in_order
from shadersort.keys.limits import limits
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.methods import bucket
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.primitives.sampling import independent
from shadersort.selection.selection import Selection

PROBABILITY = 0.999
"""Of a bracket that holds a rank. A miss costs two reads."""

CLOSE = 1 << 10
"""Ranks are neighbours if 1 in this many keys, at most, lies between them."""


def groups(ranks: Integers, size: int) -> list[Integers]:
    """Return groups of neighbours among ascending ranks: a bracket of each is still narrow.

    Examples
    --------
    >>> groups(np.array([7, 8, 1700]), 2000)
    [array([7, 8]), array([1700])]
    """
    return np.split(ranks, np.flatnonzero(np.diff(ranks) > size // CLOSE) + 1)


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
    pairs = [bracketing.ends(keys, ks, 0) for ks in some]
    if 0 < keys.tuning.inside < bracketing.inside:
        selection.method = bucket.METHOD.name
        return bucket.METHOD.find_many(selection, {})
    found = map(_Bracket.of, pairs, keys.parted_each(pairs))
    both = zip(some, found, strict=True)
    return np.concatenate([bracketing.ranked(keys, ks, 0, 0, at) for ks, at in both])


def likely(runs: Keys, ordered: Keys, share: float) -> tuple[int, int]:
    """Return the smallest and the largest likely number of keys of runs below a key.

    `ordered` are the same keys in order, and `share` is that of all keys which is below the key.
    """
    about = ordered[min(int(share * ordered.size), ordered.size - 1)]
    count = independent(runs, about)
    lower, upper = bracket(count, share, PROBABILITY)
    each = ordered.size // count
    return each * lower, each * upper


@dataclass(frozen=True, slots=True)
class _Bracket:
    """Two numbers, the counts at both, and a copy of the keys between."""

    low: Key
    high: Key
    at_low: Counts
    at_high: Counts
    inside: Primitives

    @classmethod
    def of(cls, ends: tuple[Key, Key], found: tuple[Counts, Counts, Primitives]) -> "_Bracket":
        """Return the bracket between two numbers, given what `parted` has found."""
        (low, high), (at_low, at_high, inside) = ends, found
        return cls(low, high, at_low, at_high, inside)

    @property
    def to_low(self) -> int:
        """How many keys are not above the lower end."""
        return self.at_low.below + self.at_low.equal

    @property
    def to_high(self) -> int:
        """How many keys are not above the upper end."""
        return self.at_high.below + self.at_high.equal

    def sides(self, places: Integers) -> Integers:
        """Return 0 for places below the bracket, 1 at its lower end, 2 between, 3 and 4 above."""
        starts = self.at_low.below, self.to_low, self.at_high.below, self.to_high
        return np.searchsorted(np.maximum.accumulate(starts), places, side="right")


@dataclass(slots=True)
class _Bracketing:
    """Brackets ranks, and those that are missed again.

    `inside` is about how many keys the brackets have so far.
    """

    selection: Selection
    inside: float = 0

    def find(self, keys: Primitives, ks: Integers, before: int, seed: int) -> Keys:
        """Return the keys of some ranks, given keys that have `before` other keys below them."""
        if keys.size <= min(keys.tuning.samples, keys.tuning.few):
            return self.selection.finish(keys, ks, ks - before)
        ends = self.ends(keys, ks - before, seed)
        return self.ranked(keys, ks, before, seed, _Bracket.of(ends, keys.parted(*ends)))

    def ranked(
        self, keys: Primitives, ks: Integers, before: int, seed: int, at: "_Bracket"
    ) -> Keys:
        """Do as `find` does, with a bracket that is counted already."""
        self.selection.record("bracket", candidates=at.inside.size)
        sides, answers = at.sides(ks - before), np.empty(ks.size, keys.dtype)
        finds = (self.below, self.at_low, self.within, self.at_high, self.above)
        for side, find in enumerate(finds):
            if (chosen := sides == side).any():
                answers[chosen] = find(keys, ks[chosen], before, seed + 1, at)
        return answers

    def below(self, keys: Primitives, ks: Integers, before: int, seed: int, at: _Bracket) -> Keys:
        """Find ranks that a bracket has missed: they are below it."""
        copy = keys.between(None, at.low, count=at.at_low.below)
        return self.find(copy, ks, before, seed)

    def at_low(
        self, keys: Primitives, ks: Integers, before: int, seed: int, at: "_Bracket"
    ) -> Keys:
        """Return the lower end of a bracket, whose counts are known."""
        return self.known(at.low, before + at.at_low.below, at.at_low.equal, ks)

    def within(
        self, keys: Primitives, ks: Integers, before: int, seed: int, at: "_Bracket"
    ) -> Keys:
        """Find ranks in a bracket: by buckets, if the keys between are far and many."""
        copy, before = at.inside, before + at.to_low
        if not copy.tuning.far:
            return self.find(copy, ks, before, seed)
        if copy.size <= copy.tuning.few:
            return self.selection.finish(copy, ks, ks - before)
        find = bucket.METHOD.find_many
        return self.selection.within(copy, ks, ks - before, lambda inner: find(inner, {}))

    def at_high(
        self, keys: Primitives, ks: Integers, before: int, seed: int, at: "_Bracket"
    ) -> Keys:
        """Return the upper end of a bracket, whose counts are known."""
        return self.known(at.high, before + at.at_high.below, at.at_high.equal, ks)

    def above(self, keys: Primitives, ks: Integers, before: int, seed: int, at: _Bracket) -> Keys:
        """Find ranks that a bracket has missed: they are above it. Above infinity are only NaNs."""
        if keys.dtype.kind == "f" and np.isposinf(at.high):
            return self.known(keys.dtype.type(np.nan), before + at.to_high, at.at_high.above, ks)
        copy = keys.between(at.high, None, count=at.at_high.above)
        return self.find(copy, ks, before + at.to_high, seed)

    def known(self, key: Key, below: int, equal: int, ks: Integers) -> Keys:
        """Return a key for all ranks, with the counts that prove it."""
        keys = np.full(ks.size, key)
        self.selection.known.learn(keys[:1], np.array([below]), np.array([equal]))
        return keys

    def ends(self, keys: Primitives, places: Integers, seed: int) -> tuple[Key, Key]:
        """Return two numbers that are likely to have the keys of some places between.

        They are keys of a sample. Beyond its ends they are those of the type, infinity at most.
        """
        runs = keys.runs(seed)
        sample = in_order(runs.reshape(-1))
        self.selection.record("sample")
        shares = (places[[0, -1]] + 0.5) / keys.size
        (lower, _), (_, upper) = (likely(runs, sample, share) for share in shares.tolist())
        self.inside += (upper - lower) / sample.size * keys.size
        least, most = limits(keys.dtype)
        low = sample[lower - 1] if lower else least
        high = sample[upper] if upper < sample.size else most
        return (low if low < most else most), (high if high < most else most)  # and no NaN
