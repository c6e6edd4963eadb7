"""Searching: a bracket that provably holds the answer, and pivots that narrow it.

Each method guesses pivots in its own way and in any precision. Counts decide what a pivot does to
the bracket, and the bracket's ends are codes. So every pivot inside the bracket narrows it, and no
pivot can lose the answer.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from shadersort.errors import AnswerRefuted, BadOption
from shadersort.keys.codes import code, key
from shadersort.keys.types import Integers, Key
from shadersort.selection.introselect import Introselect
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.primitives.values import gap
from shadersort.selection.selection import Selection

NEEDS = ("extent", "at_or_above", "at_or_below")
"""The calls of the primitives that every search makes, beside those that count at a pivot."""

SHRUNK = 16
"""Candidates are copied once they are at most 1 in this many keys."""


class Search:
    """The proved bracket of one rank among finite keys.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> search = Search(Selection(NumPyPrimitives(np.float32([1, 2, 4, 8])), [1], "example"))
    >>> search.low, search.high, search.candidates
    (np.float32(1.0), np.float32(8.0), 4)
    >>> search.count(np.float32(4), "try")
    >>> search.low, search.high, search.candidates
    (np.float32(1.0), np.float32(3.9999998), 2)
    """

    def __init__(self, selection: Selection) -> None:
        self.selection, self.k, self.dtype = selection, selection.k, selection.keys.dtype
        self.keys = selection.keys  # all keys, or a copy that holds every candidate
        self.left_out = 0, 0  # how many of all keys are below the keys here, and how many above
        extent = selection.extent
        self._bracket(code(extent.low), code(extent.high))
        self.before = extent.minus_infinite  # candidates have the ranks `before` to `until` − 1
        self.until = self.before + extent.finite
        self.answer: Key | None = None
        self.counts = Counts(0, 0, 0)  # of all keys, at the last pivot
        if self.k == self.before or self._first == self._last:
            self.answer = extent.low
        elif self.k == self.until - 1:
            self.answer = extent.high

    def _bracket(self, first: int, last: int) -> None:
        self._first, self._last = first, last
        self._low: Key | None = None
        self._high: Key | None = None

    @property
    def low(self) -> Key:
        """The smallest key that may be the answer."""
        if self._low is None:
            self._low = key(self._first, self.dtype)
        return self._low

    @property
    def high(self) -> Key:
        """The largest key that may be the answer."""
        if self._high is None:
            self._high = key(self._last, self.dtype)
        return self._high

    @property
    def window(self) -> tuple[Key | None, Key | None]:
        """The open interval of the candidates: the last key below them and the first key above.

        None stands for an end without such a key. `between` and `objective` take these two.
        """
        highest = (1 << 8 * self.dtype.itemsize) - 1
        low = key(self._first - 1, self.dtype) if self._first else None
        return low, key(self._last + 1, self.dtype) if self._last < highest else None

    @property
    def candidates(self) -> int:
        """Number of keys that may be the answer."""
        return self.until - self.before

    @property
    def width(self) -> float:
        """The distance from `low` to `high`: a double, which may overflow."""
        return gap(self.high, self.low)

    def middle(self) -> Key:
        """Return the key in the middle of the bracket's codes."""
        return key((self._first + self._last) // 2, self.dtype)

    def near(self, offset: float, base: Key) -> Key:
        """Return the key nearest to `base` + `offset`; integers are added exactly.

        An offset or a sum that is not finite leads to the middle of the bracket.
        """
        if not math.isfinite(offset):
            return self.middle()
        if self.dtype.kind == "f":
            with np.errstate(over="ignore"):
                value = self.dtype.type(float(base) + offset)
            return value if np.isfinite(value) else self.middle()
        limits = np.iinfo(self.dtype)
        return self.dtype.type(min(max(int(base) + round(offset), limits.min), limits.max))

    def at(self, offset: float, base: Key) -> Key:
        """Return the key of the bracket that is nearest to `base` + `offset`."""
        return self.inside(self.near(offset, base))

    def inside(self, pivot: Key) -> Key:
        """Return a pivot, or the nearer end of the bracket if the pivot lies outside."""
        place = code(pivot)
        if place < self._first:
            return self.low
        return self.high if place > self._last else pivot

    def holds(self, pivot: Key) -> bool:
        """Whether a key lies in the bracket, so that counting at it narrows the bracket."""
        return self._first <= code(pivot) <= self._last

    def of_all(self, counts: Counts) -> Counts:
        """Return the counts of all keys at a candidate, given the counts of the keys here."""
        below = counts.below + self.left_out[0]
        return Counts.of(below, counts.equal, self.selection.n)

    def count(self, pivot: Key, name: str, **details: Any) -> None:
        """Count at a pivot, and narrow the bracket."""
        self.narrow(pivot, self.of_all(self.keys.counts(pivot)), name, **details)

    def narrow(self, pivot: Key, counts: Counts, name: str, **details: Any) -> None:
        """Narrow the bracket by counts of all keys at a pivot, and record the step."""
        low, high, self.counts = self.low, self.high, counts
        if counts.prove(self.k):
            self.answer, self.before, self.until = pivot, self.k, self.k + 1
        elif self.k < counts.below:
            self._bracket(self._first, min(self._last, code(pivot) - 1))
            self.until = min(self.until, counts.below)
        else:
            self._bracket(max(self._first, code(pivot) + 1), self._last)
            self.before = max(self.before, counts.below + counts.equal)
        details = {"low": low, "high": high, "pivot": pivot, "counts": counts, **details}
        self.selection.record(name, candidates=self.candidates, **details)

    def keep(self, low: Key, high: Key, below: int, count: int, name: str) -> None:
        """Narrow the bracket to an interval whose keys were counted, and record the step.

        `below` keys are below the interval, and `count` keys are inside.
        """
        self.keep_codes(code(low), code(high), below, count, name)

    def keep_codes(self, first: int, last: int, below: int, count: int, name: str) -> None:
        """Do as `keep` does, but take the codes of the ends: some codes belong to no key."""
        ends = {"low": self.low, "high": self.high}
        self._bracket(max(self._first, first), min(self._last, last))
        self.before, self.until = max(self.before, below), min(self.until, below + count)
        proved = {}
        if self._first == self._last and self.answer is None:
            self.answer = self.low
            here = Counts.of(self.before, count, self.selection.n)
            proved = {"pivot": self.answer, "counts": here}
        self.selection.record(name, candidates=self.candidates, **ends, **proved)

    def keep_counted(self, below: int, count: int, name: str) -> None:
        """Do as `keep` does, if the ends of the interval are not known."""
        self.before, self.until = max(self.before, below), min(self.until, below + count)
        self.selection.record(name, candidates=self.candidates, low=self.low, high=self.high)

    def move(self, copy: Primitives) -> None:
        """Continue with a copy of the candidates."""
        self.keys, self.left_out = copy, (self.before, self.selection.n - self.until)
        self.selection.record("compact", low=self.low, high=self.high)

    def tighten(self) -> None:
        """Narrow the bracket to the extent of a copy of the candidates."""
        ends = {"low": self.low, "high": self.high}
        extent = self.keys.extent()
        self._bracket(code(extent.low), code(extent.high))
        self.selection.record("extent", **ends)

    def nearest(self) -> Key | None:
        """Return the answer if it is known, or is an end of the bracket or the key beside one.

        Looking beside an end is worth a few reads. Example: half of the keys are 0 and half are 1.
        One outlier more moves the median by one rank: from an end to the key beside it.
        """
        if self.answer is None and self._first == self._last:
            self.answer = self.low
        if self.answer is None and min(self.k - self.before, self.until - 1 - self.k) <= 1:
            end = self._end()
            if self.k in (self.before, self.until - 1):
                self.answer = end
            else:
                self.count(end, "end")
                return self.nearest()
        return self.answer

    def _end(self) -> Key:
        """Return the first or the last of the candidates, whichever is nearer to the rank."""
        first = self.k - self.before <= self.until - 1 - self.k
        keys = self.keys
        found = keys.at_or_above(self.low) if first else keys.at_or_below(self.high)
        self.selection.record("nearest")
        return found

    def shrink(self) -> None:
        """Copy the candidates, unless all keys here are candidates."""
        if self.keys.size > self.candidates:
            self.move(self.keys.between(*self.window, count=self.candidates))

    def compacted(self) -> Key:
        """Copy the candidates, and find the answer by its rank among them."""
        self.shrink()
        if self.keys.size != self.candidates:
            raise AnswerRefuted(f"{self.keys.size} keys were copied, not {self.candidates}")
        return self.selection.finish(self.keys, *self._place())[0]

    def _place(self) -> tuple[Integers, Integers]:
        """Return the rank among all keys, and its place among the sorted keys here."""
        ranks = self.selection.ranks
        return ranks, ranks - self.left_out[0]

    def drive(
        self,
        counting: Iterable[None],
        iterations: int,
        few: int = 0,
        *,
        copies: bool = False,
        rule: Introselect | None = None,
    ) -> Key | None:
        """Narrow the bracket; stop with an answer, with few candidates, or after all iterations.

        `counting` narrows the bracket once each time it is resumed. With `copies` the search
        moves to a copy of the candidates whenever that is much smaller. It also stops if `rule`
        gives up. Returns the answer, or None if it is not known.
        """
        if iterations < 1:
            raise BadOption(f"iterations must be 1 or more, not {iterations}")
        if self.answer is None:
            for done, _ in enumerate(counting, start=1):
                if self.answer is not None or self.candidates <= few:
                    break
                if self.nearest() is not None or self.candidates <= few or done >= iterations:
                    break
                if rule is not None and rule.lost(self.candidates):
                    break
                if copies and SHRUNK * self.candidates <= self.keys.size:
                    self.shrink()
        return self.answer

    def find(self, counting: Iterable[None], iterations: int) -> Key:
        """Narrow the bracket until the answer is known.

        With many keys, and where copying is cheap, the search ends with a copy of few candidates.
        If it makes no progress on a device with `tuning.fused`, fused radix selection ends it.
        Raises `DidNotConverge` after all iterations.
        """
        few = self.selection.few
        rule = Introselect(self.candidates) if few and self.selection.keys.tuning.fused else None
        answer = self.drive(counting, iterations, few, copies=few > 0, rule=rule)
        if answer is None and self.candidates <= few:
            return self.compacted()
        if answer is None and rule is not None and rule.gives_up:
            return self.selection.fused_radix(self.keys, *self._place())[0]
        return self._converged(answer, iterations)

    def to_the_end(self, counting: Iterable[None], iterations: int) -> Key:
        """Do as `find` does, without a copy and without a sort."""
        return self._converged(self.drive(counting, iterations), iterations)

    def _converged(self, answer: Key | None, iterations: int) -> Key:
        if answer is None:
            left = f"{self.candidates} candidates are left after {iterations} iterations"
            raise self.selection.did_not_converge(left)
        return answer
