"""The primitives over pieces: each call asks every piece, and adds up what they answer.

So a method takes the same steps as on one array, and only its few numbers travel (Beliakov 2011,
section VII). A copy of some keys is a step that every later question takes first; keys that are
known to be few come together in one memory instead.
"""

from collections.abc import Sequence
from functools import partial, reduce
from operator import add, methodcaller
from typing import Any

import numpy as np

from shadersort.errors import TooManyKeys
from shadersort.keys.accepted import as_selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.asking import Join, PieceHolder, Question, Step, len_of
from shadersort.selection.primitives import Buckets, Primitives, sampling
from shadersort.selection.primitives.values import (
    Counts,
    Extent,
    Ranked,
    Traffic,
    Tuning,
    check_count,
)

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

SAMPLES, MOST_SAMPLES, SPARSE = 1 << 13, 1 << 16, 1 << 14
"""A sample has about 1 in SPARSE keys, within these bounds: more take longer to read than a narrow
bracket saves. Where a sample takes a read of all keys, it has the most."""

SPARE = 64
"""Keys that a sample has more than twice its number, so that some keys are drawn of any pieces."""


def total(answers: Sequence[Any]) -> Any:
    """Return the sum of numbers, arrays, or tuples of them; lists become one.

    Examples
    --------
    >>> total([Counts(1, 2, 3), Counts(10, 0, 0)]), total([(np.array([1, 2]), [3])] * 2)
    (Counts(below=11, equal=2, above=3), (array([2, 4]), [3, 3]))
    """
    first = answers[0]
    if not isinstance(first, tuple):
        return reduce(add, answers, *([np.int64(0)] if isinstance(first, np.ndarray) else []))
    fields = map(total, zip(*answers, strict=True))
    return type(first)(*fields) if hasattr(first, "_fields") else tuple(fields)


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


def last_answer(answer: Any, *_: int) -> Any:
    """Return what the last step has returned."""
    return answer


def fetch(keys: Any, *_: int, by: Any) -> list[Any]:
    """Return the array of few keys."""
    return [by(keys)]


def draw(keys: Any, piece: int, start: int, *, share: float, seed: int) -> list[Keys]:
    """Return a share of some keys, from random places."""
    random = np.random.default_rng((seed, piece, start))
    count = int(keys.size * share + random.random())
    return [keys.take(random.integers(0, keys.size, count))] if count else []


def count_buckets(keys: Primitives, *_: int, buckets: Buckets) -> tuple[Integers, int]:
    """Return how many keys are in each bucket, and how many are NaN."""
    return keys.bucket_histogram(buckets), keys.size - keys.count_numbers()


Parted = tuple[Integers, int, tuple[list[Any], ...] | None]
"""For each pair of pivots, three counts at the low one and three at the high one; how many keys are
NaN; and for each pair, arrays of the keys strictly between, or None if they are too many."""


def part(keys: Any, *_: int, pairs: Sequence[tuple[Key, Key]], by: Any) -> Parted:
    """Return what some keys have at pairs of pivots; `by` returns the array of primitives.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import copy_keys
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives([1, 2, 2, 5, 6, 7, 9])
    >>> part(keys, pairs=[(np.int64(2), np.int64(7))], by=copy_keys)
    (array([[1, 2, 4, 5, 1, 1]]), 0, ([array([5, 6])],))
    """
    found = keys.split_each(pairs)
    counts = np.array([(*low, *high) for low, high, _ in found], np.int64)
    kept = tuple([by(inside)] for _, _, inside in found)
    return counts, keys.size - keys.count_numbers(), kept


def join_parted(answers: Sequence[Parted], room: int) -> Parted:
    """Add up counts, and put keys together while there is room for them."""
    counts, nans, kept = zip(*answers, strict=True)
    lists = None if None in kept else total(kept)
    if lists is not None and sum(each.size for some in lists for each in some) > room:
        lists = None
    return total(counts), sum(nans), lists


def _asks(call: str, join: Join = total) -> Any:
    """Return a method that asks all pieces for a call, and joins their answers."""

    def ask(self: "Pieces", *args: Any, **options: Any) -> Any:
        return self.ask(last_answer, join, methodcaller(call, *args, **options))

    ask.__doc__, ask.__name__ = f"Ask all pieces for `{call}`; join their answers.", call
    return ask


def _copies(call: str) -> Any:
    """Return a method that copies some keys by a call."""

    def copy(self: "Pieces", *args: Any, count: int | None = None, **options: Any) -> Any:
        return self.copy(methodcaller(call, *args, **options), count)

    copy.__doc__, copy.__name__ = f"Copy some keys by `{call}`.", call
    return copy


class Pieces(Primitives):
    """Primitives over pieces; the keys are those of the first piece, then those of the second, ….

    Parameters
    ----------
    pieces
        What holds the pieces.
    filters
        Steps that copy some keys, one after the other.

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
    digit_histogram = _asks("digit_histogram")
    digit_histograms = _asks("digit_histograms")
    between = _copies("between")
    with_prefixes = _copies("with_prefixes")
    of_buckets = _copies("of_buckets")

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
        self.traffic = Traffic() if traffic is None else traffic
        self.scattered = pieces.scattered and not filters
        some = 1 << (self.size // SPARSE).bit_length() if self.scattered else MOST_SAMPLES
        self.tuning = Tuning(
            copies=True,
            few=pieces.few,
            digit=DIGIT,
            counters=pieces.counters,
            samples=min(max(some, SAMPLES), MOST_SAMPLES),
            far=True,
            room=pieces.room,
        )
        self._nans: int | None = None  # how many keys are NaN, once that is known
        self._sampled: dict[tuple[int, int], Keys] = {}

    def supports(self, call: str) -> bool:
        """Whether there is a call; `count_values` needs a counter for every value."""
        counts = 8 * self.dtype.itemsize < self.pieces.counters.bit_length()
        return super().supports(call) and (call != "count_values" or counts)

    def ask(self, answer: Any, join: Join, *steps: Step, **options: Any) -> Any:
        """Ask all pieces something after the filters and some steps; join their answers."""
        self.traffic.add(self.size)
        return self.pieces.ask(Question(answer, join, (*self.filters, *steps), **options))

    def copy(self, step: Step, count: int | None) -> Primitives:
        """Copy some keys: together if they are known to be few, otherwise by a filter."""
        found = self._few(step) if count is not None and count <= self.pieces.few else None
        size = self.ask(len_of, sum, step) if found is None else found.size
        check_count(size, count)
        return self._filtered(step, size) if found is None else found

    def _filtered(self, step: Step, size: int) -> "Pieces":
        """Return the keys that a step copies, each time that they are asked."""
        return Pieces(self.pieces, (*self.filters, step), size, self.traffic)

    def _few(self, *steps: Step) -> Primitives:
        """Return few keys, together."""
        answer = partial(fetch, by=self.pieces.fetch)
        return self._gather(self.ask(answer, total, *steps, title="collecting"))

    def _gather(self, kept: Sequence[Any]) -> Primitives:
        """Return primitives over kept keys together."""
        found = self.pieces.gather(kept, self.traffic)
        self.traffic.written += found.size
        return found

    def split(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, and copy the keys between."""
        return self.split_each([(low, high)])[0]

    def split_each(
        self, pairs: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, Primitives]]:
        """Count at several pairs of pivots, and copy the keys between: one read, for NaNs, too."""
        answer = partial(part, pairs=pairs, by=self.pieces.fetch)
        join = partial(join_parted, room=2 * self.pieces.room)
        counts, self._nans, kept = self.ask(answer, join)
        found = []
        for place, (pair, row) in enumerate(zip(pairs, counts.tolist(), strict=True)):
            size = max(row[3] - row[0] - row[1], 0)
            between = methodcaller("between", *pair)
            inside = self._filtered(between, size) if kept is None else self._gather(kept[place])
            found.append((Counts(*row[:3]), Counts(*row[3:]), inside))
        return found

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket, and the NaNs."""
        found: Integers
        found, self._nans = self.ask(partial(count_buckets, buckets=buckets), total)
        return found

    def count_numbers(self) -> int:
        """Return how many keys are not NaN: no read, if one has counted them already."""
        return super().count_numbers() if self._nans is None else self.size - self._nans

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places of all pieces; a sample is remembered."""
        if (count, seed) not in self._sampled:
            if self.scattered:
                found = self.take(np.sort(sampling.places(self.size, count, seed)))
            else:
                share = (2 * count + SPARE) / self.size
                answer = partial(draw, share=share, seed=seed)
                some = np.concatenate(self.ask(answer, total, title="sampling"))
                found = np.random.default_rng(seed).permutation(some)[:count]
            self._sampled[count, seed] = found
        return self._sampled[count, seed]

    def take(self, indices: Sequence[int] | Integers) -> Keys:
        """Return the keys at some places; where that takes a round, of few keys."""
        places = np.asarray(indices, np.int64) % self.size
        if not self.scattered:
            return self._all().take(places)
        self.traffic.read += places.size
        ascending, of_place = np.unique(places, return_inverse=True)
        return np.asarray(as_selectable(self.pieces.take(ascending))[0][of_place])

    def sort(self) -> Primitives:
        """Collect all keys, and return them in order."""
        return self._all().sort()

    def look_up_ranks(self, ranks: Sequence[int] | Integers) -> Ranked:
        """Collect all keys, and look up some ranks."""
        return self._all().look_up_ranks(ranks)

    def _all(self) -> Primitives:
        """Return all keys together, if they are few."""
        if self.size > self.pieces.few:
            raise TooManyKeys(
                f"{self.size} keys would be collected from {len(self.pieces.sizes)} pieces, and "
                f"{self.pieces.few} at most can be: use another method, such as 'bucket'"
            )
        return self._few()
