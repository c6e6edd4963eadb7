"""Searching: a bracket that provably holds the answer, and pivots that narrow it.

Each method guesses pivots in its own way and in any precision. Counts decide what a pivot does, and
the bracket's ends are codes. So every pivot inside narrows the bracket, and none loses the answer.
"""

import math
from collections.abc import Callable, Iterable
from itertools import chain, repeat

import numpy as np

from shadersort.errors import AnswerRefuted, BadOption
from shadersort.keys.codes import code, key
from shadersort.keys.limits import limits
from shadersort.keys.types import Key
from shadersort.names import SelectionMethod
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.primitives.buckets import distance
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
    >>> search.count(np.float32(4), "try")
    >>> search.low, search.high, search.candidates
    (np.float32(1.0), np.float32(3.9999998), 2)
    """

    def __init__(self, selection: Selection) -> None:
        self.selection, self.k, self.dtype = selection, selection.k, selection.keys.dtype
        self.keys = selection.keys  # all keys, or a copy that holds every candidate
        self.left_out = 0, 0  # how many of all keys are below the keys here, and how many above
        extent = selection.extent
        self.first, self.last = code(extent.low), code(extent.high)  # codes
        self.before = extent.minus_infinite  # candidates have the ranks `before` to `until` − 1
        self.until = self.before + extent.finite
        self.answer: Key | None = None
        self.counts = Counts(0, 0, 0)  # of all keys, at the last pivot
        if self.k == self.before or self.first == self.last:
            self.answer = extent.low
        elif self.k == self.until - 1:
            self.answer = extent.high

    @property
    def low(self) -> Key:
        """The smallest key that may be the answer."""
        return key(self.first, self.dtype)

    @property
    def high(self) -> Key:
        """The largest key that may be the answer."""
        return key(self.last, self.dtype)

    @property
    def ends(self) -> dict[str, Key]:
        """The ends of the bracket, as a step of a trace has them."""
        return {"low": self.low, "high": self.high}

    @property
    def window(self) -> tuple[Key | None, Key | None]:
        """The last key below the candidates and the first key above; None if there is none."""
        highest = (1 << 8 * self.dtype.itemsize) - 1
        low = key(self.first - 1, self.dtype) if self.first else None
        return low, key(self.last + 1, self.dtype) if self.last < highest else None

    @property
    def candidates(self) -> int:
        """Number of keys that may be the answer."""
        return self.until - self.before

    @property
    def width(self) -> float:
        """The distance from `low` to `high`: a double, which may overflow."""
        return float(distance(self.high, self.low))

    @property
    def middle(self) -> Key:
        """The key in the middle of the bracket's codes."""
        return key((self.first + self.last) // 2, self.dtype)

    def key_near(self, offset: float, base: Key) -> Key:
        """Return the key nearest to `base` + `offset`; integers are added exactly.

        An offset or a sum that is not finite leads to the middle of the bracket.
        """
        if not math.isfinite(offset):
            return self.middle
        if self.dtype.kind == "f":
            with np.errstate(over="ignore"):
                value = self.dtype.type(float(base) + offset)
            return value if np.isfinite(value) else self.middle
        least, most = map(int, limits(self.dtype))
        return self.dtype.type(min(max(int(base) + round(offset), least), most))

    def key_at(self, offset: float, base: Key) -> Key:
        """Return the key of the bracket that is nearest to `base` + `offset`."""
        place = code(self.key_near(offset, base))
        return key(min(max(place, self.first), self.last), self.dtype)

    def count(self, pivot: Key, name: str) -> None:
        """Count at a pivot, and narrow the bracket."""
        self.narrow(pivot, self.keys.counts(pivot), name)

    def narrow(self, pivot: Key, here: Counts, name: str) -> None:
        """Narrow the bracket by the counts of the keys here at a pivot, and record the step."""
        counts = Counts.complete(here.below + self.left_out[0], here.equal, self.selection.n)
        details, self.counts = {**self.ends, "pivot": pivot, "counts": counts}, counts
        if counts.prove(self.k):
            self.answer, self.before, self.until = pivot, self.k, self.k + 1
        elif self.k < counts.below:
            self.last = min(self.last, code(pivot) - 1)
            self.until = min(self.until, counts.below)
        else:
            self.first = max(self.first, code(pivot) + 1)
            self.before = max(self.before, counts.below + counts.equal)
        self.selection.record(name, candidates=self.candidates, **details)

    def keep(self, below: int, count: int, name: str, codes: tuple[int, int] | None = None) -> None:
        """Narrow the bracket to an interval with `count` keys inside and `below` keys below it.

        `codes` are those of its ends, if they are known; some codes belong to no key.
        """
        details = self.ends
        self.before, self.until = max(self.before, below), min(self.until, below + count)
        if codes is not None:
            self.first, self.last = max(self.first, codes[0]), min(self.last, codes[1])
            if self.first == self.last and self.answer is None:
                self.answer = self.low
                counts = Counts.complete(self.before, count, self.selection.n)
                details |= {"pivot": self.answer, "counts": counts}
        self.selection.record(name, candidates=self.candidates, **details)

    def move(self, copy: Primitives) -> None:
        """Continue with a copy of the candidates."""
        self.keys, self.left_out = copy, (self.before, self.selection.n - self.until)
        self.selection.record("compact", **self.ends)

    def nearest(self) -> Key | None:
        """Return the answer if it is known, or is an end of the bracket or the key beside one.

        Looking beside an end is worth a few reads: if half of the keys are 0 and half are 1, one
        outlier more moves the median by one rank, from an end to the key beside it.
        """
        if self.answer is None and self.first == self.last:
            self.answer = self.low
        first, last = self.k - self.before, self.until - 1 - self.k  # ranks from the two ends
        if self.answer is None and min(first, last) <= 1:
            at_first = first <= last
            end = self.keys.at_or_above(self.low) if at_first else self.keys.at_or_below(self.high)
            self.selection.record("nearest")
            if 0 in (first, last):
                self.answer = end
            else:
                self.count(end, "end")
                return self.nearest()
        return self.answer

    def shrink(self) -> None:
        """Copy the candidates, unless all keys here are candidates."""
        if self.keys.size > self.candidates:
            self.move(self.keys.between(*self.window, count=self.candidates))

    def finish(self) -> Key:
        """Return the answer; if it is not known, copy the candidates, and find it among them."""
        if self.answer is not None:
            return self.answer
        self.shrink()
        if self.keys.size != self.candidates:
            raise AnswerRefuted(f"{self.keys.size} keys were copied, not {self.candidates}")
        ranks = self.selection.ranks
        return self.selection.finish(self.keys, ranks, ranks - self.left_out[0])[0]

    def drive(
        self, steps: Iterable[None], iterations: int, few: int = 0, *, copies: bool = False
    ) -> None:
        """Narrow the bracket; stop with an answer, with few candidates, or after all iterations.

        `steps` narrows the bracket each time it is resumed. With `copies` the search moves to a
        copy of the candidates whenever that is much smaller.
        """
        if iterations < 1:
            raise BadOption(f"iterations must be 1 or more, not {iterations}")
        if self.answer is None:
            for done, _ in enumerate(steps, start=1):
                if self.answer is not None or self.candidates <= few:
                    break
                if self.nearest() is not None or self.candidates <= few or done >= iterations:
                    break
                if copies and SHRUNK * self.candidates <= self.keys.size:
                    self.shrink()

    def find(self, steps: Iterable[None], iterations: int, *, copies: bool = True) -> Key:
        """Narrow the bracket until the answer is known.

        With many keys, where copying is cheap, and with `copies`, the search ends with a copy of
        few candidates. Raises `DidNotConverge` after all iterations.
        """
        few = self.selection.few if copies else 0
        self.drive(steps, iterations, few, copies=few > 0)
        if self.answer is None and self.candidates > few:
            left = f"{self.candidates} candidates are left after {iterations} iterations"
            raise self.selection.did_not_converge(left)
        return self.finish()


def search_by(
    name: SelectionMethod, steps: Callable[[Search], Iterable[None]], iterations: int, call: str
) -> Method:
    """Return the method that narrows a bracket by steps, whose one option is `iterations`.

    Steps that end begin again in the bracket that is proved by then. `call` is the call of the
    primitives that counts at a pivot.
    """
    most = iterations

    def find(selection: Selection, *, iterations: int = most) -> Key:
        search = Search(selection)
        restarted = chain.from_iterable(map(steps, repeat(search)))
        return search.find(restarted, iterations)

    return Method(name, find, needs=(call, *NEEDS), finite=True)
