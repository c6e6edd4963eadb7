"""Summaries that take their stream window by window: buffering, NaNs, merging.

To add a summary, derive from `WindowedSummary` and define

- `window`: how many values fill a window;
- `_absorb(windows)`: adds full windows, an array of shape (count, window) without NaNs, to the
  state; it asks `self.sorter` for `gk_summaries` or `item_counts` of them;
- `_merge_state(other)`: adds the state of a summary with the same parameters;
- `_parameters()`: the arguments of the constructor except `sorter`; `cls(**parameters)` makes an
  empty summary of the same kind;
- `_arrays()` and `_restore(arrays)`: the state as flat arrays by name, and back. `_restore` raises
  CorruptSummary unless the arrays can be such a state;
- `_entries()`: how many entries the state holds;
- `_new_answers()`: the object that answers questions; `_known()` caches it;
- `_settle()`, if an update may leave the state on the sorter's device: brings it to the host.

Summaries of levels of buckets build on `levels.py`, of sliding windows on `sliding_summary.py`, of
values with weights on `weighted.py`.

Two rules make failures harmless. State is replaced, never changed in place, so a failed update is
undone by going back to the old attributes. And only the order of values matters, not how updates
split them; `batched.py` gives up a part of this rule for speed.
"""

from abc import abstractmethod
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.checked_options import (
    check_one_type,
    checked_sorter,
)
from shadersort.streams.locked import locked
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays, Summary
from shadersort.streams.values import number_type, pieces, plain_zeros

SMALLEST_BUFFER = 64
"""Values for which the buffer of a stream's first window has room at first."""

LARGER_BUFFER = 1 << 20
"""The same of later windows, which will probably fill, too; a longer window doubles its room."""


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
        self._as_printed = as_printed
        self.sorter = checked_sorter(sorter)
        self._asked_dtype = self._dtype = None if dtype is None else number_type(dtype)
        self._buffer: Keys = np.empty(0, self._dtype or np.float64)
        self._filled = 0
        self._answers: Any = None

    @property
    def as_printed(self) -> bool:
        """Whether it does what the paper of 2005 prints, to the letter."""
        return self._as_printed

    @property
    @abstractmethod
    def window(self) -> int:
        """How many values fill a window."""

    @property
    def _window(self) -> int:
        """How many values are sorted together; for sliding summaries `window` is something else."""
        return self.window

    @property
    def _part(self) -> int:
        """How many keys go to the sorter together, at least: some windows."""
        return self._window

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None until there are values or a type was given."""
        return self._dtype

    @locked
    def update(self, values: Any, weights: Any = None) -> Self:
        """Take in values: a number, a flat array, or an iterator of arrays; return this summary.

        Only the order of values matters, not how updates split them. If anything fails, even at
        the tenth array of an iterator, the summary stays as it was before.

        Parameters
        ----------
        values
            Numbers of one type.
        weights
            How often each value of a flat array counts: integers, at least 0. The values count as
            `np.repeat(values, weights)` does, and the guarantee is for the sum of the weights.

        Raises
        ------
        UnsupportedKeys, KeysNotFlat
            The values are no flat array of numbers, or do not fit the type of the stream.
        BadWeights, BadOption
            Weights are negative, no integers, or not as many as the values; or such a summary takes
            none.
        """
        if weights is not None:
            return self._update_weighted(values, weights)
        absorbed = self._n - self._filled
        with self._or_as_before():
            for piece in pieces(values):
                self._answers = None  # in the loop: an iterator may ask the summary
                self._take(self._accepted(piece))
            if self._n - self._filled > absorbed:
                self._settle()
        return self

    def _update_weighted(self, values: Any, weights: Any) -> Self:
        """Take in values with weights; raise BadOption if such a summary takes none."""
        raise BadOption(
            f"a {type(self).__name__} takes no weights: pass np.repeat(values, weights)"
        )

    def _accepted(self, values: Any) -> Any:
        """Return values as a flat array of the type of the stream, or raise an error."""
        return self.sorter.accepted(values, self._dtype)

    def _take(self, keys: Any) -> None:
        """Take a flat array in parts as large as the sorter asks for."""
        if not len(keys):
            return
        self._adopt(np.dtype(keys.dtype))
        first = (self._window - self._filled) % self._window  # then windows need not be copied
        for piece in self.sorter.staged(keys, first, self._part):
            numbers, nans = self.sorter.without_nans(piece)
            self._see(len(numbers), nans)
            self._feed(numbers)

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        """Let the first values decide the type."""
        if self._dtype is None:
            self._dtype, self._buffer = dtype, np.empty(0, dtype)

    def _feed(self, numbers: Any) -> None:
        """Fill windows and absorb the full ones; the rest waits in the buffer."""
        if self._filled and len(numbers) >= 2 * self._window:
            together = self.sorter.together(self._buffer[: self._filled], numbers)
            if together is not None:
                numbers, self._buffer, self._filled = together, self._buffer[:0].copy(), 0
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
        """Append keys to the buffer; earlier keys stay, since a restored state may read them."""
        numbers, filled = self.sorter.on_host(keys), self._filled + len(keys)
        if not (self._filled or isinstance(keys, np.ndarray)):  # already a fresh copy
            self._buffer, self._filled = numbers, filled
            return
        if filled > len(self._buffer):
            self._grow(filled)
        self._buffer[self._filled : filled] = numbers
        self._filled = filled

    def _grow(self, filled: int) -> None:
        """Give the buffer room for so many values, and for some more."""
        at_first = LARGER_BUFFER if self._n > filled else SMALLEST_BUFFER
        room = max(filled, min(max(2 * filled, at_first), self._window))
        grown = np.empty(room, self._dtype)
        grown[: self._filled] = self._buffer[: self._filled]
        self._buffer = grown

    def _waiting(self) -> Keys:
        """Return the values that wait for their window to fill, in their order; 0.0 for −0.0."""
        return plain_zeros(self._buffer[: self._filled])

    @abstractmethod
    def _absorb(self, windows: Any) -> None:
        """Add full windows, an array of shape (count, window) that may lie on a device."""

    def _settle(self) -> None:
        """Bring the state to the host, where all of it lies between updates.

        Whatever reads the state settles it first: an iterator may ask the summary that it updates.
        """

    @abstractmethod
    def _merge_state(self, other: Self) -> None:
        """Add the state of a summary with the same parameters, except its waiting values."""

    def _known(self) -> Any:
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

    @locked
    def _merge(self, other: Self) -> None:
        """Add what a summary with the same parameters has seen."""
        check_one_type(self._dtype, other._dtype)
        if other._dtype is None:  # it has seen nothing, and its empty state has no type yet
            return
        waiting, seen, nans = other._waiting(), other._n, other._nans
        with self._or_as_before():
            self._answers = None
            self._adopt(other._dtype)
            self._merge_state(other)
            self._see(seen, nans)
            self._feed(waiting)
            self._settle()

    @locked
    def __len__(self) -> int:
        self._settle()
        return self._entries() + self._filled

    def _told(self) -> str:
        dtype = self.dtype
        typed = f" of {dtype.name}" if dtype and not self._asked_dtype else ""
        return super()._told() + typed

    def _parameters(self) -> dict[str, Any]:
        dtype = self._asked_dtype.name if self._asked_dtype else None
        printed = {"as_printed": True} if self._as_printed else {}
        return {"epsilon": self._epsilon, "dtype": dtype, **printed}

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
