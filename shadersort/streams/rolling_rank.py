"""The values of ranks of a rolling window after each of many steps, exactly."""

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.rolling_bracket import Bracket
from shadersort.streams.rolling_steps import Questions, follow

MOST, LEAST = 1 << 15, 1 << 6
"""Steps that are taken together."""
WIDE = 1 << 9
"""The most ranks on either side, or a sixteenth of the window if these are more."""
NARROWEST = 4
"""The least number of ranks on either side; a step moves a rank by at most two."""
LONG = 1 << 13
"""In a list as long as this, an event costs twice as much as in a short one."""


class RollingRank:
    """Follows a rank of the last `length` values of a line of values.

    It holds a bracket of values around the rank. In a wide bracket many values come and go, and a
    narrow one is left soon, which costs a read of the window. Its width is doubled or halved until
    both cost about the same.

    Examples
    --------
    >>> line, median = np.array([3, 1, 2, 9, 8, 7]), RollingRank(3)
    >>> asked = Questions(0, 1, np.array([1, 1, 1]), np.zeros(3, int))
    >>> median.after(line, 3, asked)[0]
    array([2, 8, 8])
    """

    def __init__(self, length: int) -> None:
        self._length = length
        self._bracket: Bracket | None = None
        self._half = NARROWEST + 2 * isqrt(length)
        self._reach = LEAST
        self._met = 0  # what the events have cost since the bracket was made

    def after(self, line: Keys, begin: int, asked: Questions) -> Keys:
        """Take the steps at which the values of a line come, from `begin` on; return the answers.

        Answers are the values of the ranks that are asked for, and of the next ranks, in two rows.
        The line is the stream so far, and no longer than a window, or it has a full window before
        `begin`.
        """
        found = np.empty((2, len(asked.ranks)), line.dtype)
        step, steps = 0, len(line) - begin
        while step < steps:
            if self._bracket is None:
                left, _ = asked.between(step, steps)
                if not len(left.ranks):
                    break  # a bracket is made when a rank is asked for
                step += left.first  # nothing is followed up to there
                self._make(line[: begin + step], int(left.ranks[0]))
            stop = min(steps, step + self._reach)
            here, places = asked.between(step, stop)
            step = self._taken(line, begin, step, stop, here, found[:, places])
        return found

    def now(self, line: Keys, rank: int) -> Any:
        """Return the value of a rank in the window at the end of a line; no step is taken."""
        bracket = self._bracket
        if bracket is None or not bracket.below <= rank < bracket.upto:
            bracket = self._make(line, rank)
        place = min(max(0, rank - bracket.through + 1), bracket.inner + 1)
        return line.dtype.type(bracket.held[place])

    def _taken(
        self, line: Keys, begin: int, step: int, stop: int, asked: Questions, found: Keys
    ) -> int:
        """Take the steps up to one, or until the bracket is left; return the next step."""
        bracket: Any = self._bracket
        new, left = line[begin + step : begin + stop], begin + step - self._length
        old = line[left : left + len(new)] if left >= 0 else None
        done, met = follow(bracket, new, old, asked, found)
        self._met += met * (1 + bracket.inner // LONG)
        if done < len(asked.ranks):
            self._bracket, self._reach = None, max(LEAST, self._reach // 4)
            return step + asked.first + done * asked.every
        if self._met > 2 * self._costs():
            self._bracket = None
        self._reach = min(2 * self._reach, MOST)
        return stop

    def _costs(self) -> int:
        """Return about how many events of a short list cost as much as making a bracket."""
        return 256 + self._length // 256 + self._half // 16

    def _make(self, line: Keys, rank: int) -> Bracket:
        """Make a bracket around a rank of the window at the end of a line."""
        window = line[max(0, len(line) - self._length) :]
        if 2 * self._met < self._costs():
            self._half = min(2 * self._half, max(WIDE, self._length // 16))
        elif self._met > 2 * self._costs():
            self._half = max(NARROWEST, self._half // 2)
        self._met, self._bracket = 0, Bracket.around(window, max(0, rank), self._half)
        return self._bracket


class RollingRanks:
    """Follows several ranks, each by itself."""

    def __init__(self, length: int, count: int) -> None:
        self._each = [RollingRank(length) for _ in range(count)]

    def after(self, line: Keys, begin: int, asked: Sequence[Questions]) -> Keys:
        """Return what `RollingRank.after` does for each rank: two rows of a row for each."""
        pairs = zip(self._each, asked, strict=True)
        found = [rank.after(line, begin, questions) for rank, questions in pairs]
        return np.stack(found, axis=1) if found else np.empty((2, 0, 0), line.dtype)

    def now(self, line: Keys, ranks: Sequence[int]) -> list[Any]:
        """Return the values of ranks in the window at the end of a line; no step is taken."""
        return [each.now(line, rank) for each, rank in zip(self._each, ranks, strict=True)]
