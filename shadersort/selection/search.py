"""Searching: a bracket that counts have proved to hold the answer, and pivots that narrow it.

How a pivot is guessed is a method's own business, in any precision. What it does to the bracket is
decided by counts, in codes, so each pivot inside the bracket narrows it, and none can lose the
answer.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from shadersort.errors import AnswerRefuted, BadOption
from shadersort.keys.codes import code, key
from shadersort.keys.types import Key
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.primitives.values import gap
from shadersort.selection.selection import Selection

__all__ = ["SHRUNK", "Headway", "Search"]

PATIENCE = 3
"""So many steps in a row may leave more than half of the candidates."""

SHRUNK = 16
"""Once 1 in so many keys is a candidate, a copy of the candidates pays for itself."""


class Headway:
    """Whether a search is worth going on with: candidates have to be halved every few steps.

    Introselect gives up on its guesses so, and a method with a bound takes over (Musser 1997).

    Examples
    --------
    >>> headway = Headway(100, patience=2)
    >>> [headway.lost(candidates) for candidates in (90, 50, 40, 30)]
    [False, False, False, True]
    """

    def __init__(self, candidates: int, patience: int = PATIENCE) -> None:
        self._most, self._patience = candidates, patience
        self.patience = patience

    def lost(self, candidates: int) -> bool:
        """Whether one step too many has left more than half of the candidates."""
        if 2 * candidates <= self._most:
            self._most, self.patience = candidates, self._patience
        else:
            self.patience -= 1
        return self.patience == 0


class Search:
    """The proved bracket of a selection over finite keys.

    Attributes
    ----------
    selection
        What it works on.
    keys
        Where the candidates are: all keys, or a copy that has them all.
    left_out
        How many keys come before those that are here, and how many after.
    before, until
        The candidates have the ranks from `before` to `until` − 1.
    answer
        The answer, once it is known.
    counts
        Those of the last pivot, of all keys.

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
        self.keys = selection.keys
        self.left_out = 0, 0
        extent = selection.extent
        self._bracket(code(extent.low), code(extent.high))
        self.before = extent.minus_infinite
        self.until = self.before + extent.finite
        self.answer: Key | None = None
        self.counts = Counts(0, 0, 0)
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
        """The open interval of the candidates, as `between` and `objective` take it."""
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
        """Return the key in the middle of all codes: as many keys could be below as above."""
        return key((self._first + self._last) // 2, self.dtype)

    def near(self, offset: float, base: Key) -> Key:
        """Return the key next to a distance from another; integers are added exactly.

        A distance that is no number leads to the middle of the bracket.
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
        """Return the key next to a distance from another, and inside the bracket."""
        return self.inside(self.near(offset, base))

    def inside(self, pivot: Key) -> Key:
        """Return a pivot, or the end of the bracket that is next to it."""
        place = code(pivot)
        if place < self._first:
            return self.low
        return self.high if place > self._last else pivot

    def holds(self, pivot: Key) -> bool:
        """Whether a key lies in the bracket, so that counting there narrows it."""
        return self._first <= code(pivot) <= self._last

    def of_all(self, counts: Counts) -> Counts:
        """Return the counts of all keys at a candidate, given those of the keys here."""
        below = counts.below + self.left_out[0]
        return Counts(below, counts.equal, self.selection.n - below - counts.equal)

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
        """Narrow the bracket to an interval of keys that were counted, and record the step.

        `below` counts all keys below the interval, `count` those inside.
        """
        self.keep_codes(code(low), code(high), below, count, name)

    def keep_codes(self, first: int, last: int, below: int, count: int, name: str) -> None:
        """Do as `keep` does, with the codes of the ends: not each of them has a key."""
        ends = {"low": self.low, "high": self.high}
        self._bracket(max(self._first, first), min(self._last, last))
        self.before, self.until = max(self.before, below), min(self.until, below + count)
        proved = {}
        if self._first == self._last and self.answer is None:
            self.answer = self.low
            here = Counts(self.before, count, self.selection.n - self.before - count)
            proved = {"pivot": self.answer, "counts": here}
        self.selection.record(name, candidates=self.candidates, **ends, **proved)

    def keep_counted(self, below: int, count: int, name: str) -> None:
        """Do as `keep` does, without knowing the ends of the interval."""
        self.before, self.until = max(self.before, below), min(self.until, below + count)
        self.selection.record(name, candidates=self.candidates, low=self.low, high=self.high)

    def move(self, copy: Primitives) -> None:
        """Go on with a copy of the candidates."""
        self.keys, self.left_out = copy, (self.before, self.selection.n - self.until)
        self.selection.record("compact", low=self.low, high=self.high)

    def tighten(self) -> None:
        """Narrow the bracket to the extent of a copy of the candidates."""
        ends = {"low": self.low, "high": self.high}
        extent = self.keys.extent()
        self._bracket(code(extent.low), code(extent.high))
        self.selection.record("extent", **ends)

    def nearest(self) -> Key | None:
        """Return the answer if it is known or a few reads away: at an end, or next to one.

        An outlier moves a rank by one, and so past the end where the median of two equal parts was.
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
        """Return the first or the last of the candidates, whichever the rank is nearer to."""
        first = self.k - self.before <= self.until - 1 - self.k
        keys = self.keys
        found = keys.at_or_above(self.low) if first else keys.at_or_below(self.high)
        self.selection.record("nearest")
        return found

    def shrink(self) -> None:
        """Copy the candidates, where others are among them."""
        if self.keys.size > self.candidates:
            self.move(self.keys.between(*self.window, count=self.candidates))

    def compacted(self) -> Key:
        """Copy the candidates where others are among them, and take the answer by its rank.

        The candidates prove the answer: how many keys come before and after them is known.
        """
        self.shrink()
        if self.keys.size != self.candidates:
            raise AnswerRefuted(f"{self.keys.size} keys were copied, not {self.candidates}")
        return self.ranked("sort")

    def ranked(self, name: str) -> Key:
        """Take the answer by its rank among the keys that are here, candidates or not."""
        (answer,), (below,), (equal,) = self.keys.ranked([self.k - self.left_out[0]])
        here = Counts(int(below), int(equal), self.keys.size - int(below) - int(equal))
        self.selection.record(name, pivot=answer, counts=self.of_all(here))
        return answer

    def drive(
        self,
        counting: Iterable[None],
        iterations: int,
        few: int = 0,
        *,
        copies: bool = False,
        headway: Headway | None = None,
    ) -> Key | None:
        """Count on until the answer is known, or few candidates are left, or iterations are over.

        Each time that it is resumed, `counting` narrows the bracket once. With `copies`, it goes on
        in a copy of the candidates, each time that this is much smaller. It ends where there is no
        headway, too. The answer may be None.
        """
        if iterations < 1:
            raise BadOption(f"iterations must be 1 or more, not {iterations}")
        if self.answer is None:
            for done, _ in enumerate(counting, start=1):
                if self.answer is not None or self.candidates <= few:
                    break
                if self.nearest() is not None or self.candidates <= few or done >= iterations:
                    break
                if headway is not None and headway.lost(self.candidates):
                    break
                if copies and SHRUNK * self.candidates <= self.keys.size:
                    self.shrink()
        return self.answer

    def find(self, counting: Iterable[None], iterations: int) -> Key:
        """Count on until the answer is known; raise `DidNotConverge` when iterations are over.

        Where copying is cheap, and keys are many, it ends with a sort of few candidates. A device
        that ranks by itself ends a search that makes no headway.
        """
        few, tuning = self.selection.few, self.selection.keys.tuning
        headway = Headway(self.candidates) if few and tuning.ranks else None
        answer = self.drive(counting, iterations, few, copies=few > 0, headway=headway)
        if answer is None and self.candidates <= few:
            return self.compacted()
        if answer is None and headway is not None and headway.patience == 0:
            return self.ranked("ranked")
        return self._converged(answer, iterations)

    def to_the_end(self, counting: Iterable[None], iterations: int) -> Key:
        """Do the same without copies and without a sort."""
        return self._converged(self.drive(counting, iterations), iterations)

    def _converged(self, answer: Key | None, iterations: int) -> Key:
        if answer is None:
            left = f"{self.candidates} candidates are left after {iterations} iterations"
            raise self.selection.did_not_converge(left)
        return answer
