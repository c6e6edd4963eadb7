"""What answers for the last n values of a sliding summary."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.shown import Row, Shown
from shadersort.streams.locked import SummaryLock


class LastOf(Shown):
    """The last n values of a stream at the time of a question, of a sliding summary."""

    _highlights: Callable[[], list[tuple[str, object]]]

    def __init__(self, summary: Any, n: int) -> None:
        self._summary, self._asked = summary, n
        self._lock: SummaryLock = summary._lock  # one state gives all answers of a table

    def _answer(self) -> Any:
        return self._summary._answer_for(self._asked)

    def _told(self) -> str:
        return f"the last {self.n:,} of {self._summary.n:,} values"

    def _rows(self) -> list[Row]:
        with self._lock:
            answers = self._highlights() if self.n else []
            return [("epsilon", self.epsilon), ("values", self.n), *answers]

    @property
    def n(self) -> int:
        """How many values it answers for: fewer than asked if the window has fewer."""
        return min(self._asked, int(self._summary.window_count))

    @property
    def epsilon(self) -> float:
        """The error bound."""
        return float(self._summary.epsilon)

    @property
    def as_printed(self) -> bool:
        """Whether the summary does what the paper of 2005 prints."""
        return bool(self._summary.as_printed)

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values."""
        dtype: np.dtype[Any] | None = self._summary.dtype
        return dtype
