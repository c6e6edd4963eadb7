"""The end of a stream: its last numbers, or all of them while there are fewer."""

from collections.abc import Iterator
from typing import Self

from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary, SlidingQuantiles, Sorter


class LastNumbers:
    """Summarises the last `count` numbers of a stream.

    A window of one length needs the least memory, but its error is a share of that length, also
    while the stream is shorter. So a second summary takes the whole stream until it is longer.

    Examples
    --------
    >>> import numpy as np
    >>> last = LastNumbers(0.1, 1000)
    >>> last.update(np.arange(20)).answers.median()
    np.int64(9)
    >>> last.update(np.arange(5000)).answers.median() > 4000
    np.True_
    """

    def __init__(self, epsilon: float, count: int, *, sorter: Sorter | None = None) -> None:
        self._last = SlidingQuantiles(epsilon, count, shortest=count, sorter=sorter)
        self._all: QuantileSummary | None = QuantileSummary(epsilon, count, sorter=sorter)

    def update(self, values: Keys | Iterator[Keys]) -> Self:
        """Take the next numbers."""
        for keys in values if isinstance(values, Iterator) else [values]:
            self._last.update(keys)
            if self._last.n > self._last.window:
                self._all = None
            elif self._all is not None:
                self._all.update(keys)
        return self

    @property
    def answers(self) -> QuantileSummary | SlidingQuantiles:
        """The summary that answers about the last numbers."""
        return self._last if self._all is None else self._all
