"""Asking pieces: several threads read and count, and no more pieces are in memory than they have.

While one thread counts, another one reads, so a round takes as long as reading all pieces once.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from shadersort.drawing.progress import Advance, progress_in_bytes
from shadersort.selection.files.piece import Piece
from shadersort.selection.files.source import Read, Source
from shadersort.selection.files.staging import Staging
from shadersort.selection.primitives.parts import Ask, Call
from shadersort.selection.primitives.parts.part import collected, copied

TITLES: dict[Any, str] = {
    "histogram_and_nans": "counting",
    "digit_histogram": "counting",
    "digit_histograms": "counting",
    copied: "collecting",
    collected: "collecting",
    "take": "sampling",
    Staging.of_piece: "counting",
}
"""What progress says of a round, by its call."""


def title_of(call: Call) -> str:
    """Return what progress says of a round."""
    return TITLES.get(getattr(call, "__func__", call), "reading")


ADDED: tuple[Call, ...] = ("histogram_and_nans", "digit_histogram", "digit_histograms")
"""Calls whose answers are large, and are only added up."""


@dataclass(slots=True)
class Asking:
    """Asks pieces of one source.

    Attributes
    ----------
    source
        What has the pieces.
    progress
        Whether a bar is shown for each round.
    read
        Bytes that were read so far.
    """

    source: Source
    progress: bool = False
    read: int = field(default=0, init=False)

    def __call__(self, parts: Sequence[Piece], asks: Sequence[Ask]) -> list[Any]:
        """Return the answers in the order of the pieces; what is only added up, as one sum."""
        title = title_of(asks[0][0])
        whole = [not part.is_taken(call) for part, (call, _) in zip(parts, asks, strict=True)]
        total = sum(part.bytes for part, all_of_it in zip(parts, whole, strict=True) if all_of_it)
        shown = self.progress and total > 0
        with progress_in_bytes(f"{title} {self.source.where}", total, shown=shown) as advance:
            found = self._all(parts, asks, advance)
        self.source.check()
        self.read += total
        return found

    def _all(self, parts: Sequence[Piece], asks: Sequence[Ask], advance: Advance) -> list[Any]:
        found: list[Any] = []
        waiting: deque[Future[list[Any]]] = deque()

        def finish() -> None:
            for answer in waiting.popleft().result():
                add(found, answer, asks[0][0])

        with ThreadPoolExecutor(self.source.threads) as pool:
            try:
                readers = self.source.readers([part.place for part in parts])
                tasks = zip(parts, asks, readers, strict=True)
                while neighbours := list(islice(tasks, self.source.neighbours)):
                    if len(waiting) == self.source.threads:
                        finish()
                    waiting.append(pool.submit(self._some, neighbours, advance))
                while waiting:
                    finish()
            finally:
                pool.shutdown(cancel_futures=True)
        return found

    def _some(self, neighbours: Sequence[tuple[Piece, Ask, Read]], advance: Advance) -> list[Any]:
        """Return the answers of some neighbouring pieces, or their sum."""
        found: list[Any] = []
        with self.source.one_after_another():
            for part, (call, args), read in neighbours:
                add(found, part.answered(read, call, args), call)
                advance(part.bytes)
        return found


def add(found: list[Any], answer: Any, call: Call) -> None:
    """Append an answer, or add it to the only one if answers to a call are only added up."""
    if call in ADDED and found:
        found[0] = sum_of(found[0], answer)
    else:
        found.append(answer)


def sum_of(one: Any, other: Any) -> Any:
    """Return the sum of two histograms, or of two pairs of a histogram and a number, in place.

    Examples
    --------
    >>> import numpy as np
    >>> sum_of((np.array([1, 2]), 3), (np.array([10, 20]), 30))
    (array([11, 22]), 33)
    """
    if isinstance(one, tuple):
        return sum_of(one[0], other[0]), one[1] + other[1]
    one += other
    return one
