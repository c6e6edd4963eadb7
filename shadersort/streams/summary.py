"""What all summaries share: numbers, equality, bytes, merging, and undoing failed updates."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from time import perf_counter
from typing import Any, ClassVar, Self, SupportsFloat

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
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.locked import SummaryLock, locked, undo_on_error

Arrays = Mapping[str, Keys]
"""The state of a summary: flat arrays by their names."""

Timed = Callable[[str], AbstractContextManager[None]]
"""Returns a context manager that adds the seconds of its body to an operation's total."""

LONGEST = 1 << 60  # a stream is shorter, so that sums of two ranks are integers of 64 bits


def check_epsilon(epsilon: SupportsFloat) -> float:
    """Return an error bound, a number between 0 and 1, or raise BadOption."""
    with suppress(TypeError, ValueError):
        value = 0.0 if isinstance(epsilon, bool | np.bool_ | str | bytes) else float(epsilon)
        if 0 < value < 1:
            return value
    raise BadOption(f"epsilon is a number between 0 and 1, 0.01 say; not {epsilon!r}")


class Summary(ABC):
    """A summary of a stream; several threads may use one, and take turns: see `locked.py`."""

    _kinds: ClassVar[dict[str, type["Summary"]]] = {}  # every subclass by its name
    _retired: ClassVar[frozenset[str]] = frozenset()  # parameters in bytes, no arguments any more
    _highlights: Callable[[], list[tuple[str, object]]]  # returns some answers, for a notebook

    def __init_subclass__(cls) -> None:
        Summary._kinds[cls.__name__] = cls

    def __init__(self, epsilon: SupportsFloat) -> None:
        self._lock = SummaryLock()
        self._epsilon = check_epsilon(epsilon)
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

    def _parameters(self) -> dict[str, Any]:
        """Return the arguments of the constructor, as JSON knows them."""
        return {"epsilon": self._epsilon}

    def _head(self) -> dict[str, Any]:
        """Return the parameters as bytes have them, with those of `_retired`."""
        return self._parameters()

    def _options(self) -> dict[str, Any]:
        """Return the arguments of the constructor that bytes do not include."""
        return {}

    def _settle(self) -> None:  # noqa: B027  # most states are always there
        """Bring the state to the host, where all of it lies between updates."""

    @abstractmethod
    def _arrays(self) -> dict[str, Keys]:
        """Return the state as flat arrays of numbers."""

    @abstractmethod
    def _restore(self, arrays: Arrays) -> None:
        """Restore the state that `_arrays` returned; raise CorruptSummary if it cannot be one."""

    @abstractmethod
    def _merge(self, other: Self) -> None:
        """Add what a summary with the same parameters has seen."""

    @locked
    def to_bytes(self) -> bytes:
        """Return the summary as bytes, with a version and a digest, the same on every machine.

        Equal summaries give equal bytes, without the sorter.
        """
        self._settle()
        arrays = {"seen": np.array([self._n, self._nans], np.int64), **self._arrays()}
        return pack(Blob(type(self).__name__, self._head(), arrays))

    @classmethod
    def from_bytes(cls, data: bytes, **options: Any) -> Self:
        """Return the summary that `to_bytes` wrote.

        Raises CorruptSummary (a ValueError) for bytes of another version or class, and for those
        that it would not write the very same. Options are what bytes do not include: `sorter`.
        """
        blob = unpack(data)
        kind = cls._kinds.get(blob.kind)
        if kind is None or not issubclass(kind, cls):
            raise CorruptSummary(f"these bytes are a {blob.kind}, not a {cls.__name__}")
        try:
            parameters = {k: v for k, v in blob.parameters.items() if k not in kind._retired}
            summary = kind(**parameters, **options)
            arrays = dict(blob.arrays)
            n, nans = (int(each) for each in arrays.pop("seen"))
            if n < 0 or nans < 0:
                raise CorruptSummary("the summary has seen a negative number of values")
            summary._see(n, nans)
            summary._restore(arrays)
        except (ArithmeticError, IndexError, KeyError, TypeError, ValueError) as error:
            raise CorruptSummary(f"these bytes are no {cls.__name__}: {error}") from error
        if summary.to_bytes() != bytes(data):
            raise CorruptSummary(f"these bytes are no {kind.__name__} as it would be written")
        return summary

    def merge(self, other: Self) -> Self:
        """Add what another summary has seen; returns this summary, and leaves the other as it is.

        The error bound of the result is the same epsilon of all values together, in whatever order
        and however often parts are merged. Raises SummariesDiffer unless both summaries have the
        same parameters.
        """
        self._check_alike(other)
        snapshot = other._snapshot()  # before our own lock is taken: no thread waits for two
        with self._lock.rlock, undo_on_error(self):
            self._merge(snapshot)
        return self

    def __add__(self, other: Self) -> Self:
        """Return a new summary of what this one and another have seen; both stay as they are."""
        return self.copy().merge(other) if isinstance(other, Summary) else NotImplemented

    def copy(self) -> Self:
        """Return an equal summary that is independent of this one."""
        return type(self).from_bytes(self.to_bytes(), **self._options())

    def __reduce__(self) -> tuple[Any, ...]:  # for `pickle` and the module `copy`
        return partial(type(self).from_bytes, **self._options()), (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Summary):
            return NotImplemented
        return type(self) is type(other) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]  # a summary changes

    @locked
    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._told_parameters().items())
        return f"<{type(self).__name__}({options}): {self._told()}>"

    @locked
    def _repr_html_(self) -> str:
        """Return a table of what the summary holds and answers, for a notebook."""
        options = self._told_parameters()
        printed = ", as printed" if options.pop("as_printed", False) else ""
        rows: list[tuple[str, object]] = [("values", self._n), ("entries", len(self))]
        if self._nans:
            rows.append(("NaNs left out", self._nans))
        with suppress(EmptyInput):
            rows += self._highlights()
        return html_table(type(self).__name__ + printed, [*options.items(), *rows])

    def _told_parameters(self) -> dict[str, Any]:
        return {name: value for name, value in self._parameters().items() if value is not None}

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

    @locked
    def _snapshot(self) -> Self:
        """Return a summary to be read only; it shares the state, which is never changed."""
        self._settle()
        still = object.__new__(type(self))
        still.__dict__.update(self.__dict__)
        return still

    @contextmanager
    def _timed(self, operation: str) -> Iterator[None]:
        """Add the seconds of the body to an operation; a body that fails does not count."""
        started = perf_counter()
        yield
        self.seconds[operation] = self.seconds.get(operation, 0.0) + perf_counter() - started
