"""Many steps of a rolling window at once, as long as a bracket has the values that are asked for.

At every step a new value comes and, once the window is full, the oldest one leaves. Most of them
lie outside of the bracket, so they only shift where in it the wanted rank is. These shifts are
counted at once: two comparisons for each value, and a running sum. The few steps at which a value
inside the bracket comes or goes, the events, are gone through one by one; in between nothing that
is held changes, and one lookup in an array answers all steps.

Values equal to an end of the bracket are only counted. So a bracket whose ends have many equal
values, or which is one value, is as fast as any other.
"""

from bisect import bisect_left, insort
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.rolling_bracket import Bracket

Compare = Callable[[Keys, Any], Mask]


class Questions(NamedTuple):
    """The steps after which a rank is asked for, and the ranks.

    Attributes
    ----------
    first, every
        The first such step, from 0, and the distance to the next.
    ranks
        The ranks, from 0, or −1 where the window has no number.
    more
        1 where the value of the next rank is asked for as well, or 0.
    """

    first: int
    every: int
    ranks: Integers
    more: Integers

    @classmethod
    def none(cls) -> "Questions":
        """Return no question."""
        nothing = np.empty(0, np.int64)
        return cls(0, 1, nothing, nothing)

    def between(self, start: int, stop: int) -> tuple["Questions", slice]:
        """Return the questions of some steps, counted from `start`, and which of all they are.

        Examples
        --------
        >>> asked = Questions(4, 5, np.arange(3), np.zeros(3))
        >>> asked.between(5, 15)[0].first, asked.between(5, 15)[1]
        (4, slice(1, 3, None))
        """
        begin, end = (max(0, -(-(at - self.first) // self.every)) for at in (start, stop))
        chosen = slice(begin, min(end, len(self.ranks)))
        first = self.first + begin * self.every - start
        return Questions(first, self.every, self.ranks[chosen], self.more[chosen]), chosen

    def upto(self, count: int) -> "Questions":
        """Return the first questions."""
        return self._replace(ranks=self.ranks[:count], more=self.more[:count])

    def of(self, each_step: Keys) -> Keys:
        """Return what belongs to the steps that are asked about."""
        return each_step[self.first :: self.every][: len(self.ranks)]


class Events(NamedTuple):
    """The values that come into a bracket or leave it, in the order of their steps."""

    steps: Integers
    values: list[Any]
    comes: list[bool]

    @classmethod
    def of(cls, new: Keys, old: Keys | None, bracket: Bracket) -> "Events":
        """Return the events of some steps; at each, the old value goes before the new one comes."""
        comes = np.flatnonzero((new > bracket.low) & (new < bracket.high))
        if old is None:
            return cls(comes, new[comes].tolist(), [True] * len(comes))
        goes = np.flatnonzero((old > bracket.low) & (old < bracket.high))
        steps, values = np.concatenate([goes, comes]), np.concatenate([old[goes], new[comes]])
        order = np.argsort(steps, kind="stable")
        return cls(steps[order], values[order].tolist(), (order >= len(goes)).tolist())

    def replay(self, held: list[Any], first: int, last: int) -> None:
        """Add and remove the values of some events."""
        values, comes = self.values, self.comes
        for at in range(first, last):
            if comes[at]:
                insort(held, values[at])
            else:
                del held[bisect_left(held, values[at], 1)]


class Parts(NamedTuple):
    """Parts of the questions between which events lie.

    Attributes
    ----------
    starts, lengths
        The first question of each part, and how many it has.
    events
        How many events come before each.
    inner
        How many values lie inside the bracket then.
    """

    starts: Integers
    lengths: Integers
    events: Integers
    inner: Integers

    @classmethod
    def of(cls, asked: Questions, events: Events, inner: int) -> "Parts":
        """Return the parts of some questions; the bracket has `inner` values before all events."""
        before = np.maximum(0, -((asked.first - events.steps) // asked.every))
        count = len(asked.ranks)
        starts = np.append(0, before[: before.searchsorted(count)])  # after each number of events
        met = np.flatnonzero(np.append(starts[1:] != starts[:-1], True))
        starts = starts[met]
        grown = np.append(0, np.cumsum(2 * np.array(events.comes, np.int64) - 1))
        return cls(starts, np.append(starts[1:], count) - starts, met, inner + grown[met])

    def upto(self, count: int) -> "Parts":
        """Return the parts of the first questions."""
        kept = int(self.starts.searchsorted(count))
        starts = self.starts[:kept]
        lengths = np.append(starts[1:], count) - starts
        return Parts(starts, lengths, self.events[:kept], self.inner[:kept])


def follow(
    bracket: Bracket, new: Keys, old: Keys | None, asked: Questions, found: Keys
) -> tuple[int, int]:
    """Take some steps; return how many questions the bracket could answer, and the events.

    The answers are written to `found`: values of the ranks, and of the next ranks. If not all
    questions could be answered, the bracket is of no use any more.
    """
    events, count, met = Events.of(new, old, bracket), len(asked.ranks), 0
    if count:
        parts = Parts.of(asked, events, bracket.inner)
        shifts = asked.of(_running(new, old, bracket.low, np.less_equal))
        places = asked.ranks - (bracket.through - 1) - shifts  # in what is held
        nexts, ends = places + asked.more, np.repeat(parts.inner + 1, parts.lengths)
        if places.min() < 1 or np.any(nexts >= ends):
            outside = _outside(bracket, new, old, asked)
            count = int(outside.argmax()) if outside.any() else count
            parts = parts.upto(count)
            places, nexts = (np.clip(each, 0, ends)[:count] for each in (places, nexts))
    if count:
        found[:, :count] = _looked_up(bracket, events, parts, places, nexts)
        met = int(parts.events[-1])
    if count == len(asked.ranks):
        if met < len(events.values):
            events.replay(bracket.listed(), met, len(events.values))
        _finish(bracket, new, old)
    return count, len(events.values)


def _looked_up(
    bracket: Bracket, events: Events, parts: Parts, places: Integers, nexts: Integers
) -> tuple[Keys, Keys]:
    """Return values of what is held, by places, each at its time."""
    least = np.minimum.reduceat(places, parts.starts).tolist()
    most = np.maximum.reduceat(nexts, parts.starts).tolist()
    if not parts.events[-1]:
        values, offsets = np.asarray(bracket.held[least[0] : most[0] + 1]), -least[0]
        return values[places + offsets], values[nexts + offsets]
    held, met, flat, begins = bracket.listed(), 0, list[Any](), list[int]()
    for count, first, last in zip(parts.events.tolist(), least, most, strict=True):
        events.replay(held, met, count)
        met = count
        begins.append(len(flat) - first)
        flat += held[first : last + 1]
    values, each = np.array(flat), np.repeat(begins, parts.lengths)
    return values[places + each], values[nexts + each]


def _finish(bracket: Bracket, new: Keys, old: Keys | None) -> None:
    """Count the values of all steps in the bracket."""
    for name, bound, compare in (
        ("below", bracket.low, np.less),
        ("through", bracket.low, np.less_equal),
        ("upto", bracket.high, np.less_equal),
    ):
        left = 0 if old is None else int(np.count_nonzero(compare(old, bound)))
        change = int(np.count_nonzero(compare(new, bound))) - left
        setattr(bracket, name, getattr(bracket, name) + change)


def _running(new: Keys, old: Keys | None, bound: Any, compare: Compare) -> Integers:
    """Return by how much the number of values below a bound has grown after each step."""
    change = compare(new, bound).view(np.int8)
    if old is not None:
        change = change - compare(old, bound).view(np.int8)
    return np.cumsum(change, dtype=np.int64)


def _outside(bracket: Bracket, new: Keys, old: Keys | None, asked: Questions) -> Mask:
    """Return after which of the steps that are asked about the bracket lacks an answer."""
    below = bracket.below + asked.of(_running(new, old, bracket.low, np.less))
    upto = bracket.upto + asked.of(_running(new, old, bracket.high, np.less_equal))
    lacks = (asked.ranks < below) | (asked.ranks + asked.more >= upto)
    return lacks & (asked.ranks >= 0)
