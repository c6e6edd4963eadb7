"""The primitives over pieces: each call asks every piece, and adds up what they answer.

So a method takes the same steps as on one array, and only its few numbers travel. Copies of few
keys come together in one memory; of more keys, a copy is a step that every later question repeats.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import chain
from operator import add, methodcaller
from typing import Any

import numpy as np

from shadersort.errors import TooManyKeys
from shadersort.keys.accepted import selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.asking import PieceHolder, Question, Where
from shadersort.selection.primitives import (
    Buckets,
    Counts,
    Extent,
    Primitives,
    Ranked,
    Traffic,
    Tuning,
    check_count,
    sampling,
)

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

SAMPLES, MOST_SAMPLES, SPARSE = 1 << 13, 1 << 16, 1 << 14
"""A sample has about 1 in SPARSE keys, within these bounds: more take longer to read than a narrow
bracket saves."""

SPARE = 64
"""Keys that are drawn beside 5/4 of a sample, so that some are drawn of any pieces."""

Step = Callable[[Any], Any]
"""Takes primitives; returns an answer, or primitives over a copy of some keys."""


def add_up(answers: Sequence[Any], room: int = 0) -> Any:
    """Return the sum of numbers, arrays, or tuples of them; lists of kept keys become one.

    Such a list holds pairs of a number and an array; with more than `room` keys it becomes None.

    Examples
    --------
    >>> add_up([Counts(1, 2, 3), Counts(10, 0, 0)]), add_up([(np.array([1, 2]), [])] * 2)
    (Counts(below=11, equal=2, above=3), (array([2, 4]), []))
    """
    first = answers[0]
    if isinstance(first, tuple):
        fields = [add_up(each, room) for each in zip(*answers, strict=True)]
        return type(first)(*fields) if hasattr(first, "_fields") else tuple(fields)
    if not isinstance(first, list | None):
        return reduce(add, answers)
    kept = [] if None in answers else list(chain(*answers))
    return None if None in answers or sum(each.size for _, each in kept) > room else kept


def join_extents(answers: Sequence[Extent]) -> Extent:
    """Return the extent of the keys of all pieces."""
    finite = [each for each in answers if each.finite] or answers[:1]
    names = ("total", "finite", "minus_infinite", "plus_infinite", "nans")
    return Extent(
        low=min(each.low for each in finite),
        high=max(each.high for each in finite),
        **{name: sum(getattr(each, name) for each in answers) for name in names},
    )


def best(answers: Sequence[Any], by: Any) -> Any:
    """Return the least or the largest answer of the pieces that have one; None if none has."""
    return by((each for each in answers if each is not None), default=None)


def take_steps(keys: Any, where: Where, *, steps: Sequence[Step], answer: Any = None) -> Any:
    """Take some steps, each from what the last one returned; return an answer about the last."""
    found = reduce(lambda at, step: step(at), steps, keys)
    return found if answer is None else answer(found)


def draw(
    keys: Any, where: Where, *, filters: Sequence[Step], share: float, seed: int
) -> list[Keys]:
    """Return a share of the keys that filters leave, from random places."""
    start, keys = where(np.arange(min(keys.size, 1))), take_steps(keys, where, steps=filters)
    random = np.random.default_rng((seed, *start.tolist()))
    count = int(keys.size * share + random.random())
    return [keys.take(random.integers(0, keys.size, count))] if count else []


def keep(keys: Any, *, by: Step) -> tuple[int, list[Any]]:
    """Return how many keys there are, and their array."""
    return keys.size, [(0, by(keys))]


def count_buckets(keys: Primitives, *, buckets: Buckets) -> tuple[Integers, int]:
    """Return how many keys are in each bucket, and how many are NaN."""
    return keys.bucket_histogram(buckets), keys.size - keys.count_numbers()


def part(
    keys: Any, *, pairs: Sequence[tuple[Key, Key]], by: Step
) -> tuple[Integers, int, list[Any]]:
    """Return counts at pairs of pivots, the number of NaNs, and the keys between the two of a pair.

    The counts of a pair are three at the low pivot and three at the high one.

    Examples
    --------
    >>> from operator import attrgetter
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives([1, 2, 2, 5, 6, 7, 9])
    >>> part(keys, pairs=[(np.int64(2), np.int64(7))], by=attrgetter("keys"))
    (array([[1, 2, 4, 5, 1, 1]]), 0, [(0, array([5, 6]))])
    """
    found = keys.parted_each(pairs)
    counts = np.array([(*low, *high) for low, high, _ in found], np.int64)
    kept = [(place, by(inside)) for place, (_, _, inside) in enumerate(found)]
    return counts, keys.size - keys.count_numbers(), kept


def _asks(call: str, join: Any = add_up) -> Any:
    """Return a method that asks all pieces for a call; without `join`, one that copies keys."""

    def ask(self: "Pieces", *args: Any, count: int | None = None, **options: Any) -> Any:
        step = methodcaller(call, *args, **options)
        return self.ask(None, join, step) if join else self.copy(step, count)

    ask.__doc__, ask.__name__ = f"Ask all pieces for `{call}`.", call
    return ask


class Pieces(Primitives):
    """Primitives over pieces; the keys are those of the first piece, then those of the second, ….

    `filters` are steps that copy some keys, one after the other.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import ArrayPieces
    >>> keys = Pieces(ArrayPieces([np.array([5, 1]), np.array([4]), np.array([2, 3, 9])]))
    >>> keys.counts(np.int64(4)), keys.between(np.int64(2), None).size
    (Counts(below=3, equal=1, above=2), 4)
    """

    counts = _asks("counts")
    counts_at = _asks("counts_at")
    extent = _asks("extent", join_extents)
    objective = _asks("objective")
    log_objective = _asks("log_objective")
    at_or_above = _asks("at_or_above", partial(best, by=min))
    at_or_below = _asks("at_or_below", partial(best, by=max))
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
        working, self.stand_in = selectable(np.empty(0, pieces.dtype))
        self.dtype, self.size = working.dtype, sum(pieces.sizes) if size is None else size
        self.traffic = Traffic() if traffic is None else traffic
        samples = 1 << (self.size // SPARSE).bit_length()
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
        """Whether there is a call; `counting` needs a counter for every value."""
        counts = 8 * self.dtype.itemsize < self.pieces.counters.bit_length()
        return super().supports(call) and (call != "counting" or counts)

    def ask(self, answer: Any, join: Any, *steps: Step) -> Any:
        """Ask all pieces something after the filters and some steps; join their answers."""
        self.traffic.add(self.size)
        answer = partial(take_steps, steps=(*self.filters, *steps), answer=answer)
        return self.pieces.ask(Question(answer, join))

    def copy(self, step: Step, count: int | None = None) -> Primitives:
        """Copy some keys: together if they are few, otherwise as a step of later questions."""
        few = self.pieces.few
        if count is None or count <= few:
            keeps, join = partial(keep, by=self.pieces.fetch), partial(add_up, room=few)
            size, kept = self.ask(keeps, join, step)
            check_count(size, count)
            if kept is not None:
                return self._gather(kept)
            count = size
        return Pieces(self.pieces, (*self.filters, step), count, self.traffic)

    def _gather(self, kept: Sequence[tuple[int, Any]], place: int = 0) -> Primitives:
        """Return primitives over the kept keys of a number, together."""
        found = self.pieces.gather([each for at, each in kept if at == place], self.traffic)
        self.traffic.written += found.size
        return found

    def parted_each(
        self, pairs: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, Primitives]]:
        """Count at several pairs of pivots, and copy the keys between: one read, for NaNs, too."""
        answer = partial(part, pairs=pairs, by=self.pieces.fetch)
        counts, self._nans, kept = self.ask(answer, partial(add_up, room=2 * self.pieces.few))
        found = []
        for place, (pair, row) in enumerate(zip(pairs, counts.tolist(), strict=True)):
            if kept is None:
                steps = *self.filters, methodcaller("between", *pair)
                size = max(row[3] - row[0] - row[1], 0)
                inside: Primitives = Pieces(self.pieces, steps, size, self.traffic)
            else:
                inside = self._gather(kept, place)
            found.append((Counts(*row[:3]), Counts(*row[3:]), inside))
        return found

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket, and the NaNs."""
        found: Integers
        found, self._nans = self.ask(partial(count_buckets, buckets=buckets), add_up)
        return found

    def count_numbers(self) -> int:
        """Return how many keys are not NaN: no read, if one has counted them already."""
        return super().count_numbers() if self._nans is None else self.size - self._nans

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places of all pieces; a sample is remembered."""
        if (count, seed) not in self._sampled:
            places = np.sort(sampling.places(self.size, count, seed))
            found = None if self.filters else self.pieces.take(places)
            if found is None:
                share = (5 * count / 4 + SPARE) / self.size
                draws = partial(draw, filters=self.filters, share=share, seed=seed)
                some = np.concatenate(self.pieces.ask(Question(draws, partial(reduce, add))))
                found = some[np.linspace(0, some.size, count, endpoint=False).astype(np.int64)]
            self._sampled[count, seed] = np.asarray(selectable(found)[0])
        return self._sampled[count, seed]

    def sort(self) -> Primitives:
        """Collect all keys, and return them in order."""
        return self._all().sort()

    def ranked(self, ranks: Sequence[int] | Integers) -> Ranked:
        """Collect all keys, and look up some ranks."""
        return self._all().ranked(ranks)

    def _all(self) -> Primitives:
        """Return all keys together, if they are few."""
        if self.size > self.pieces.few:
            raise TooManyKeys(
                f"{self.size} keys would be collected from {len(self.pieces.sizes)} pieces, and "
                f"{self.pieces.few} at most can be: use another method, such as 'bucket'"
            )
        return self.copy(methodcaller("between", None, None), self.size)
