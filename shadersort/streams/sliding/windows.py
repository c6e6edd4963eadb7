"""Which values of a stream are in its window: the last ones, or those of the last seconds.

**A window by time** has to know how many values came before it. The values of one time are a group.
To forget most of the times, neighbouring groups become one, which knows its first and its last time
only. If a window begins inside such a group, all but the first and the last value of it may be in
the window or not. Datar, Gionis, Indyk and Motwani 2002 ("Maintaining stream statistics over
sliding windows") let blocks of ones grow with their age; here groups become one if they lie in the
same cell. Cells are parts of the stream of 2, 4, 8, … values that begin at multiples of their size.
A cell is ripe if its size is at most a share of the number of values after it. So less than this
share of the values in any window is uncertain, and of n values about (2/share)·log₂(share·n)
groups are left, besides large groups of one time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.streams.buffer import Buffer
from shadersort.streams.values import checked_length

Doubles = npt.NDArray[np.float64]
FIELDS = ("first", "last", "start")
GROUP = np.dtype(list(zip(FIELDS, (np.float64, np.float64, np.int64), strict=True)))
"""The first and the last time of a group, and how many values came before it."""
LIMIT = 10**9
"""The most values in a window by time, unless a user says another number."""
CROWD = 64
"""Groups are thinned once there are twice as many as after the last time, and so many more."""


@dataclass(frozen=True, eq=False)
class Window:
    """The last values of a stream, or those of the last seconds; it is replaced, never changed."""

    most: int  # values
    seconds: float | None = None  # the window has the times after now − seconds; None for all
    expired: int = 0  # values before this position were taken out
    share: float = 0.0  # of the values after a cell; it is ripe if it is not larger
    shortest: int = 1  # so many values after a cell count in any case
    now: float = -np.inf
    groups: Buffer = Buffer(np.empty(0, GROUP))  # noqa: RUF009  # never changed in place
    thin: int = 0  # groups after the last thinning

    @classmethod
    def of(cls, window: Any, limit: Any) -> "Window":
        """Return the window that a user asked for, or raise BadOption."""
        if isinstance(window, np.timedelta64):
            window = window / np.timedelta64(1, "s")
        elif isinstance(window, timedelta):
            window = window.total_seconds()
        if not isinstance(window, float | np.floating):
            if limit is not None:
                raise BadOption("limit is for windows by time; others have at most `window` values")
            return cls(checked_length(window, "window"))
        if not 0 < window < np.inf:
            raise BadOption(f"window is a number of values, or of seconds above 0, not {window!r}")
        return cls(checked_length(LIMIT if limit is None else limit, "limit"), float(window))

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that asked for it."""
        if self.seconds is None:
            return {"window": self.most}
        return {"window": self.seconds, "limit": self.most}

    def before(self, n: int) -> tuple[int, int]:
        """Return how many of n values came before the window: at least, and at most."""
        if self.seconds is None:
            return (max(self.expired, n - self.most),) * 2
        groups, edge = self.groups.values, self.now - self.seconds
        at = int(groups["last"].searchsorted(edge, "right"))
        if at == len(groups):
            return n, n
        start = int(groups["start"][at])
        if groups["first"][at] > edge:
            return start, start
        return start + 1, int(groups["start"][at + 1]) - 1  # its last value is in the window

    def expire(self, count: int, n: int) -> "Window":
        """Return the window without its oldest values, after n values; or raise BadOption."""
        if self.seconds is not None:
            raise BadOption("values leave a window by time by their times: update([], times=now)")
        before = self.before(n)[0]
        if not 0 <= count <= n - before:
            raise BadOption(f"{count:,} of {n - before:,} values cannot leave the window")
        return replace(self, expired=before + count)

    def pairs(self, values: Any, times: Any) -> Iterator[tuple[Any, Any]]:
        """Return arrays of values with their times, or raise BadOption."""
        if self.seconds is None:
            raise BadOption(
                "window= is an integer, so values have no times: window=60.0 is seconds"
            )
        if times is None:
            raise BadOption(
                f"a window of {self.seconds} seconds takes update(values, times=...); for a number "
                "of values give window= an integer"
            )
        if not isinstance(values, Iterator):
            return iter([(values, times)])
        several = isinstance(times, Iterator)
        return zip(values, times if several else repeat(times), strict=several)

    def append(self, times: Doubles, now: float, before: int, n: int) -> "Window":
        """Return the window with the times of values, or one of all, that came after others.

        Raises TooManyKeys if there are more values in the window than it may have.
        """
        groups = self.groups
        newest = groups.values["last"][-1:] if len(groups) else [-np.inf]
        begins = np.flatnonzero(times != np.concatenate([newest, times[:-1]]))
        if n > before and len(begins):
            new = np.empty(len(begins), GROUP)
            new["first"] = new["last"] = times[begins]
            new["start"] = before + begins
            groups = groups.append(new)
        window = replace(self, groups=groups, now=now)
        if len(groups) > 2 * self.thin + CROWD:
            window = window.thinned(n)
        if (count := n - window.before(n)[1]) > self.most:
            raise TooManyKeys(
                f"{count:,} values came within {self.seconds} seconds, and limit={self.most:,}"
            )
        return window

    def thinned(self, n: int) -> "Window":
        """Return the window without times that are not needed any more, after n values."""
        if self.seconds is None:
            return self
        groups, size = self.groups.values, 1
        groups = groups[groups["last"].searchsorted(self.now - self.seconds, "right") :].copy()
        while len(groups) and 2 * size <= self.share * max(n, self.shortest):
            size *= 2
            starts = groups["start"]
            cells = (starts // size + 1) * size  # their ends
            after = np.maximum(n - cells, self.shortest)
            ripe = (np.append(starts[1:], n) <= cells) & (cells < n) & (size <= self.share * after)
            begins = np.ones(len(groups), np.bool_)
            begins[1:] = ~(ripe[1:] & ripe[:-1] & (cells[1:] == cells[:-1]))
            lasts = groups["last"][np.append(begins[1:], True)]
            groups = groups[begins]
            groups["last"] = lasts
        return replace(self, groups=Buffer(groups, len(groups)), thin=len(groups))

    def arrays(self, n: int) -> dict[str, Keys]:
        """Return the state after n values as flat arrays by name."""
        if self.seconds is None:
            taken = self.expired > max(0, n - self.most)
            return {"expired": np.array([self.expired], np.int64)} if taken else {}
        groups = self.thinned(n).groups.values
        return {"now": np.array([self.now]), **{name: groups[name] for name in FIELDS}}

    def restored(self, arrays: Mapping[str, Keys], n: int) -> "Window":
        """Return the window that gave arrays after n values, or raise CorruptSummary."""
        if self.seconds is None:
            return replace(self, expired=int(arrays["expired"][0]) if "expired" in arrays else 0)
        (now,), first, last, start = (arrays[name] for name in ("now", *FIELDS))
        groups = np.empty(len(start), GROUP)
        groups["first"], groups["last"], groups["start"] = first, last, start
        if not (
            now < np.inf
            and np.all(first[1:] > last[:-1])
            and np.all(np.diff(start, append=n) > (last > first))
            and np.all((start >= 0) & (first <= last) & (last <= now))
            and np.all(first[-1:] == last[-1:])
        ):
            raise CorruptSummary("the times contradict each other")
        return replace(self, now=float(now), groups=Buffer(groups, len(groups)))


def as_seconds(times: Any, count: int, now: float) -> Doubles:
    """Return the times of so many values, or the one time of all, in seconds, or raise BadOption.

    Examples
    --------
    >>> as_seconds([datetime(1970, 1, 1, 0, 1), datetime(1970, 1, 1, 0, 2)], 2, 0.0)
    array([ 60., 120.])
    """
    array: npt.NDArray[Any] = np.asarray(
        times.get() if hasattr(times, "__cuda_array_interface__") else times
    )
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
