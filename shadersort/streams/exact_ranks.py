"""Exact quantiles and counts of a stream that can be read again, in bounded memory.

A summary of the stream says between which two of its values each wanted order statistic lies. These
values are the edges. Another read counts the values below and at each edge, and keeps the values in
the gaps between edges where an order statistic may lie. So the read finds it: it is an edge, or it
is selected from the values that were kept.

The summary bounds how many values each gap has: at most about 4εN for N values. Where these are too
many to keep, the read summarises them, and the edges of the next read are closer together. Each
read leaves at most a 25th of the values, so few reads are needed for a stream of any length.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from shadersort.errors import InputChanged
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Integers, Keys
from shadersort.selection.quantile_plan import plan
from shadersort.streams.points import gaps
from shadersort.streams.quantile_summary import QuantileSummary
from shadersort.streams.rank_answers import RankBounds, RanksAnswered
from shadersort.streams.values import plain_zeros

MOST = 1 << 22
"""Values that are kept, by default."""
FINEST = 0.01
"""The error of the summaries of gaps: with more, the gaps would shrink slowly, or not at all."""


class Gap:
    """The values between two edges: all of them, or a summary."""

    def __init__(self, *, whole: bool) -> None:
        self._parts: list[Keys] = []
        self._summary = None if whole else QuantileSummary(FINEST)

    def add(self, keys: Keys) -> None:
        """Take in values."""
        if self._summary is not None:
            self._summary.update(keys)
        elif len(keys):
            self._parts.append(keys.copy())

    @property
    def n(self) -> int:
        """How many values lie in it."""
        return sum(map(len, self._parts)) if self._summary is None else self._summary.n

    def bounds(self) -> RankBounds | None:
        """Return bounds of the ranks of its values, or None if all of them are kept."""
        return None if self._summary is None else self._summary._rank_bounds()

    def at(self, ranks: Integers) -> Keys:
        """Return the values of some ranks, from 1."""
        chosen: Keys = in_order(np.concatenate(self._parts))[ranks - 1]
        return chosen


class Edges:
    """The values between which order statistics lie, in order, and what is between the edges.

    Attributes
    ----------
    values
        The edges.
    most
        How many values each gap may have, from that before the first edge to that after the last;
        0 for a gap without a wanted order statistic.
    """

    def __init__(self, values: Keys, most: Integers) -> None:
        self.values, self.most = values, most

    @classmethod
    def around(cls, known: RankBounds, ranks: Integers) -> Self:
        """Return the edges next to ranks, ascending from 1, given bounds of the ranks of values."""
        low = np.searchsorted(known.largest, ranks, side="right") - 1
        high = np.searchsorted(known.smallest, ranks, side="left")
        low, high = low[low >= 0], high[high < len(known.values)]  # unknown at the ends of a window
        values = np.unique(plain_zeros(known.values[np.concatenate([low, high])]))
        begins = np.zeros(len(ranks), np.int64)  # the first gap of each rank
        begins[len(ranks) - len(low) :] = np.searchsorted(values, known.values[low]) + 1
        ends = np.full(len(ranks), len(values))  # and the last
        ends[: len(high)] = np.searchsorted(values, known.values[high])
        gap = np.arange(len(values) + 1)[:, None]
        wanted = ((begins <= gap) & (gap <= ends)).any(axis=1)
        least, most = known.bounds(values, "right")[0], known.bounds(values, "left")[1]
        room = np.append(most, known.n) - np.append(0, least)
        return cls(values, np.where(wanted, np.maximum(room, 1), 0))

    @classmethod
    def joined(cls, several: Sequence["Edges"]) -> Self:
        """Return all edges of gaps that follow each other; nothing outside of them is wanted."""
        most = [0]
        for each in several:
            most += [*each.most[1:-1].tolist(), 0]
        return cls(np.concatenate([each.values for each in several]), np.array(most))

    def gaps(self, room: int) -> dict[int, Gap]:
        """Return the wanted gaps, empty; they will keep about `room` values at most."""
        wanted = np.flatnonzero(self.most).tolist()
        whole = int(self.most.sum()) <= room
        each = room // max(1, len(wanted))
        return {gap: Gap(whole=whole or int(self.most[gap]) <= each) for gap in wanted}


class ExactRanks:
    """Finds exact quantiles of a stream, and counts values exactly, by reading it again.

    Call `update` with all values of the stream, then `finish_read`; repeat both until it returns
    True.

    Parameters
    ----------
    summary
        A summary of the stream, or of its last values.
    q
        The quantiles that are wanted, as for `summary.quantile`.
    points
        Numbers: how many values are at most each of them?
    skipped
        How many values at the beginning of the stream the summary does not answer for.
    room
        About how many values are kept at most.

    Attributes
    ----------
    at_most
        How many values are at most each point.
    done
        Whether everything is found; then updates change nothing.

    Examples
    --------
    >>> stream = np.random.default_rng(1).normal(size=100_000)
    >>> exact = ExactRanks(QuantileSummary(0.01).update(stream), [0.5, 1], [np.float64(0)])
    >>> while not exact.update(stream).finish_read():
    ...     pass
    >>> (exact.quantiles() == np.quantile(stream, [0.5, 1], method="inverted_cdf")).all()
    np.True_
    >>> exact.at_most == np.sum(stream <= 0)
    array([ True])
    """

    def __init__(
        self,
        summary: RanksAnswered,
        q: Sequence[float],
        points: Sequence[Any] = (),
        *,
        skipped: int = 0,
        room: int = MOST,
    ) -> None:
        known = summary._rank_bounds()
        self._plan = plan(known.n, q, "inverted_cdf", nan=False)
        self._points = [np.atleast_1d(each) for each in points]
        self._n, self._skipped, self._room = known.n, skipped, room
        self._ranks = self._plan.ranks + 1
        self._values = np.empty(len(self._ranks), known.values.dtype)
        self._open = np.ones(len(self._ranks), np.bool_)
        self.done = False
        self._read_between(Edges.around(known, self._ranks))

    def _read_between(self, edges: Edges) -> None:
        """Prepare a read that counts at some edges."""
        self._edges, self._gaps = edges, edges.gaps(self._room)
        self._below = np.zeros(len(edges.values), np.int64)
        self._through = np.zeros(len(edges.values), np.int64)
        self.at_most = np.zeros(len(self._points), np.int64)
        self._left_to_skip, self._seen = self._skipped, 0

    def update(self, keys: Keys) -> Self:
        """Take in the next values of the stream; NaNs are left out."""
        numbers = keys[~np.isnan(keys)] if keys.dtype.kind == "f" else keys
        skipped = min(self._left_to_skip, len(numbers))
        self._left_to_skip -= skipped
        numbers = numbers[skipped:]
        if len(numbers) and not self.done:
            self._count(in_order(plain_zeros(numbers.astype(self._values.dtype, copy=False))))
        return self

    def _count(self, numbers: Keys) -> None:
        """Count values that are in order, and keep those in the wanted gaps."""
        self._seen += len(numbers)
        below, through = (gaps(numbers, self._edges.values, side) for side in ("left", "right"))
        self._below += below
        self._through += through
        for i, point in enumerate(self._points):
            self.at_most[i] += gaps(numbers, point, "right")[0]
        begins, ends = np.append(0, through), np.append(below, len(numbers))
        for place, gap in self._gaps.items():
            gap.add(numbers[begins[place] : ends[place]])

    def finish_read(self) -> bool:
        """Find what one read of all values tells; return whether nothing is left to be found.

        Raises InputChanged if the values were not those that the summary has seen.
        """
        if self._seen != self._n:
            raise InputChanged(
                f"there were {self._n:,} values at first, and {self._seen:,} when they were read "
                "again"
            )
        places = np.searchsorted(self._through, self._ranks)
        narrower: list[Edges] = []
        for place in np.unique(places[self._open]).tolist():
            asked = np.flatnonzero(self._open & (places == place))
            if (closer := self._find(place, asked)) is not None:
                narrower.append(closer)
        self.done = not narrower
        if narrower:
            self._read_between(Edges.joined(narrower))
        else:
            self._gaps = {}
        return self.done

    def _find(self, place: int, asked: Integers) -> Edges | None:
        """Find order statistics at an edge or in the gap before it; return edges that are closer.

        None says that all are found.
        """
        below = self._below[place] if place < len(self._below) else self._n
        at_edge = asked[self._ranks[asked] > below]
        self._values[at_edge] = self._edges.values[place : place + 1]
        self._open[at_edge] = False
        inside = asked[self._ranks[asked] <= below]
        if not len(inside):
            return None
        before = int(self._through[place - 1]) if place else 0
        gap, ranks = self._gaps.get(place), self._ranks[inside] - before
        if gap is None or gap.n != below - before:
            raise InputChanged("the values were others when they were read again")
        if (known := gap.bounds()) is not None:
            return Edges.around(known, ranks)
        self._values[inside] = gap.at(ranks)
        self._open[inside] = False
        return None

    def quantiles(self) -> Any:
        """Return the quantiles that were asked for, in the order in which they were."""
        return self._plan.combine(self._values)
