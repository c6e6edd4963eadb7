"""The keys of ranks in pieces: pivots from a sample, one round of cutting, and the kept keys.

Pivots with their counts prove every answer: each open rank lies between two neighbouring pivots.
A sample chooses two more pivots, close to the rank on either side, as in Floyd and Rivest's SELECT
(1975). If all keys between fit into the room, they are sorted, and the rank is found. If not, those
that were kept are the next sample. Every round narrows the interval of every rank, so it ends.
"""

import numpy as np

from shadersort.errors import AnswerRefuted
from shadersort.keys.accepted import selectable
from shadersort.keys.in_order import in_order
from shadersort.keys.limits import limits
from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.selection.driver import select_many
from shadersort.selection.pieces.asking import PieceHolder, working_type
from shadersort.selection.pieces.cutting import Cut, Cutting, Pairs
from shadersort.selection.pieces.primitives import Pieces
from shadersort.selection.primitives import sampling

SURE = 4.0
"""How many standard errors of its rank in a sample the pivots are away from a rank."""

FEW, MANY = 1 << 14, 1 << 16
"""Keys of a sample: of usual keys, and of very many, or where a sample takes a round."""

GROUPS, CLOSE = 4, 1 << 10
"""Up to 4 groups of ranks are found so; in a group, 1 in 1,024 keys lies between neighbours at
most. More groups are found by buckets, in one histogram."""

MOST = 16
"""At most this many pivots in a round, because each key is compared with all of them."""

ROUNDS = 100
"""More rounds than any keys need."""


class Narrowing:
    """What is known of the keys in pieces, so far.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import ArrayPieces
    >>> keys = Narrowing(ArrayPieces([np.array([5.0, 1.0]), np.array([4.0, np.nan])]))
    >>> keys.find(np.array([0, 2, 3])), keys.missing
    (array([ 1.,  5., nan]), 1)
    """

    def __init__(self, pieces: PieceHolder) -> None:
        self.pieces, self.size = pieces, sum(pieces.sizes)
        self.dtype, self.stand_in = working_type(pieces.dtype)
        self.missing: int | None = 0 if self.dtype.kind != "f" else None  # NaNs or NaTs
        self._least, self._most = limits(self.dtype)
        self._pivots = np.empty(0, self.dtype)  # ascending
        self._below = self._upto = np.empty(0, np.int64)  # keys below each pivot; and up to it
        self._sample = np.empty(0, self.dtype)  # in order
        self._none: Key | None = None if self.stand_in is None else self.stand_in.none
        if self._none is not None:
            self.missing = None

    def find(self, ks: Integers) -> Keys:
        """Return the keys of ascending ranks, as primitives have them; NaNs come last."""
        if not self._upto.size and np.sum(np.diff(ks) > self.size // CLOSE) >= GROUPS:
            return self._find_many(ks)
        answers, left = np.zeros(ks.size, self.dtype), np.arange(ks.size)
        for seed in range(ROUNDS):
            left = left[~self._settle(ks[left], answers, left)]
            if not left.size:
                return answers
            if not self._sample.size and self.pieces.scattered and self.size > MANY:
                self._draw(seed)
            (pairs, expected), room = self._choose(ks[left]), self.pieces.room
            if not self._sample.size and self.size > room:
                room = min(room, MANY)  # this round draws a sample
            halvings = max(int(expected / room).bit_length() - 2, 0)
            cut = self.pieces.ask(Cutting(pairs, room, seed, halvings))
            self._learn(pairs, cut)
            if not cut.halvings:
                left = left[~self._pick(ks[left], answers, left, cut)]
        raise AnswerRefuted(f"{ROUNDS} rounds have not found a key: did the keys change?")

    def _find_many(self, ks: Integers) -> Keys:
        """Find many ranks by the method `bucket`, whose histogram counts the NaNs."""
        keys = Pieces(self.pieces)
        found = select_many(keys, ks, method="bucket")
        self.missing = keys.missing if self.missing is None else self.missing
        return selectable(found)[0]

    def count_missing(self) -> int:
        """Return how many keys are NaN or NaT: in a round, if no round has counted them."""
        if self.missing is None:
            pairs = [(self._most, self._most)]
            self._learn(pairs, self.pieces.ask(Cutting(pairs, 0)))
        assert self.missing is not None
        return self.missing

    def _draw(self, seed: int) -> None:
        """Sample keys from random places."""
        wide = SURE * self.size / FEW**0.5 > self.pieces.room
        places = sampling.places(self.size, MANY if wide else FEW, seed)
        self._sample = in_order(selectable(self.pieces.take(np.sort(places)))[0])

    def _settle(self, ks: Integers, answers: Keys, where: Integers) -> Mask:
        """Answer those ranks whose keys are pivots, or NaN; return which these are."""
        if not self._upto.size:
            return np.zeros(ks.size, np.bool_)
        after = np.minimum(np.searchsorted(self._upto, ks, side="right"), self._upto.size - 1)
        done: Mask = (self._below[after] <= ks) & (ks < self._upto[after])
        answers[where[done]] = self._pivots[after[done]]
        if self.dtype.kind == "f":
            nan = ks >= self.size - self.count_missing()
            answers[where[nan]] = np.nan
            done |= nan
        return done

    def _pick(self, ks: Integers, answers: Keys, where: Integers, cut: Cut) -> Mask:
        """Answer those ranks whose keys were kept; return which these are."""
        inside = cut.counts[:, 2]
        before = cut.counts[:, 0] + cut.counts[:, 1]
        pair = np.searchsorted(before, ks, side="right") - 1
        done: Mask = (pair >= 0) & (ks - before[pair] < inside[pair])
        if done.any():
            places = (np.cumsum(inside) - inside - before)[pair[done]] + ks[done]
            answers[where[done]] = self.pieces.finish(cut.kept, places)
        return done

    def _choose(self, ks: Integers) -> tuple[Pairs, float]:
        """Return pairs of pivots that are likely to have the keys of some ranks between.

        Returns about how many keys are between, too.
        """
        after = np.searchsorted(self._upto, ks, side="right")
        numbers = self.size - (self.missing or 0)
        start = np.append(0, self._upto)[after]
        count = np.append(self._below, numbers)[after] - start
        ends = np.concatenate([[self._least], self._pivots, [self._most]]).astype(self.dtype)
        low, high = ends[after], ends[after + 1]
        first = np.where(after > 0, np.searchsorted(self._sample, low, side="right"), 0)
        last = np.searchsorted(self._sample, high, side="left")
        last = np.where(after < self._upto.size, last, self._sample.size)
        share = (ks - start + 0.5) / count
        reach = SURE * (share * (1 - share) * (last - first)) ** 0.5 + 2
        lower = np.floor(first + share * (last - first) - reach).astype(np.int64)
        upper = np.ceil(first + share * (last - first) + reach).astype(np.int64)
        stuck = (lower < first) & (upper >= last) & (first < last)
        stuck &= count.sum() > self.pieces.room
        lower[stuck] = upper[stuck] = ((first + last) // 2)[stuck]
        part = (np.minimum(upper, last) - np.maximum(lower, first)) / np.maximum(last - first, 1)
        expected = np.where(first < last, part, 1) @ count
        sample = np.append(self._sample, self._most)
        low = np.where(lower >= first, sample[np.clip(lower, 0, self._sample.size)], low)
        high = np.where(upper < last, sample[np.minimum(upper, self._sample.size)], high)
        if self.dtype.kind == "f":  # no pivot is a NaN
            low, high = (np.where(each == each, each, self._most) for each in (low, high))
        pairs = join_pairs(low, high)
        if self._none is not None and self.missing is None and pairs[-1][1] < self._none:
            pairs.append((self._none, self._none))
        return pairs, min(float(expected), self.size)

    def _learn(self, pairs: Pairs, cut: Cut) -> None:
        """Add pivots and their counts to the known ones, and kept keys to the sample."""
        below, equal, inside, equal_high = cut.counts.T
        lows, highs = np.array(pairs, self.dtype).T
        high = below + equal + inside
        pivots = np.concatenate([self._pivots, lows, highs[lows < highs]])
        self._pivots, chosen = np.unique(pivots, return_index=True)
        self._below = np.concatenate([self._below, below, high[lows < highs]])[chosen]
        upto = np.concatenate([self._upto, below + equal, (high + equal_high)[lows < highs]])
        self._upto = upto[chosen]
        if self.dtype.kind == "f":
            self.missing = cut.nans
        elif self._none is not None and self._pivots[-1] == self._none:
            self.missing = int(self._upto[-1] - self._below[-1])
        if cut.halvings:
            sample = self._sample
            pair = np.searchsorted(lows, sample, side="left") - 1
            outside = (pair < 0) | ~(sample < highs[pair])
            self._sample = in_order(np.concatenate([sample[outside], *cut.kept]))


def join_pairs(low: Keys, high: Keys) -> list[tuple[Key, Key]]:
    """Return pairs as `Pairs` has them that cover some pairs, which may overlap.

    Overlapping pairs are cut where they begin and end, unless that is in very many places.

    Examples
    --------
    >>> [tuple(map(int, each)) for each in join_pairs(np.int8([1, 4, 9]), np.int8([5, 6, 9]))]
    [(1, 4), (4, 5), (5, 6), (9, 9)]
    """
    ends = np.unique(np.concatenate([low, high]))
    if ends.size > MOST:
        ends = ends[np.linspace(0, ends.size - 1, MOST).astype(int)]
    steps = np.zeros(ends.size, np.int64)
    np.add.at(steps, np.searchsorted(ends, low, side="right") - 1, 1)
    np.add.at(steps, np.searchsorted(ends, high), -1)
    covered = np.cumsum(steps) > 0  # from each end to the next one
    return [
        (end, ends[place + covered[place]])
        for place, end in enumerate(ends)
        if covered[place] or not covered[place - 1] or not place
    ]
