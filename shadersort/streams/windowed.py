"""Summaries that take their stream window by window: buffering, NaNs, merging.

A new summary derives from `WindowedSummary`, and says

- `window`: how many values fill a window;
- `_absorb(windows)`: what full windows, an array of shape (count, window) without NaNs, add to its
  state; it asks `self.sorter` for `ranked` values or `histograms` of them;
- `_merge_state(other)`: what the state of a summary made alike adds to its own;
- `_parameters()`: the arguments that it was made with, but for `sorter`; `cls(**parameters)`
  makes an empty one alike;
- `_arrays()` and `_restore(arrays)`: its state as flat arrays by name, and back. `_restore` raises
  CorruptSummary unless the arrays can be such a state;
- `_entries()`: how many entries its state holds;
- `_settle()`, if its state may be where the sorter is while a stream is taken.

Two rules keep failures harmless. State is replaced, never changed in place: so an update that fails
is undone by going back to the attributes from before. And the result must not depend on how a
stream is cut into updates: only on which value is the how-manieth.
"""

from abc import abstractmethod
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, NaNRefused, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.sorters.host import NumPySorter, Sorter
from shadersort.streams.summary import Arrays, Summary
from shadersort.streams.values import number_type, pieces, plain_zeros

__all__ = ["WindowedSummary"]


SMALLEST_BUFFER = 64
"""Values that the buffer of a window that fills up slowly begins with."""


class WindowedSummary(Summary):
    """A summary that takes its stream window by window.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    dtype
        The type of the values; None takes that of the first. Later values of other types are
        converted if that changes none of them, and refused otherwise.
    nan
        "omit" counts NaNs, in `nans`, and leaves them out; "raise" refuses them.
    sorter
        What sorts the windows; `NumPySorter()` by default.
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        nan: str = "omit",
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon)
        if nan not in ("omit", "raise"):
            raise BadOption(f"nan is 'omit' or 'raise', not {nan!r}")
        self._nan = nan
        self._asked_dtype = self._dtype = None if dtype is None else number_type(dtype)
        self.sorter: Sorter = NumPySorter() if sorter is None else sorter
        self._buffer: Keys = np.empty(0, self._dtype or np.float64)
        self._filled = 0

    @property
    @abstractmethod
    def window(self) -> int:
        """How many values fill a window."""

    @property
    def _window(self) -> int:
        """How many values are sorted as one; sliding summaries mean something else by `window`."""
        return self.window

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None as long as there are none."""
        return self._dtype

    def update(self, values: Any) -> None:
        """Take values into the summary: a number, a flat array, or an iterator of arrays.

        How a stream is cut into updates makes no difference. If anything fails, be it the tenth
        array of an iterator, the summary is as it was before.

        Raises
        ------
        UnsupportedKeys, KeysNotFlat
            The values are no flat array of numbers, or do not fit the type of the stream.
        NaNRefused
            There is a NaN, and the summary was made with nan="raise".
        """
        with self._or_as_before():
            for piece in pieces(values):
                self._take(self.sorter.accepted(piece, self._dtype))
            self._settle()

    def _take(self, keys: Any) -> None:
        """Take a flat array of the sorter's, so much at a time as the sorter asks for."""
        if not len(keys):
            return
        self._adopt(np.dtype(keys.dtype))
        first = (self._window - self._filled) % self._window  # then windows need not be copied
        for piece in self.sorter.staged(keys, first, self._window):
            numbers, nans = self.sorter.without_nans(piece)
            if nans and self._nan == "raise":
                raise NaNRefused(f"{nans} of these values are NaN, and nan='raise' was asked for")
            self._n += len(numbers)
            self._nans += nans
            self._feed(numbers)

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        """Let the first values decide the type."""
        if self._dtype is None:
            self._dtype, self._buffer = dtype, np.empty(0, dtype)

    def _feed(self, numbers: Any) -> None:
        """Fill windows, and absorb those that are full; the rest waits in the buffer."""
        if self._filled:
            wanted = self._window - self._filled
            self._wait(numbers[:wanted])
            numbers = numbers[wanted:]
            if self._filled == self._window:
                full, self._buffer, self._filled = self._buffer, self._buffer[:0].copy(), 0
                self._absorb(full[: self._window].reshape(1, -1))
        whole = len(numbers) // self._window * self._window
        if whole:
            self._absorb(numbers[:whole].reshape(-1, self._window))
        self._wait(numbers[whole:])

    def _wait(self, keys: Any) -> None:
        """Append keys to the buffer, beyond what an earlier state of the summary can see."""
        numbers, filled = self.sorter.on_host(keys), self._filled + len(keys)
        if not (self._filled or isinstance(keys, np.ndarray)):  # a copy, made for this alone
            self._buffer, self._filled = numbers, filled
            return
        if filled > len(self._buffer):
            room = min(max(2 * filled, SMALLEST_BUFFER), self._window)
            grown = np.empty(room, self._dtype)
            grown[: self._filled] = self._buffer[: self._filled]
            self._buffer = grown
        self._buffer[self._filled : filled] = numbers
        self._filled = filled

    def _waiting(self) -> Keys:
        """Return the values that wait for their window to be full, in the order they came."""
        return plain_zeros(self._buffer[: self._filled])

    @abstractmethod
    def _absorb(self, windows: Any) -> None:
        """Take in full windows, an array of shape (count, window); it may lie on a device."""

    def _settle(self) -> None:
        """Bring to the host what the sorter has left elsewhere: between updates all is there."""

    @abstractmethod
    def _merge_state(self, other: Self) -> None:
        """Take in the state of another summary, made alike, but for what waits in its buffer."""

    @abstractmethod
    def _entries(self) -> int:
        """Return how many entries the state holds, the buffer not counted."""

    def merge(self, other: Self) -> Self:
        """Take in what another summary has seen, which stays as it is; returns this summary.

        The result's error bound is the same epsilon, of all values together, in whatever order and
        however often parts are merged. They have to be made alike, or SummariesDiffer is raised.
        """
        self._check_alike(other)
        if self._dtype and other._dtype and self._dtype != other._dtype:
            raise SummariesDiffer(
                f"one summary is of {self._dtype}, the other of {other._dtype}: summaries merge if "
                "their values have one type"
            )
        waiting, seen, nans = other._waiting(), other._n, other._nans
        with self._or_as_before():
            if other._dtype:
                self._adopt(other._dtype)
            self._merge_state(other)
            self._n += seen
            self._nans += nans
            self._feed(waiting)
            self._settle()
        return self

    def __len__(self) -> int:
        return self._entries() + self._filled

    def _told(self) -> str:
        typed = f" of {self._dtype}" if self._dtype and not self._asked_dtype else ""
        return super()._told() + typed

    def _parameters(self) -> dict[str, Any]:
        dtype = self._asked_dtype.name if self._asked_dtype else None
        return {"epsilon": self._epsilon, "dtype": dtype, "nan": self._nan}

    def _options(self) -> dict[str, Any]:
        return {"sorter": self.sorter}

    def _arrays(self) -> dict[str, Keys]:
        return {} if self._dtype is None else {"waiting": self._waiting()}

    def _restore(self, arrays: Arrays) -> None:
        """Take over what waits; a summary restores its own state after this."""
        if "waiting" not in arrays:
            return
        waiting = arrays["waiting"]
        if len(waiting) >= self._window or np.isnan(waiting).any():
            raise CorruptSummary("what waits for its window is longer than it, or holds a NaN")
        if self._asked_dtype not in (None, waiting.dtype):
            raise CorruptSummary(f"values of {waiting.dtype} wait, and not of {self._asked_dtype}")
        self._adopt(waiting.dtype)
        self._wait(waiting)
