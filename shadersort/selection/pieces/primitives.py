"""The primitives over pieces: each call asks every piece, and adds up what they answer.

So a method takes the same steps as on one array, and only its few numbers travel. Copies of few
keys come together in one memory; of more keys, a copy is a step that every later question repeats.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import add, methodcaller
from typing import Any

import numpy as np

from shadersort.errors import TooManyKeys
from shadersort.keys.accepted import as_selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.asking import PieceHolder, Question, Where
from shadersort.selection.primitives import Buckets, Counts, Primitives, sampling
from shadersort.selection.primitives.values import Extent, Traffic, Tuning, check_count

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

SAMPLES, MOST_SAMPLES, SPARSE, DENSE = 1 << 13, 1 << 16, 1 << 14, 1 << 10
"""A sample has about 1 in SPARSE keys, or 1 in DENSE where a round draws it, within these bounds:
more take longer to read than a narrow bracket saves."""

SPARE = 64
"""Keys that are drawn beside 5/4 of a sample, so that some are drawn of any pieces."""

Step = Callable[[Any], Any]
"""Takes primitives; returns an answer, or primitives over a copy of some keys."""


@dataclass(frozen=True)
class Kept:
    """A copy of some keys on its way: its arrays, or none if it has more keys than `room`."""

    size: int
    arrays: list[Any]
    room: int

    def __add__(self, other: "Kept") -> "Kept":
        size, arrays = self.size + other.size, self.arrays + other.arrays
        return Kept(size, arrays if size <= self.room else [], self.room)


def add_up(answers: Sequence[Any]) -> Any:
    """Return the sum of answers; of lists and tuples, the sums of what they have at each place.

    Examples
    --------
    >>> add_up([Counts(1, 2, 3), Counts(10, 0, 0)]), add_up([[np.array([1, 2]), 5]] * 2)
    (Counts(below=11, equal=2, above=3), [array([2, 4]), 10])
    """
    first = answers[0]
    if not isinstance(first, tuple | list):
        return reduce(add, answers)
    fields = map(add_up, zip(*answers, strict=True))
    return type(first)(*fields) if hasattr(first, "_fields") else type(first)(fields)


def join_extents(answers: Sequence[Extent]) -> Extent:
    """Return the extent of the keys of all pieces."""
    finite = [each for each in answers if each.finite] or answers[:1]
    names = ("total", "finite", "minus_infinite", "plus_infinite", "nans")
    return Extent(
        low=min(each.low for each in finite),
        high=max(each.high for each in finite),
        **{name: sum(getattr(each, name) for each in answers) for name in names},
    )


def find_best(answers: Sequence[Any], by: Any) -> Any:
    """Return the least or the largest answer of the pieces that have one; None if none has."""
    return by((each for each in answers if each is not None), default=None)


def take_steps(keys: Any, _: Where | None = None, *, steps: Sequence[Step]) -> Any:
    """Take some steps, each from what the last one returned."""
    return reduce(lambda at, step: step(at), steps, keys)


def keep(copied: Primitives, *, fetch: Step, room: int) -> Kept:
    """Keep the keys of a copy, unless it has more than there is room for."""
    return Kept(copied.size, [fetch(copied)] if copied.size <= room else [], room)


def keep_each(keys: Primitives, *, pairs: Sequence[tuple[Key, Key]], keep: Step) -> Any:
    """Count at pairs of pivots, and keep the keys between them."""
    return [(*ends, keep(inside)) for *ends, inside in keys.split_each(pairs)]


def draw(
    keys: Any, where: Where, *, filters: Sequence[Step], share: float, seed: int
) -> list[Keys]:
    """Return a share of the keys that filters leave, from random places."""
    start, keys = where(np.arange(min(keys.size, 1))), take_steps(keys, steps=filters)
    random = np.random.default_rng((seed, *start.tolist()))
    count = int(keys.size * share + random.random())
    return [keys.take(random.integers(0, keys.size, count))] if count else []


def count_nans(keys: Primitives, *, after: Step) -> tuple[Any, int]:
    """Return what a step returns, and how many keys are NaN: a step may have counted them."""
    return after(keys), keys.size - keys.count_numbers()


def _asks(call: str, join: Any = add_up) -> Any:
    """Return a method that asks all pieces for a call; without `join`, one that copies keys."""

    def ask(self: "Pieces", *args: Any, count: int | None = None, **options: Any) -> Any:
        step = methodcaller(call, *args, **options)
        return self.ask(step, join=join) if join else self.copy(step, count)

    ask.__doc__, ask.__name__ = f"Ask all pieces for `{call}`.", call
    return ask


class Pieces(Primitives):
    """Primitives over pieces; the keys are those of the first piece, then those of the second, ….

    `filters` are steps that copy some keys, one after the other.

    Examples
    --------
    >>> from shadersort.selection.pieces.files import FileKeys
    >>> keys = Pieces(FileKeys([np.array([5, 1]), np.array([4]), np.array([2, 3, 9])]))
    >>> keys.counts(np.int64(4)), keys.between(np.int64(2), None).size
    (Counts(below=3, equal=1, above=2), 4)
    """

    counts = _asks("counts")
    counts_at = _asks("counts_at")
    extent = _asks("extent", join_extents)
    objective = _asks("objective")
    log_objective = _asks("log_objective")
    at_or_above = _asks("at_or_above", partial(find_best, by=min))
    at_or_below = _asks("at_or_below", partial(find_best, by=max))
    digit_histograms = _asks("digit_histograms")
    between = _asks("between", None)
    with_prefixes = _asks("with_prefixes", None)
    of_buckets = _asks("of_buckets", None)

    def __init__(
        self,
        pieces: PieceHolder,
        filters: tuple[Step, ...] = (),
        size: int | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        self.pieces, self.filters, self.name = pieces, filters, pieces.name
        working, self.key_cast = as_selectable(np.empty(0, pieces.dtype))
        self.dtype, self.size = working.dtype, sum(pieces.sizes) if size is None else size
        self.traffic = traffic or Traffic()
        samples = 1 << (self.size // (DENSE if pieces.take is None else SPARSE)).bit_length()
        self.tuning = Tuning(
            copies=True,
            few=pieces.few,
            digit=DIGIT,
            counters=pieces.counters,
            samples=min(max(samples, SAMPLES), MOST_SAMPLES),
            far=True,
            room=pieces.few,
        )
        self._nans: int | None = None  # how many keys are NaN, once that is known
        self._sampled: dict[tuple[int, int], Keys] = {}

    def supports(self, call: str) -> bool:
        """Whether there is a call; `count_values` needs a counter for every value."""
        counts = 8 * self.dtype.itemsize < self.pieces.counters.bit_length()
        return super().supports(call) and (call != "count_values" or counts)

    def ask(self, *steps: Step, join: Any = add_up) -> Any:
        """Ask all pieces to take some steps after the filters; join their answers."""
        self.traffic.add(self.size)
        return self.pieces.ask(Question(partial(take_steps, steps=(*self.filters, *steps)), join))

    def copy(self, step: Step, count: int | None = None) -> Primitives:
        """Copy some keys: together if they are few, otherwise as a step of later questions."""
        if count is not None and count > self.pieces.few:
            return self._attach(Kept(count, [], 0), step)
        kept = self.ask(step, self._keep())
        check_count(kept.size, count)
        return self._attach(kept, step)

    def _keep(self, copies: int = 1) -> Step:
        """Return the step that keeps one of several copies."""
        return partial(keep, fetch=self.pieces.fetch, room=2 * self.pieces.few // copies)

    def _attach(self, kept: Kept, step: Step) -> Primitives:
        """Return primitives over kept keys, or else over those that a step copies each time."""
        if kept.size > kept.room:
            return Pieces(self.pieces, (*self.filters, step), kept.size, self.traffic)
        self.traffic.written += kept.size
        return self.pieces.gather(kept.arrays, self.traffic)

    def split_each(
        self, pairs: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, Primitives]]:
        """Count at several pairs of pivots, and copy the keys between: one read, for NaNs, too."""
        part = partial(keep_each, pairs=pairs, keep=self._keep(len(pairs)))
        found = self._count_nans(part)
        return [
            (at_low, at_high, self._attach(kept, methodcaller("between", *pair)))
            for (at_low, at_high, kept), pair in zip(found, pairs, strict=True)
        ]

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket, and the NaNs."""
        found: Integers = self._count_nans(methodcaller("bucket_histogram", buckets))
        return found

    def _count_nans(self, step: Step) -> Any:
        """Ask all pieces to take a step, and then to count their NaNs."""
        found, self._nans = self.ask(partial(count_nans, after=step))
        return found

    def count_numbers(self) -> int:
        """Return how many keys are not NaN: no read, if one has counted them already."""
        return super().count_numbers() if self._nans is None else self.size - self._nans

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places of all pieces; a sample is remembered."""
        if (count, seed) not in self._sampled:
            if self.pieces.take is not None and not self.filters:
                found = self.pieces.take(np.sort(sampling.places(self.size, count, seed)))
                self.traffic.read += count
            else:
                share = (5 * count / 4 + SPARE) / self.size
                draws = partial(draw, filters=self.filters, share=share, seed=seed)
                some = np.concatenate(self.pieces.ask(Question(draws, partial(reduce, add))))
                found = some[np.linspace(0, some.size, count, endpoint=False).astype(np.int64)]
            self._sampled[count, seed] = np.asarray(as_selectable(found)[0])
        return self._sampled[count, seed]

    def sort(self) -> Primitives:
        """Collect all keys, if they are few, and return them in order."""
        if self.size > self.pieces.few:
            raise TooManyKeys(
                f"{self.size} keys would be collected from {len(self.pieces.sizes)} pieces, and "
                f"{self.pieces.few} at most can be: use another method, such as 'bucket'"
            )
        return self.copy(methodcaller("between", None, None), self.size).sort()
