"""Which values of a stream are in its window: the last ones, or those of the last seconds.

**A window by time** has to know how many values came before it. Datar, Gionis, Indyk and Motwani
2002 ("Maintaining stream statistics over sliding windows") count the ones of a window in buckets
that are larger the older they are. So here: the stream is cut into cells, and the times of their
first values are kept. A cell may have as many values as a share of those after it. The first values
of the cells before the window are too old, so the window begins at the second value of the last of
them at the earliest, and with the next cell at the latest. So less than the share of the values in
any window is uncertain.

A cell of 2ᵏ values begins at a multiple of 2ᵏ, so it consists of two of 2ᵏ⁻¹, and how many values
there are says which cells there are. About log₂(share·n)/share times are kept of n values.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import repeat
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, TooManyKeys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.buffer import Buffer
from shadersort.streams.values import check_length

Doubles = npt.NDArray[np.float64]
LIMIT = 10**9  # the most values in a window by time, unless a user says another number
FEW = 1024  # up to this many new values are cells of their own at first; cells are made anew later


@dataclass(frozen=True, eq=False)
class Window:
    """The last values of a stream, or those of the last seconds; it is replaced, never changed."""

    most: int  # values
    seconds: float | None = None  # the window has the times after now − seconds; None for all
    expired: int = 0  # values before this position were taken out
    share: float = 0.0  # of the values after a cell: it may have so many
    shortest: int = 1  # so many values after a cell count in any case
    now: float = -np.inf
    times: Buffer = Buffer(np.empty(0))  # noqa: RUF009  # of the first values of cells
    positions: Buffer = Buffer(np.empty(0, np.int64))  # noqa: RUF009  # of the same values
    enough: int = FEW  # cells are made anew when there are more

    @classmethod
    def parse(cls, window: Any, limit: Any) -> "Window":
        """Return the window that a user asked for, or raise BadOption."""
        if isinstance(window, np.timedelta64):
            window = window / np.timedelta64(1, "s")
        elif isinstance(window, timedelta):
            window = window.total_seconds()
        if isinstance(window, float | np.floating):
            if not 0 < window < np.inf:
                raise BadOption(f"window is a number of values, or of seconds, not {window!r}")
            return cls(check_length(LIMIT if limit is None else limit, "limit"), float(window))
        if limit is not None:
            raise BadOption("limit is for windows by time; others have at most `window` values")
        return cls(check_length(window, "window"))

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that asked for it."""
        timed = {"window": self.seconds, "limit": self.most}
        return timed if self.seconds else {"window": self.most}

    def count(self, n: int) -> int:
        """Return how many of n values are in the window, at least."""
        return n - self._begin(n)

    def _begin(self, n: int) -> int:
        """Return how many of n values came before the window, at most."""
        if self.seconds is None:
            return max(self.expired, n - self.most)
        left = self.positions.values[self._count_old() :]
        return int(left[0]) if len(left) else n

    def _count_old(self) -> int:
        """Return how many of the times are too old."""
        return int(self.times.values.searchsorted(self.now - (self.seconds or 0), "right"))

    def before(self, n: int) -> tuple[int, int]:
        """Return how many of n values came before the window, after `thin`: at least, at most."""
        most = self._begin(n)
        if self.seconds is None or not most:
            return most, most
        longest = self.share * max(self.shortest, n - most)  # the cell that ends there has less + 2
        cells = self._cells(n, max(0, most - 2 - int(longest)))
        return int(cells[cells.searchsorted(most) - 1]) + 1, most

    def expire(self, count: int, n: int) -> "Window":
        """Return the window without its oldest values, after n values; or raise BadOption."""
        if self.seconds is not None:
            raise BadOption("values leave a window by time by their times: update([], times=now)")
        if not 0 <= count <= self.count(n):
            raise BadOption(f"{count:,} of {self.count(n):,} values cannot leave the window")
        return replace(self, expired=self._begin(n) + count)

    def pairs(self, values: Any, times: Any) -> Iterator[tuple[Any, Any]]:
        """Return arrays of values with their times, or raise BadOption."""
        if self.seconds is None:
            raise BadOption("values of window=, an integer, have no times: 60.0 is seconds")
        if times is None:
            raise BadOption(f"a window of {self.seconds} seconds takes update(values, times=...)")
        if not isinstance(values, Iterator):
            return iter([(values, times)])
        several = isinstance(times, Iterator)
        return zip(values, times if several else repeat(times), strict=several)

    def append(self, times: Doubles, now: float, before: int, n: int) -> "Window":
        """Return the window with the times of values, or one of all, that came after others.

        Raises TooManyKeys if there are more values in the window than it may have.
        """
        new = np.arange(before, n) if n - before <= FEW else self._cells(n, before)
        seconds = np.broadcast_to(times, n - before)[new - before]
        kept = self.times.append(seconds), self.positions.append(new)
        window = replace(self, times=kept[0], positions=kept[1], now=now)
        if len(window.times) > self.enough:
            window = window.thin(n)
        if (count := window.count(n)) > self.most:
            raise TooManyKeys(f"{count:,} values are in the window, and limit={self.most:,}")
        return window

    def _cells(self, n: int, first: int) -> Integers:
        """Return where the cells of n values begin, from a position on."""
        end, size, cells = n, 1, [np.arange(0)]
        while end > first:  # here ends the last cell of so many values or more
            double = 2 * size
            after = 1 if double <= self.share * self.shortest else ceil(double / self.share)
            begin = max(0, (n - after) // double * double)
            cells.append(np.arange(begin, end, size))
            end, size = begin, double
        found = np.concatenate(cells[::-1])
        return found[found.searchsorted(first) :]

    def thin(self, n: int) -> "Window":
        """Return the window with the times of its cells only, after n values."""
        if self.seconds is None:
            return self
        old = self._count_old()
        times, positions = self.times.values[old:], self.positions.values[old:]
        cells = self._cells(n, positions[0] if len(positions) else n)
        return self._hold(times[positions.searchsorted(cells)], cells)

    def _hold(self, times: Doubles, cells: Integers) -> "Window":
        kept = Buffer(times, len(times)), Buffer(cells, len(cells))
        return replace(self, times=kept[0], positions=kept[1], enough=2 * len(cells) + FEW)

    def arrays(self, n: int) -> dict[str, Keys]:
        """Return the state after n values as flat arrays by name."""
        if self.seconds is None:
            taken = self.expired > max(0, n - self.most)
            return {"expired": np.array([self.expired], np.int64)} if taken else {}
        return {"now": np.array([self.now]), "times": self.thin(n).times.values}

    def restore(self, arrays: Mapping[str, Keys], n: int) -> "Window":
        """Return the window that gave arrays after n values, or raise CorruptSummary."""
        if self.seconds is None:
            return replace(self, expired=int(arrays["expired"][0]) if "expired" in arrays else 0)
        (now,), times = arrays["now"], arrays["times"].astype(np.float64, copy=False)
        cells = self._cells(n, max(0, n - self.most))
        in_order = now < np.inf and np.all(times <= np.append(times[1:], now))
        if not in_order or len(times) > len(cells):
            raise CorruptSummary("its times are not those of such a stream")
        window = self._hold(times, cells[len(cells) - len(times) :])
        return replace(window, now=float(now))


def as_seconds(times: Any, count: int, now: float) -> Doubles:
    """Return the time of each of `count` values, or of all, in seconds, or raise BadOption."""
    array = np.asarray(times.get() if hasattr(times, "__cuda_array_interface__") else times)
    if array.dtype.kind == "O" and all(isinstance(each, datetime) for each in array.flat):
        aware = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in array.flat)
        array = np.reshape([each.timestamp() for each in aware], array.shape)
    if array.dtype.kind == "M":
        array = (array - np.datetime64(0, "s")) / np.timedelta64(1, "s")
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise BadOption(f"times are numbers of seconds or datetimes, not {times!r}")
    if array.shape not in ((), (count,)):
        raise BadOption(f"{count:,} values have one time, or one each, not {array.shape}")
    seconds = array.astype(np.float64)
    if np.any(np.diff(np.append(now, seconds)) < 0):
        raise BadOption("times go backwards: the newest values come last, also in later updates")
    return seconds
