"""The end of a stream: its last items, or all of them while there are fewer."""

from collections.abc import Iterator
from typing import Any, Self

from shadersort.keys.types import Keys


class LastItems:
    """Summarises the last numbers of a stream.

    A window of one length needs the least memory, but its error is a share of that length, also
    while the stream is shorter. So a second summary takes the whole stream until it is longer.

    Examples
    --------
    >>> import numpy as np
    >>> from shadersort.streams import QuantileSummary, SlidingQuantiles
    >>> recent = SlidingQuantiles(0.1, 1000, shortest=1000)
    >>> last = LastItems(recent, QuantileSummary(0.1, 1000))
    >>> last.update(np.arange(20)).answers.median()
    np.int64(9)
    >>> last.update(np.arange(5000)).answers.median() > 4000
    np.True_
    """

    def __init__(self, recent: Any, whole: Any) -> None:
        self._recent, self._whole = recent, whole

    def update(self, items: Keys | Iterator[Keys]) -> Self:
        """Take the next items."""
        for batch in items if isinstance(items, Iterator) else [items]:
            self._recent.update(batch)
            if self._recent.n > self._recent.window:
                self._whole = None
            elif self._whole is not None:
                self._whole.update(batch)
        return self

    @property
    def answers(self) -> Any:
        """The summary that answers about the last items."""
        return self._recent if self._whole is None else self._whole
