"""What sliding summaries share: holding a stream's last values, and answering for n of them.

`windows.py` says which values are in the window. The blocks of `arasu_manku_levels.py` know nothing
of it: they answer for the last n values, with any n.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from operator import index
from typing import Any, NoReturn, Self, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, EmptyInput, NotMergeable
from shadersort.keys.types import Keys
from shadersort.shown import Row, Shown
from shadersort.streams.buffer import Buffer
from shadersort.streams.locked import SummaryLock, locked, undo_on_error
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedLevels
from shadersort.streams.sliding.arasu_manku_levels import WindowBlocks, WindowLevels
from shadersort.streams.sliding.blocks_as_printed import PrintedBlocks
from shadersort.streams.sliding.windows import Window, as_seconds
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import check_length, plain_zeros
from shadersort.streams.windowed import WindowedSummary

ANSWERS = 16  # lengths n for which an answer is cached
UNCERTAIN = 1 / 8
"""The part of ε for the unknown beginning of a window by time, paid twice: once for values that may
be in the window or not, once for the unknown n. Blocks have the rest of ε."""


class SlidingSummary(WindowedSummary):
    """A summary of the last values of a stream: a subclass says which blocks and answers it has."""

    LEVELS: type[WindowLevels]
    BLOCKS: type[WindowBlocks[Any, Any]]
    PRINTED: tuple[type[PrintedLevels], type[PrintedBlocks[Any]]]
    ONE_ZERO = False  # whether the newest values are kept with 0.0 for −0.0

    def __init__(
        self,
        epsilon: SupportsFloat,
        window: SupportsIndex | float | timedelta | np.timedelta64,
        *,
        shortest: SupportsIndex = 1,
        limit: SupportsIndex | None = None,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, sorter=sorter, as_printed=as_printed)
        self._extent, error = Window.parse(window, limit), self._epsilon
        self._length = self._extent.most
        self._shortest = check_length(shortest, "shortest")
        if self._shortest > self._length:
            raise BadOption(f"shortest={shortest} is longer than the window of {self._length}")
        if as_printed and self._shortest not in (1, self._length):
            raise BadOption("as printed, the error is for windows of one length, not shortest")
        if self._extent.seconds is not None:
            if as_printed:
                raise BadOption("as printed, a window has a number of values, and not of seconds")
            share, error = UNCERTAIN * error, (1 - 2 * UNCERTAIN) * error
            self._extent = replace(self._extent, share=share, shortest=self._shortest)
        if as_printed:
            self._shortest = self._length
        levels = self.PRINTED[0] if as_printed else self.LEVELS
        self._begin(levels.chosen(error, self._length, self._shortest))

    def _begin(self, levels: Any) -> None:
        """Hold nothing, on these levels."""
        dtype = self._buffer.array.dtype
        self._levels, self._newest = levels, None
        self._recent = Buffer(np.empty(0, dtype), most=levels.recent)
        kind = self.PRINTED[1] if self.as_printed else self.BLOCKS
        self._blocks: Any = kind.empty(levels, dtype)

    @abstractmethod
    def _combine(
        self, cover: list[tuple[int, int]], newest: Keys, uncovered: int, unsure: int
    ) -> Any:
        """Return the answers for blocks, by levels and numbers, and the newest values.

        `uncovered` more values are unknown, and whether up to `unsure` others belong to these.
        """

    @property
    def window(self) -> int:
        """The most values that a question may be about; of a window by time, its limit."""
        return self._length

    @property
    @locked
    def window_count(self) -> int:
        """How many values are in the window; by time, at least, and at most a share of ε/8 more."""
        return self._extent.count(self._n)

    def update(self, values: Any, weights: Any = None, *, times: Any = None) -> Self:
        """Take in values as `QuantileSummary.update` does, without weights; return this summary.

        Only the order of values and their times matter, not how updates split them. Raises also
        BadOption, for times that go backwards, are not as many as the values, or are for no such
        window; and TooManyKeys if more than `limit` values are in the window.

        Parameters
        ----------
        values
            A number, a flat array, or an iterator of arrays; none, to let time go on:
            `update([], times=now)`.
        times
            For a window by time: the time of all values, or one for each, in ascending order; an
            iterator of arrays takes an iterator of times, or one time. Numbers of seconds, objects
            of `datetime` (in UTC, if they name no time zone) or of `np.datetime64`; they are held
            as seconds in float64.
        """
        if times is None and self._extent.seconds is None:
            return WindowedSummary.update(self, values, weights)  # faster than by super()
        with self._lock.rlock, undo_on_error(self):
            for piece, when in self._extent.pairs(values, times):
                n, nans = self._n, self._nans
                super().update(piece, weights)
                self._take_times(piece, when, n, self._nans - nans)
        return self

    def _take_times(self, values: Any, times: Any, before: int, nans: int) -> None:
        """Take in the times of values, of which some are NaNs, after those that came before."""
        seconds = as_seconds(times, self._n - before + nans, self._extent.now)
        now = float(np.max(seconds, initial=self._extent.now))
        if nans and seconds.ndim:
            keys = self.sorter.to_host(self._accept(values))
            seconds = seconds[keys == keys]
        self._extent = self._extent.append(seconds, now, before, self._n)
        self._answers = None

    @locked
    def expire(self, count: SupportsIndex) -> Self:
        """Let the oldest `count` values that are in the window leave it; return this summary.

        Then it answers for the others, and for values that come later. NaNs were never in the
        window. Raises BadOption if there are fewer values, or if they leave by their times.

        Examples
        --------
        >>> from shadersort.streams import SlidingQuantiles
        >>> sliding = SlidingQuantiles(0.1, window=100).update([7, 1, 2, 3]).expire(1)
        >>> sliding.window_count, sliding.maximum.item()
        (3, 3)
        """
        if isinstance(count, bool) or not hasattr(count, "__index__"):
            raise BadOption(f"count is a number of values, not {count!r}")
        self._extent = self._extent.expire(index(count), self._n)
        self._answers = None
        return self

    @property
    def _window(self) -> int:
        return int(self._levels.batch)

    def _stage(self, keys: Any) -> Any:  # in large parts: only the end of each is kept on a level
        window = self._window
        return self.sorter.stage_parts(
            keys, -self._filled % window, window * max(1, self.sorter.batch // window)
        )

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            super()._adopt(dtype)
            self._begin(self._levels)

    def _absorb(self, windows: Any) -> None:
        if self._levels.count:
            blocks, sorter = self._blocks, self.sorter
            self._blocks = blocks.with_windows(windows, self._newest_values, sorter, self._timed)
        if self._levels.recent:
            newest = windows.reshape(-1)[-self._levels.recent :]
            if len(newest) < self._levels.recent:
                self._newest_values()
            self._newest = self.sorter.copy_keys(newest)

    def _newest_values(self) -> Keys:
        """Return the newest sorted values, and bring those to the host that are elsewhere."""
        if self._newest is not None:
            newest, self._newest = self.sorter.to_host(self._newest), None
            self._recent = self._recent.append(plain_zeros(newest) if self.ONE_ZERO else newest)
        return self._recent.values

    def _settle(self) -> None:
        self._newest_values()

    def _check_seen(self) -> None:
        super()._check_seen()
        if not self.window_count:
            raise EmptyInput(f"all values have left the window of this {type(self).__name__}")

    def _new_answers(self) -> dict[tuple[int, int], Any]:
        self._extent = self._extent.thin(self._n)
        return {}

    def _answer(self, n: int | None = None) -> Any:
        """Return the answers for the last n values, or for all if there are fewer; cached."""
        answers, oldest = self._cached_answers(), self._n - (n or self._length)
        least, most = (max(before, oldest) for before in self._extent.before(self._n))
        if (least, most) not in answers:
            if len(answers) >= ANSWERS:
                answers.clear()
            answers[least, most] = self._new_answer(most, most - least)
        return answers[least, most]

    def _new_answer(self, first: int, unsure: int) -> Any:
        """Return the answers for the values from a position on; some before may belong to them."""
        newest, levels, n = self._waiting(), self._levels, self._n - first
        if n <= len(self._recent) + len(newest):
            values = np.concatenate([self._recent.values, newest])[-n:]
            return self._combine([], values, 0, unsure)
        position, smallest = self._blocks.position, levels.level_for(n)
        size = levels.size(smallest)
        start = min(-(-first // size) * size, position)
        cover = list(levels.cover(start, position, smallest))
        return self._combine(cover, newest, start - first, unsure)

    def merge(self, other: Self) -> NoReturn:
        """Raise NotMergeable: the order of the values of two streams is not known."""
        raise NotMergeable("sliding summaries are of the end of one stream, and do not merge")

    _merge_state = merge

    def _entries(self) -> int:
        return int(self._blocks.entries) + len(self._recent) + len(self._extent.thin(self._n).times)

    def _parameters(self) -> dict[str, Any]:
        return {**super()._parameters(), **self._extent.parameters, "shortest": self._shortest}

    def _arrays(self) -> dict[str, Keys]:
        window = self._extent.arrays(self._n)
        if self._dtype is None:
            return window
        blocks = self._blocks.arrays()
        return {**super()._arrays(), "recent": self._recent.values, **blocks, **window}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        position = self._n - self._filled
        if position < 0 or position % self._window:
            raise CorruptSummary("its windows do not hold as many values as it has seen")
        if self._dtype is not None:
            recent = arrays["recent"]
            count = min(position, self._levels.recent)
            if len(recent) != count or recent.dtype != self._dtype or (recent != recent).any():
                raise CorruptSummary("its newest values are not those of such a summary")
            self._recent = self._recent.append(recent.copy())
            self._blocks = self._blocks.restore(arrays, self._dtype, position)
        self._extent = self._extent.restore(arrays, self._n)
        if not 0 <= self.window_count <= self._length:
            raise CorruptSummary("its window has more values than it can have")


class LastOf(Shown):
    """The last n values of a sliding summary, at the time of each question."""

    _highlights: Callable[[], list[tuple[str, object]]]

    def __init__(self, summary: Any, n: SupportsIndex) -> None:
        self._summary, self._asked = summary, check_length(n, "n")
        if self._asked > summary.window:
            raise BadOption(f"n={n} is more than the {summary.window:,} values of the window")
        self._lock: SummaryLock = summary._lock  # one state gives all answers of a table
        self.epsilon: float = summary.epsilon
        self.as_printed: bool = summary.as_printed

    def _answer(self) -> Any:
        return self._summary._answer(self._asked)

    def _told(self) -> str:
        return f"the last {self.n:,} of {self._summary.n:,} values"

    def _rows(self) -> list[Row]:
        with self._lock.rlock:
            answers = self._highlights() if self.n else []
            return [("epsilon", self.epsilon), ("values", self.n), *answers]

    @property
    def n(self) -> int:
        """How many values it answers for: fewer than asked if the window has fewer."""
        return min(self._asked, int(self._summary.window_count))

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values."""
        dtype: np.dtype[Any] | None = self._summary.dtype
        return dtype
