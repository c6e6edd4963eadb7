"""Summaries that take their stream window by window: buffering, NaNs, weights, merging.

A new summary derives from `WindowedSummary` and defines its abstract methods, `_arrays` and
`_restore`, and `_new_answers`; and `_settle`, if an update may leave the state on a device.

Two rules make failures harmless. State is replaced, never changed in place, so a failed update is
undone by going back to the old attributes. And only the order of values matters, not how updates
split them; `QuantileSummary` gives up a part of this rule for speed.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.buffer import Buffer
from shadersort.streams.locked import locked, undo_on_error
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays, Summary
from shadersort.streams.values import number_type, plain_zeros
from shadersort.streams.weights import split_nans, window_parts


class WindowedSummary(Summary):
    """A summary that takes its stream window by window.

    Parameters
    ----------
    epsilon
        The error bound, between 0 and 1.
    dtype
        The type of the values; None takes the type of the first values. Later values of other
        types are converted if that changes none of them, and refused otherwise. Only Python's
        floats are rounded to the type, here and in questions: 0.1 is the float32 next to it.
    sorter
        Sorts the windows; `NumPySorter()` by default.
    as_printed
        Whether to do what the paper of 2005 prints, and nothing cleverer; only some summaries can.
    """

    _absorb_equal: Callable[[Keys, int], None] | None = None
    """Adds some full windows, given an array of their only value; None if there are no weights."""

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon)
        if not isinstance(as_printed, bool):
            raise BadOption(f"as_printed is True or False, not {as_printed!r}")
        if sorter is not None and not hasattr(sorter, "accept"):
            raise BadOption(f"a sorter is NumPySorter(), TextureSorter() or such, not {sorter!r}")
        self._as_printed = as_printed
        self.sorter: Sorter = NumPySorter() if sorter is None else sorter
        self._asked_dtype = self._dtype = None if dtype is None else number_type(dtype)
        self._buffer = Buffer(np.empty(0, self._dtype or np.float64))
        self._answers: Any = None

    @property
    def as_printed(self) -> bool:
        """Whether it does what the paper of 2005 prints, to the letter."""
        return self._as_printed

    @property
    def window(self) -> int:
        """How many values fill a window."""
        return self._window

    @property
    @abstractmethod
    def _window(self) -> int:
        """How many values are sorted together; for sliding summaries `window` is something else."""

    @property
    def _filled(self) -> int:
        """How many values wait for their window to fill."""
        return self._buffer.end

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None until there are values or a type was given."""
        return self._dtype

    def update(self, values: Any, weights: Any = None) -> Self:
        """Take in values: a number, a flat array, or an iterator of arrays; return this summary.

        If anything fails, even at the tenth array of an iterator, the summary stays as it was.

        With weights, integers of at least 0, the values of a flat array count as
        `np.repeat(values, weights)` does, and the guarantee is for the sum of the weights.

        Raises UnsupportedKeys or KeysNotFlat unless the values are a flat array of numbers that fit
        the type of the stream, BadWeights for other weights, and BadOption if there can be none.
        """
        with self._lock.rlock:
            if weights is None and self._append(values):
                return self
            with undo_on_error(self):
                arrays = isinstance(values, Iterator) and weights is None
                for piece in values if arrays else (values,):
                    self._answers = None  # in the loop: an iterator may ask the summary
                    if weights is None:
                        self._take(self._accept(piece))
                    else:
                        self._take_weighted(piece, weights)
                if self.sorter.remote:
                    self._settle()
        return self

    def _append(self, values: Any) -> bool:
        """Whether values only had to wait: numbers of the right type that do not fill a window.

        Many updates are so short, and would take much longer if they were looked at more closely.
        """
        if type(values) is not np.ndarray or values.ndim != 1 or self._dtype is None:
            return False
        if values.dtype != self._dtype or self._buffer.end + len(values) >= self._window:
            return False
        if values.dtype.kind == "f" and np.count_nonzero(np.isnan(values)):
            return False
        self._see(len(values), 0)
        self._buffer, self._answers = self._buffer.append(values), None
        return True

    def _accept(self, values: Any) -> Any:
        """Return values as a flat array of the type of the stream, or raise an error."""
        return self.sorter.accept(values, self._dtype)

    def _take(self, keys: Any) -> None:
        """Take a flat array in parts as large as the sorter asks for."""
        if not len(keys):
            return
        self._adopt(np.dtype(keys.dtype))
        for piece in self._stage(keys):
            numbers, nans = self.sorter.drop_nans(piece)
            self._see(len(numbers), nans)
            self._feed(numbers)

    def _stage(self, keys: Any) -> Any:
        """Yield parts of keys; the first fills the window that was begun, so no other is copied."""
        return self.sorter.stage_parts(keys, -self._filled % self._window, self._window)

    def _take_weighted(self, values: Any, weights: Any) -> None:
        """Take values, each as often as its weight says, many at once, or raise an error."""
        if self._absorb_equal is None:
            raise BadOption(
                f"a {type(self).__name__} takes no weights: pass np.repeat(values, weights)"
            )
        keys = self.sorter.to_host(self._accept(values))
        numbers, counts, nans = split_nans(keys, weights)
        if not (len(numbers) or nans):
            return
        self._adopt(keys.dtype)
        self._see(int(counts.sum()), nans)
        for part, windows in window_parts(numbers, counts, self._window, self._filled):
            if windows:
                self._absorb_equal(plain_zeros(part), windows)
                continue
            for piece in self._stage(part):
                self._feed(piece)

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        """Let the first values decide the type."""
        if self._dtype is None:
            self._dtype, self._buffer = dtype, Buffer(np.empty(0, dtype))

    def _feed(self, numbers: Any) -> None:
        """Fill windows and absorb the full ones; the rest waits in the buffer."""
        window = self._window
        if self._filled and len(numbers) >= 2 * window:
            together = self.sorter.join_waiting(self._buffer.values, numbers)
            if together is not None:
                numbers, self._buffer = together, self._buffer.clear()
        if self._filled:
            wanted = window - self._filled
            self._wait(numbers[:wanted])
            numbers = numbers[wanted:]
            if self._filled == window:
                full, self._buffer = self._buffer.values, self._buffer.clear()
                self._absorb(full.reshape(1, -1))
        whole = len(numbers) // window * window
        if whole:
            self._absorb(numbers[:whole].reshape(-1, window))
        self._wait(numbers[whole:])

    def _wait(self, keys: Any) -> None:
        """Append keys to the buffer."""
        self._buffer = self._buffer.append(self.sorter.to_host(keys))

    def _waiting(self) -> Keys:
        """Return the values that wait for their window to fill, in their order; 0.0 for −0.0."""
        return plain_zeros(self._buffer.values)

    @abstractmethod
    def _absorb(self, windows: Any) -> None:
        """Add full windows, an array of shape (count, window) that may lie on a device."""

    @abstractmethod
    def _merge_state(self, other: Self) -> None:
        """Add the state of a summary with the same parameters, except its waiting values."""

    def _cached_answers(self) -> Any:
        """Return what `_new_answers` returns, cached until the next update; raise EmptyInput."""
        self._check_seen()
        if self._answers is None:
            self._settle()
            self._answers = self._new_answers()
        return self._answers

    def _new_answers(self) -> Any:
        """Return what answers all questions about the values until now."""
        return {}

    @abstractmethod
    def _entries(self) -> int:
        """Return how many entries the state holds, without the waiting values."""

    def _merge(self, other: Self) -> None:
        if self._dtype and other._dtype and self._dtype != other._dtype:
            raise SummariesDiffer(
                f"one summary is of {self._dtype}, the other of {other._dtype}: summaries merge if "
                "their values have one type"
            )
        if other._dtype is None:  # it has seen nothing, and its empty state has no type yet
            return
        self._answers = None
        self._adopt(other._dtype)
        self._merge_state(other)
        self._see(other._n, other._nans)
        self._feed(other._waiting())
        self._settle()

    @locked
    def __len__(self) -> int:
        self._settle()
        return self._entries() + self._filled

    def _told(self) -> str:
        dtype = self.dtype
        return super()._told() + (f" of {dtype.name}" if dtype and not self._asked_dtype else "")

    def _parameters(self) -> dict[str, Any]:
        dtype = self._asked_dtype.name if self._asked_dtype else None
        printed = {"as_printed": True} if self._as_printed else {}
        return {**super()._parameters(), "dtype": dtype, **printed}

    def _options(self) -> dict[str, Any]:
        return {"sorter": self.sorter}

    def _arrays(self) -> dict[str, Keys]:
        return {} if self._dtype is None else {"waiting": self._waiting()}

    def _restore(self, arrays: Arrays) -> None:
        """Restore the waiting values; a subclass restores its own state after this."""
        if "waiting" not in arrays:
            if self._n:
                raise CorruptSummary("it has seen values, and says nothing about those that wait")
            return
        waiting = arrays["waiting"]
        if len(waiting) >= self._window or (waiting != waiting).any():
            raise CorruptSummary("what waits for its window is longer than it, or holds a NaN")
        if self._asked_dtype not in (None, waiting.dtype):
            raise CorruptSummary(f"values of {waiting.dtype} wait, and not of {self._asked_dtype}")
        self._adopt(waiting.dtype)
        self._wait(waiting)
