"""What all summaries share: numbers, equality, bytes, and undoing failed updates."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, ClassVar, Protocol, Self, SupportsFloat

import numpy as np

from shadersort.errors import (
    BadOption,
    CorruptSummary,
    EmptyInput,
    SummariesDiffer,
    TooManyKeys,
)
from shadersort.keys.types import Keys
from shadersort.shown import html_table
from shadersort.streams.blob import DIGEST, Blob, body_of, pack, unpack
from shadersort.streams.locked import SummaryLock, locked
from shadersort.streams.stopwatch import Stopwatch

Arrays = Mapping[str, Keys]
"""The state of a summary: flat arrays by their names."""

LONGEST = 1 << 60
"""A stream is shorter, so that sums of two ranks are integers of 64 bits."""


class Timed(Protocol):
    """Adds the seconds of an operation to a total, as `Summary._timed` does."""

    def __call__(self, operation: str, /) -> AbstractContextManager[None]:
        """Return a context manager that measures its body."""


def checked_epsilon(epsilon: SupportsFloat) -> float:
    """Return an error bound, a number between 0 and 1, or raise BadOption.

    Examples
    --------
    >>> checked_epsilon(np.float64(0.01))
    0.01
    """
    if isinstance(epsilon, bool | np.bool_ | str | bytes):
        raise BadOption(f"epsilon is a number between 0 and 1, not {epsilon!r}")
    try:
        value = float(epsilon)
    except (TypeError, ValueError) as error:
        raise BadOption(f"epsilon is a number between 0 and 1, not {epsilon!r}") from error
    if not 0 < value < 1:
        raise BadOption(f"epsilon lies between 0 and 1, 0.01 say; it is not {value}")
    return value


class Summary(ABC):
    """A summary of a stream; `_kinds` holds every subclass by its name.

    Several threads may use one summary; they take turns, as `locked.py` says.
    """

    _kinds: ClassVar[dict[str, type["Summary"]]] = {}

    def __init_subclass__(cls) -> None:
        Summary._kinds[cls.__name__] = cls

    def __init__(self, epsilon: SupportsFloat) -> None:
        self._lock = SummaryLock()
        self._epsilon = checked_epsilon(epsilon)
        self._n = 0
        self._nans = 0
        self.seconds: dict[str, float] = {}
        """Seconds spent so far by operation ("sort", "merge", "compress"), as in the paper."""

    @property
    def epsilon(self) -> float:
        """The error bound."""
        return self._epsilon

    @property
    @locked
    def n(self) -> int:
        """How many values the summary has seen, without NaNs."""
        return self._n

    @property
    @locked
    def nans(self) -> int:
        """How many NaNs the summary has seen and left out."""
        return self._nans

    @property
    @locked
    def nbytes(self) -> int:
        """Bytes of the arrays that the summary holds, without the room that they may grow into."""
        self._settle()
        return sum(array.nbytes for array in self._arrays().values())

    @abstractmethod
    def __len__(self) -> int:
        """Return how many entries it holds; a value that waits for its window counts as one."""

    @abstractmethod
    def _parameters(self) -> dict[str, Any]:
        """Return the arguments of the constructor, as JSON knows them."""

    @abstractmethod
    def _settle(self) -> None:
        """Bring the state to where it can be read."""

    @abstractmethod
    def _arrays(self) -> dict[str, Keys]:
        """Return the state as flat arrays of numbers."""

    @abstractmethod
    def _restore(self, arrays: Arrays) -> None:
        """Restore the state that `_arrays` returned; raise CorruptSummary if it cannot be one."""

    @locked
    def to_bytes(self) -> bytes:
        """Return the summary as bytes, with a version and a digest, the same on every machine.

        Equal summaries give equal bytes. The bytes do not include the sorter.
        """
        return pack(self._blob())

    def _blob(self) -> Blob:
        """Return what the bytes of the summary hold."""
        self._settle()
        arrays = {"seen": np.array([self._n, self._nans], np.int64), **self._arrays()}
        return Blob(type(self).__name__, self._parameters(), arrays)

    @classmethod
    def from_bytes(cls, data: bytes, **options: Any) -> Self:
        """Return the summary that `to_bytes` wrote.

        Raises CorruptSummary (a ValueError) for bytes that were truncated or changed, are of
        another version, or are no summary of this class. Bytes are read only if the summary would
        write the very same. Options are arguments that bytes do not include: `sorter`.
        """
        blob = unpack(data)
        kind = cls._kinds.get(blob.kind)
        if kind is None or not issubclass(kind, cls):
            raise CorruptSummary(f"these bytes are a {blob.kind}, not a {cls.__name__}")
        try:
            summary = kind._of_parameters(blob.parameters, options)
            summary._restore_all(blob)
        except (ArithmeticError, IndexError, KeyError, TypeError, ValueError) as error:
            raise CorruptSummary(f"these bytes are no {cls.__name__}: {error}") from error
        if body_of(summary._blob()) != bytes(data)[:-DIGEST]:
            raise CorruptSummary(f"these bytes are no {kind.__name__} as it would be written")
        return summary

    @classmethod
    def _of_parameters(cls, parameters: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        """Return an empty summary, given the parameters in its bytes."""
        return cls(**parameters, **options)

    def _restore_all(self, blob: Blob) -> None:
        """Restore the state from what bytes hold, or raise an error of bad values."""
        if self._parameters() != blob.parameters:
            raise CorruptSummary(f"its parameters are not {blob.parameters}")
        arrays = dict(blob.arrays)
        n, nans = (int(each) for each in arrays.pop("seen"))
        if n < 0 or nans < 0:
            raise CorruptSummary("the summary has seen a negative number of values")
        self._see(n, nans)
        self._restore(arrays)

    def merge(self, other: Self) -> Self:
        """Add what another summary has seen; returns this summary, and leaves the other as it is.

        The error bound of the result is the same epsilon of all values together, in whatever order
        and however often parts are merged. Raises SummariesDiffer unless both summaries have the
        same parameters.
        """
        self._check_alike(other)
        self._merge(other._snapshot())  # before our own lock is taken: no thread waits for two
        return self

    @abstractmethod
    def _merge(self, other: Self) -> None:
        """Add what a summary with the same parameters has seen."""

    def __add__(self, other: Self) -> Self:
        """Return a new summary of what this one and another have seen; both stay as they are."""
        return self.copy().merge(other) if isinstance(other, Summary) else NotImplemented

    def copy(self) -> Self:
        """Return an equal summary that is independent of this one."""
        return type(self).from_bytes(self.to_bytes(), **self._options())

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _options(self) -> dict[str, Any]:
        """Return the arguments of the constructor that bytes do not include."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {"data": self.to_bytes(), "options": self._options()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        other = type(self).from_bytes(state["data"], **state["options"])
        self.__dict__.update(other.__dict__)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Summary):
            return NotImplemented
        return type(self) is type(other) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]  # a summary changes

    @locked
    def __repr__(self) -> str:
        told = ", ".join(f"{k}={v!r}" for k, v in self._parameters().items() if v is not None)
        return f"<{type(self).__name__}({told}): {self._told()}>"

    @locked
    def _repr_html_(self) -> str:
        """Return a table of what the summary holds and answers, for a notebook."""
        rows: list[tuple[str, object]] = [("values", self._n), ("entries", len(self))]
        if self._nans:
            rows.append(("NaNs left out", self._nans))
        told = {k: v for k, v in self._parameters().items() if v is not None}
        answers = self._highlights() if self._n else []
        printed = ", as printed" if told.pop("as_printed", False) else ""
        return html_table(type(self).__name__ + printed, [*told.items(), *rows, *answers])

    def _highlights(self) -> list[tuple[str, object]]:
        """Return a few answers by their names, for a notebook."""
        return []

    def _told(self) -> str:
        """Return what the summary holds, for `repr`."""
        nans = f", {self._nans:,} NaNs left out" if self._nans else ""
        return f"{self._n:,} values in {len(self):,} entries{nans}"

    def _check_alike(self, other: "Summary") -> None:
        """Raise SummariesDiffer unless another summary has the same parameters."""
        if type(self) is not type(other):
            raise SummariesDiffer(
                f"a {type(self).__name__} merges with another, not with {type(other).__name__}"
            )
        mine, theirs = self._parameters(), other._parameters()
        for name in [*mine, *theirs]:
            one, another = (each.get(name, False) for each in (mine, theirs))
            if one != another:
                raise SummariesDiffer(
                    f"one summary has {name}={one!r}, the other {another!r}: "
                    "summaries merge if they were made alike"
                )

    def _see(self, n: int, nans: int) -> None:
        """Count values and NaNs as seen, or raise TooManyKeys."""
        if self._n + n + self._nans + nans >= LONGEST:
            raise TooManyKeys(f"a summary counts fewer than {LONGEST:,} values")
        self._n += n
        self._nans += nans

    def _check_seen(self) -> None:
        """Raise EmptyInput if the summary has seen no value."""
        if not self._n:
            raise EmptyInput(f"this {type(self).__name__} has seen no value: update it first")

    def _or_as_before(self) -> "_OrAsBefore":
        """Return a context manager that restores the state if its body fails."""
        return _OrAsBefore(self)

    def _go_back(self, before: dict[str, Any]) -> None:
        """Restore a state: values of attributes, none of which is ever changed in place."""
        self.__dict__.update(before)

    @locked
    def _snapshot(self) -> Self:
        """Return a summary to be read only; it shares the state, which is never changed."""
        self._settle()
        still = object.__new__(type(self))
        still.__dict__.update(self.__dict__)
        return still

    def _timed(self, operation: str) -> Stopwatch:
        """Return a context manager that adds the seconds of its body to an operation."""
        return Stopwatch(self.seconds, operation)


class _OrAsBefore:
    """Restores the state of a summary if its body fails; it takes half the time of a generator.

    The lock can undo the body meanwhile, or the outermost of several, as a forked child needs it.
    """

    __slots__ = ("_before", "_outer", "_summary")

    def __init__(self, summary: Summary) -> None:
        self._summary = summary

    def __enter__(self) -> None:
        summary = self._summary
        self._before, self._outer = dict(summary.__dict__), summary._lock.undo
        summary._lock.undo = self._outer or partial(summary._go_back, self._before)

    def __exit__(self, kind: object, *error: object) -> None:
        if kind is not None:
            self._summary._go_back(self._before)
        self._summary._lock.undo = self._outer
