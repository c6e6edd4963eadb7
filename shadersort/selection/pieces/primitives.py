"""Pieces as primitives, and as a row: each call asks every piece, and joins what they answer.

So a method takes the same steps as on one array, and only its few numbers travel. Copies of few
keys come together in one memory; of more keys, a copy is a step that every later question repeats.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import add, methodcaller
from typing import Any

import numpy as np

from shadersort.errors import MethodUnavailable, TooManyKeys
from shadersort.keys.inputs import as_selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.asking import (
    Kept,
    PieceHolder,
    Question,
    Where,
    add_up,
    find_best,
    join_extents,
)
from shadersort.selection.primitives import Buckets, Counts, Primitives, sampling
from shadersort.selection.primitives.values import Traffic, Tuning, check_count
from shadersort.selection.quantiles import SearchedRow
from shadersort.selection.rows.axes import Sizes
from shadersort.selection.rows.host import deliver
from shadersort.selection.rows.partition import find_first
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.top_keys import SMALLEST

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

SAMPLES, MOST_SAMPLES, SPARSE, DENSE = 1 << 13, 1 << 16, 1 << 14, 1 << 10
"""A sample has about 1 in SPARSE keys, or 1 in DENSE where a round draws it, within these bounds:
more take longer to read than a narrow bracket saves."""

SPARE = 64
"""Keys that are drawn beside 5/4 of a sample, so that some are drawn of any pieces."""

Step = Callable[[Any], Any]
"""Takes primitives; returns an answer, or primitives over a copy of some keys."""


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
    tangent = _asks("tangent")
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
        found, self._nans = self.ask(partial(count_nans, after=part))
        return [
            (at_low, at_high, self._attach(kept, methodcaller("between", *pair)))
            for (at_low, at_high, kept), pair in zip(found, pairs, strict=True)
        ]

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket, and the NaNs."""
        found: Integers
        part = methodcaller("bucket_histogram", buckets)
        found, self._nans = self.ask(partial(count_nans, after=part))
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


class PieceRows(SearchedRow, Rows):
    """All keys in pieces, as one row; NaNs are counted by the read that finds ranks.

    Examples
    --------
    >>> from shadersort.selection.pieces.files import FileKeys
    >>> row = PieceRows(FileKeys([np.array([5, 1]), np.array([4])]))
    >>> row.ranks(np.array([1, 2])), row.first(2, 0), row.pieces.reads
    (array([4, 5]), (array([5, 4]), array([0, 2])), 3)
    """

    def __init__(self, pieces: PieceHolder, shape: Sizes = (), out: Any = None) -> None:
        super().__init__(Pieces(pieces))
        self.pieces, self._shape, self._out = pieces, shape, out

    def first(
        self, count: int, by: int, *, in_order: bool = True, ties: Ties = "lowest"
    ) -> tuple[Any, Any]:
        """Return the first keys in an order, and their places; always in order.

        Every piece answers with its own first keys, in one round.
        """
        if ties == "highest":
            raise MethodUnavailable("keys in pieces take no ties='highest': pass one array")
        answer, join = (partial(each, by=by, count=count) for each in (ask_first, join_first))
        values, places = join([self.pieces.ask(Question(answer, join))], in_order=True)
        return self.keys.restore(values), places

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers as an array or a scalar of NumPy."""
        return deliver(np.reshape(found, front + self._shape), self._out)

    def axis_result(self, found: Any, out: Any = None) -> Any:
        """Return keys or places as they are."""
        return deliver(found, out)

    def weighted_quantiles(self, *_: Any, **__: Any) -> Any:
        """Refuse weights."""
        raise MethodUnavailable("keys in pieces take no weights: pass one array in memory")

    # whoever opens pieces has refused these by name
    argsort = places = sort = threshold = weighted_quantiles

    def primitives(self) -> Any:
        """Return the primitives over all keys."""
        return self.keys


def ask_first(keys: Any, where: Where, *, by: int, count: int) -> tuple[Keys, Integers]:
    """Return the first keys of a piece in an order, and their places among all keys."""
    values, places = keys.first(by, min(count, keys.size))
    return values, where(places)


def join_first(
    answers: Sequence[tuple[Keys, Integers]], *, by: int, count: int, in_order: bool = False
) -> tuple[Keys, Integers]:
    """Return the first keys of several answers: of equal keys, those at the lowest places."""
    values, places = (np.concatenate(each) for each in zip(*answers, strict=True))
    order, count = places.argsort(kind="stable"), min(count, places.size)
    (first,) = find_first(values[order][None], count, smallest=by == SMALLEST, in_order=in_order)
    return values[order[first]], places[order[first]]
