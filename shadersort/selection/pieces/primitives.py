"""The primitives over pieces: each call asks every piece, and adds up what they answer.

So a method takes the same steps as on one array, and only its few numbers travel (Beliakov 2011,
section VII). A copy of some keys is a step that every later question takes first; keys that are
known to be few come together in the host's memory instead.
"""

from collections.abc import Sequence
from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np

from shadersort.errors import TooManyKeys
from shadersort.keys.accepted import selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.answers import (
    add_arrays,
    add_buckets,
    add_counts,
    add_objectives,
    chain_lists,
    count_buckets,
    greatest,
    join_extents,
    join_parted,
    join_samples,
    least,
    part,
    sample,
)
from shadersort.selection.pieces.asking import (
    Join,
    PieceHolder,
    Question,
    Step,
    len_of,
    working_type,
)
from shadersort.selection.primitives import Buckets, Primitives, sampling
from shadersort.selection.primitives.values import Counts, Ranked, Traffic, Tuning, check_count

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

SAMPLES, MANY = 1 << 14, 1 << 30
"""Keys in a sample, which takes no round. Of many keys, or where it takes one, four times as many:
a narrow bracket saves more than their sort takes."""


def last_answer(answer: Any, *_: int) -> Any:
    """Return what the last step has returned."""
    return answer


def fetch(keys: Any, *_: int, by: Any) -> list[Any]:
    """Return the array of few keys."""
    return [by(keys)]


def _asks(call: str, add: Join) -> Any:
    """Return a method that asks all pieces for a call, and adds up their answers."""

    def ask(self: "Pieces", *args: Any, **options: Any) -> Any:
        return self.ask(last_answer, add, methodcaller(call, *args, **options))

    ask.__doc__, ask.__name__ = f"Ask all pieces for `{call}`; add up their answers.", call
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

    counts = _asks("counts", add_counts)
    counts_at = _asks("counts_at", add_arrays)
    extent = _asks("extent", join_extents)
    objective = _asks("objective", add_objectives)
    log_objective = _asks("log_objective", add_objectives)
    at_or_above = _asks("at_or_above", least)
    at_or_below = _asks("at_or_below", greatest)
    digit_histogram = _asks("digit_histogram", add_arrays)
    digit_histograms = _asks("digit_histograms", add_arrays)
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
        self.dtype, self.stand_in = working_type(pieces.dtype)
        self.size = sum(pieces.sizes) if size is None else size
        self.traffic = Traffic() if traffic is None else traffic
        self.scattered = pieces.scattered and not filters
        self.tuning = Tuning(
            copies=True,
            few=pieces.few,
            digit=DIGIT,
            counters=pieces.counters,
            samples=SAMPLES if self.scattered and self.size < MANY else 4 * SAMPLES,
            far=True,
            room=pieces.room,
        )
        self._nans: int | None = None  # how many keys are NaN, once that is known
        self._sampled: dict[tuple[int, int], Keys] = {}

    def supports(self, call: str) -> bool:
        """Whether there is a call; `counting` needs a counter for every value."""
        counts = 8 * self.dtype.itemsize < self.pieces.counters.bit_length()
        return super().supports(call) and (call != "counting" or counts)

    def ask(self, answer: Any, join: Join, *steps: Step, title: str = "counting") -> Any:
        """Ask all pieces something after the filters and some steps; join their answers."""
        self.traffic.add(self.size)
        return self.pieces.ask(Question(answer, join, (*self.filters, *steps), title))

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
        return self._gather(self.ask(answer, chain_lists, *steps, title="collecting"))

    def _gather(self, kept: Sequence[Any]) -> Primitives:
        """Return primitives over kept keys together."""
        found = self.pieces.gather(kept, self.traffic)
        self.traffic.written += found.size
        return found

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, and copy the keys between."""
        return self.parted_each([(low, high)])[0]

    def parted_each(
        self, pairs: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, Primitives]]:
        """Count at several pairs of pivots, and copy the keys between: one read, for NaNs, too."""
        answer = partial(part, pairs=pairs, fetch=self.pieces.fetch)
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
        found, self._nans = self.ask(partial(count_buckets, buckets=buckets), add_buckets)
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
                room: dict[str, Any] = {"room": 2 * count, "seed": seed}
                join = partial(join_samples, **room)
                answer = partial(sample, fetch=self.pieces.fetch, **room)
                _, kept = self.ask(answer, join, title="sampling")
                some = self.pieces.gather(kept, self.traffic)
                places = np.random.default_rng(seed).permutation(some.size)[:count]
                found = some.take(places)  # a key that comes twice would look like a tie
            self._sampled[count, seed] = found
        return self._sampled[count, seed]

    def take(self, indices: Sequence[int] | Integers) -> Keys:
        """Return the keys at some places; where that takes a round, of few keys."""
        places = np.asarray(indices, np.int64) % self.size
        if not self.scattered:
            return self._all().take(places)
        self.traffic.read += places.size
        ascending, of_place = np.unique(places, return_inverse=True)
        return np.asarray(selectable(self.pieces.take(ascending))[0][of_place])

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
        return self._few()
