"""What summaries of the last values of a stream share, and what answers for the last n of them."""

from typing import Any, NoReturn, Protocol, Self, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadWindow, NotMergeable
from shadersort.streams.sorters.host import Sorter
from shadersort.streams.values import checked_length
from shadersort.streams.windowed import WindowedSummary

__all__ = ["LastOf", "SlidingSummary"]


class Plan(Protocol):
    """How a sliding summary is held."""

    @property
    def batch(self) -> int:
        """Values in a window that is sorted."""


class SlidingSummary(WindowedSummary):
    """A summary of the last values of a stream, asked about any number of them up to `window`."""

    _plan: Plan

    def __init__(
        self,
        epsilon: SupportsFloat,
        window: SupportsIndex,
        shortest: SupportsIndex,
        dtype: npt.DTypeLike | None,
        nan: str,
        sorter: Sorter | None,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, nan=nan, sorter=sorter)
        self._length = checked_length(window, "window")
        self._shortest = checked_length(shortest, "shortest")
        if self._shortest > self._length:
            raise BadWindow(f"shortest={shortest} is longer than the window of {window} values")

    @property
    def window(self) -> int:
        """How many values one may ask about."""
        return self._length

    @property
    def _window(self) -> int:
        return self._plan.batch

    def merge(self, other: Self) -> NoReturn:
        """Raise NotMergeable: which values of two streams are the last is not known."""
        raise NotMergeable("sliding summaries are of the end of one stream, and do not merge")

    def _merge_state(self, other: Self) -> NoReturn:
        self.merge(other)

    def _asked(self, n: SupportsIndex) -> int:
        """Return a number of last values, or raise BadWindow."""
        count = checked_length(n, "n")
        if count > self._length:
            raise BadWindow(f"the last {count:,} values were asked for; {self._length:,} are held")
        return count

    def _parameters(self) -> dict[str, Any]:
        lengths = {"window": self._length, "shortest": self._shortest}
        return {**super()._parameters(), **lengths}


class LastOf:
    """The last n values of a stream at the time of a question, of a summary that slides over it."""

    def __init__(self, summary: Any, n: int) -> None:
        self._summary, self._asked = summary, n

    def __repr__(self) -> str:
        return f"<the last {self._asked:,} values of {self._summary!r}>"

    @property
    def n(self) -> int:
        """How many values it answers for: all that there are, if those are fewer."""
        return min(self._asked, int(self._summary.n))

    @property
    def epsilon(self) -> float:
        """The error bound."""
        return float(self._summary.epsilon)

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values."""
        dtype: np.dtype[Any] | None = self._summary.dtype
        return dtype
