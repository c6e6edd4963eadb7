"""Summaries of the items of a command's inputs: of numbers or of words, as the first ones are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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


@dataclass
class ItemCounter:
    """Counts items: numbers or words, which the first ones decide."""

    epsilon: float
    last: int | None
    sorter: Sorter
    summary: ItemSummary | None = None

    def update(self, items: Batches) -> Self:
        """Take the next items."""
        for first in items:
            if self.summary is None:
                self.summary = self._made(words=isinstance(first, Words))
            self.summary.update(chain([first], items))
        return self

    def _made(self, *, words: bool) -> ItemSummary:
        last, sorter = self.last, self.sorter
        if words:
            return WordFrequencies(self.epsilon, window=last, shortest=last or 1, sorter=sorter)
        if last:
            return SlidingFrequencies(self.epsilon, last, shortest=last, sorter=sorter)
        return FrequencySummary(self.epsilon, sorter=sorter)


def counted(
    inputs: Inputs, make: Callable[[], ItemCounter], *, words: bool | None
) -> tuple[ItemSummary, Reader]:
    """Return a summary of the items of the inputs, and what has read them.

    Raises EmptySummary if there is no item, and what `summarised` raises.
    """

    def read(reader: Reader) -> Batches:
        return iter(Items(reader, words=words))

    counter, reader = summarised(inputs, "counting", make, read=read)
    if counter.summary is None or not counter.summary.n:
        raise EmptySummary("the input has no number and no word in it, so nothing is frequent")
    return counter.summary, reader


def read_again(inputs: Inputs, *, words: bool, dtype: np.dtype[Any] | None, skip: int) -> Batches:
    """Yield the items of the inputs once more, without NaNs and without the first ones."""
    again = inputs if words or inputs.request.dtype is not None else inputs.of_type(dtype)
    with again.reader("counting exactly", again=True) as reader:
        for batch in Items(reader, words=words):
            found = batch if isinstance(batch, Words) else batch[batch == batch]
            yield found[skip:]
            skip = max(0, skip - len(found))
