"""What sliding summaries share: holding a stream's last values, and answering for n of them."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NoReturn, Self, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, NotMergeable
from shadersort.keys.types import Keys
from shadersort.shown import Row, Shown
from shadersort.streams.buffer import Buffer
from shadersort.streams.locked import SummaryLock
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedLevels
from shadersort.streams.sliding.arasu_manku_levels import WindowLevels
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import checked_length
from shadersort.streams.windowed import WindowedSummary

ANSWERS = 16
"""Lengths n for which an answer is cached."""


class SlidingSummary(WindowedSummary):
    """A summary of the last values of a stream; answers for any number of them up to `window`.

    A subclass says which levels of blocks it has (`LEVELS`, `_no_blocks`), how new blocks are made
    (`_sorted_blocks`), and how blocks become an answer (`_combined`).
    """

    LEVELS: type[WindowLevels]
    PRINTED: type[PrintedLevels] = PrintedLevels
    ONE_ZERO = False
    """Whether the newest values are kept with 0.0 for −0.0."""
    _blocks: Any

    def __init__(
        self,
        epsilon: SupportsFloat,
        window: SupportsIndex,
        *,
        shortest: SupportsIndex = 1,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, sorter=sorter, as_printed=as_printed)
        self._length = checked_length(window, "window")
        self._shortest = self._checked_shortest(shortest)
        levels = self.PRINTED if as_printed else self.LEVELS
        self._begin(levels.chosen(self._epsilon, self._length, self._shortest))

    def _checked_shortest(self, shortest: SupportsIndex) -> int:
        """Return the shortest length with an error of its own, or raise BadOption."""
        checked = checked_length(shortest, "shortest")
        if checked > self._length:
            raise BadOption(
                f"shortest={shortest} is longer than the window of {self._length} values"
            )
        if self.as_printed and checked not in (1, self._length):
            raise BadOption(
                "as printed, the error is for windows of one length: leave out shortest"
            )
        return self._length if self.as_printed else checked

    def _begin(self, levels: Any) -> None:
        """Hold nothing, on these levels."""
        self._levels = levels
        self._hold_nothing(self._buffer.array.dtype)

    def _hold_nothing(self, dtype: np.dtype[Any]) -> None:
        self._recent = Buffer(np.empty(0, dtype), most=self._levels.recent)
        self._newest: Any = None
        self._blocks = self._no_blocks(dtype)

    @abstractmethod
    def _no_blocks(self, dtype: np.dtype[Any]) -> Any:
        """Return `WindowBlocks` without a block."""

    @abstractmethod
    def _sorted_blocks(self, windows: Any, blocks: Any) -> list[Any]:
        """Return the new blocks of all levels that are sorted, as a stack for each level.

        `blocks` are those before.
        """

    @abstractmethod
    def _combined(self, cover: list[tuple[int, int]], newest: Keys, uncovered: int) -> Any:
        """Return the answers for blocks, by levels and numbers, with the newest values."""

    @property
    def window(self) -> int:
        """The most values that a question may be about."""
        return self._length

    @property
    def _window(self) -> int:
        batch: int = self._levels.batch
        return batch

    @property
    def _part(self) -> int:
        """As many keys as the sorter takes: of each part only the end is kept, on every level."""
        return self._window * max(1, self.sorter.batch // self._window)

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            self._hold_nothing(dtype)
        super()._adopt(dtype)

    def _absorb(self, windows: Any) -> None:
        if self._levels.count:
            self._blocks = self._blocks_with(windows)
        if self._levels.recent:
            newest = windows.reshape(-1)[-self._levels.recent :]
            if len(newest) < self._levels.recent:
                self._take_in_newest()
            self._newest = self.sorter.set_aside(newest, self.ONE_ZERO)

    def _take_in_newest(self) -> None:
        """Bring the newest values to the host, where they follow those that are there."""
        if self._newest is not None:
            self._recent = self._recent.append(self.sorter.on_host(self._newest))
            self._newest = None

    def _settle(self) -> None:
        self._take_in_newest()

    def _blocks_with(self, windows: Any) -> Any:
        """Return the blocks with windows added."""
        if not self.as_printed:
            blocks = self._blocks.drop_before(windows.size)
            skipped = (blocks.position - self._blocks.position) // self._window
            stacks = self._sorted_blocks(windows[skipped:], blocks)
            return blocks.with_sorted(stacks, self._timed)
        self._take_in_newest()
        values = self.sorter.on_host(windows.reshape(-1))
        return self._blocks.with_values(self._recent.values, values, self.sorter, self._timed)

    def _answer_for(self, n: int) -> Any:
        """Return the answers for the last n values, or for all if there are fewer; cached."""
        answers, n = self._known(), min(n, self._n)
        if n not in answers:
            if len(answers) >= ANSWERS:
                answers.clear()
            answers[n] = self._new_answer(n)
        return answers[n]

    def _new_answer(self, n: int) -> Any:
        newest, levels = self._waiting(), self._levels
        if n <= len(self._recent) + len(newest):
            return self._combined([], np.concatenate([self._recent.values, newest])[-n:], 0)
        first, position = self._n - n, self._blocks.position
        smallest = levels.level_for(n)
        size = levels.size(smallest)
        start = min(-(-first // size) * size, position)
        cover = list(levels.cover(start, position, smallest))
        return self._combined(cover, newest, start - first)

    def merge(self, other: Self) -> NoReturn:
        """Raise NotMergeable: the order of the values of two streams is not known."""
        raise NotMergeable("sliding summaries are of the end of one stream, and do not merge")

    def _merge_state(self, other: Self) -> NoReturn:
        self.merge(other)

    def _asked(self, n: SupportsIndex) -> int:
        """Return a number of last values, or raise BadOption."""
        count = checked_length(n, "n")
        if count > self._length:
            raise BadOption(f"the last {count:,} values were asked for; {self._length:,} are held")
        return count

    def _entries(self) -> int:
        return int(self._blocks.entries) + len(self._recent)

    def _parameters(self) -> dict[str, Any]:
        lengths = {"window": self._length, "shortest": self._shortest}
        return {**super()._parameters(), **lengths}

    def _arrays(self) -> dict[str, Keys]:
        if self._dtype is None:
            return {}
        return {**super()._arrays(), "recent": self._recent.values, **self._blocks.arrays()}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        position = self._n - self._filled
        if position < 0 or position % self._window:
            raise CorruptSummary("its windows do not hold as many values as it has seen")
        if self._dtype is None:
            return
        recent = arrays["recent"]
        if len(recent) != min(position, self._levels.recent) or recent.dtype != self._dtype:
            raise CorruptSummary("it has not the newest values that it should have")
        if np.isnan(recent).any():
            raise CorruptSummary("there is a NaN among the newest values")
        self._recent = self._recent.append(recent.copy())
        self._blocks = self._blocks.restored(arrays, self._dtype, position)


class LastOf(Shown):
    """The last n values of a stream at the time of a question, of a sliding summary."""

    def __init__(self, summary: Any, n: int) -> None:
        self._summary, self._asked = summary, n

    @property
    def _lock(self) -> SummaryLock:
        """The lock of the summary."""
        lock: SummaryLock = self._summary._lock
        return lock

    _highlights: Callable[[], list[tuple[str, object]]]

    def _told(self) -> str:
        return f"the last {self.n:,} of {self._summary.n:,} values"

    def _rows(self) -> list[Row]:
        with self._lock:  # one state gives all answers
            answers = self._highlights() if self.n else []
            return [("epsilon", self.epsilon), ("values", self.n), *answers]

    @property
    def n(self) -> int:
        """How many values it answers for: fewer than asked if the stream has fewer."""
        return min(self._asked, int(self._summary.n))

    @property
    def epsilon(self) -> float:
        """The error bound."""
        return float(self._summary.epsilon)


class LastNumbers(LastOf):
    """The last n values of a stream of numbers."""

    @property
    def as_printed(self) -> bool:
        """Whether the summary does what the paper of 2005 prints."""
        return bool(self._summary.as_printed)

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values."""
        dtype: np.dtype[Any] | None = self._summary.dtype
        return dtype
