"""Summaries of the items of a command's inputs: of numbers or of words, as the first ones are."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Self

import numpy as np

from shadersort.cli.inputs import Inputs
from shadersort.cli.number_streams import summarised
from shadersort.errors import EmptySummary
from shadersort.keys.reading.items import Items
from shadersort.keys.reading.reader import Reader
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, SlidingFrequencies, Sorter, WordFrequencies

Batches = Iterator[Keys | Words]
ItemSummary = FrequencySummary | SlidingFrequencies | WordFrequencies


class ItemCounter:
    """Counts items: numbers or words, which the first ones decide; with `last`, the last ones only.

    The error for the last items is a share of `last`, also while there are fewer. So a second
    summary takes all items until there are more.
    """

    def __init__(self, epsilon: float, last: int | None, sorter: Sorter) -> None:
        self._epsilon, self._last, self._sorter = epsilon, last, sorter
        self._all: FrequencySummary | WordFrequencies | None = None
        self._recent: SlidingFrequencies | WordFrequencies | None = None

    @property
    def summary(self) -> ItemSummary | None:
        """The summary that answers; None before the first item."""
        return self._recent if self._all is None else self._all

    def update(self, items: Batches) -> Self:
        """Take the next items."""
        for batch in items:
            if self.summary is None:
                self._begin(words=isinstance(batch, Words))
            if self._recent is None and self._all is not None:
                self._all.update(chain([batch], items))
            elif self._recent is not None:
                self._take(batch, self._recent)
        return self

    def _begin(self, *, words: bool) -> None:
        counts = WordFrequencies if words else FrequencySummary
        self._all = counts(self._epsilon, sorter=self._sorter)
        if (last := self._last) is None:
            return
        lengths: dict[str, Any] = {"window": last, "shortest": last, "sorter": self._sorter}
        recent = WordFrequencies if words else SlidingFrequencies
        self._recent = recent(self._epsilon, **lengths)

    def _take(self, batch: Keys | Words, recent: SlidingFrequencies | WordFrequencies) -> None:
        """Take items into the summary of the last ones, and of all while there are few."""
        recent.update(batch)
        if recent.n > (recent.window or 0):
            self._all = None
        elif self._all is not None:
            self._all.update(batch)


def counted(
    inputs: Inputs, make: Callable[[], ItemCounter], *, words: bool | None
) -> tuple[ItemSummary, Reader]:
    """Return a summary of the items of the inputs, and what has read them.

    Raises EmptySummary if there is no item, and what `summarised` raises.
    """

    def read(reader: Reader) -> Batches:
        if words is None and inputs.request.dtype is None:
            reader.advice = "; pass --words to count words"
        return iter(Items(reader, words=words))

    counter, reader = summarised(inputs, "counting", make, read=read)
    if (summary := counter.summary) is None or not summary.n:
        raise EmptySummary("the input has no number and no word in it, so nothing is frequent")
    return summary, reader


def answers_of(summary: ItemSummary) -> Any:
    """Return what answers about the items of a summary, or about the last ones that it is of."""
    if isinstance(summary, FrequencySummary) or summary.window is None:
        return summary
    return summary.last(summary.window)


def read_again(inputs: Inputs, *, words: bool, dtype: np.dtype[Any] | None, skip: int) -> Batches:
    """Yield the items of the inputs once more, without NaNs and without the first ones."""
    again = inputs if words or inputs.request.dtype is not None else inputs.of_type(dtype)
    with again.reader("counting exactly", again=True) as reader:
        for batch in Items(reader, words=words):
            found = batch if isinstance(batch, Words) else batch[batch == batch]
            yield found[skip:]
            skip = max(0, skip - len(found))
