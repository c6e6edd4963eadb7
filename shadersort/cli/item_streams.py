"""Summaries of the items of a command's inputs: of numbers or of words, as the first ones are."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Self

from shadersort.cli.inputs import Inputs
from shadersort.cli.last_items import LastItems
from shadersort.cli.number_streams import summarised
from shadersort.errors import EmptySummary
from shadersort.keys.reading.items import Items
from shadersort.keys.reading.reader import Reader
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, SlidingFrequencies, Sorter, WordFrequencies

Batches = Iterator[Keys | Words]
Counts = FrequencySummary | WordFrequencies
Recent = SlidingFrequencies | WordFrequencies
ItemSummary = Counts | Recent


class ItemCounter:
    """Counts items: numbers or words, which the first ones decide; with `last`, the last ones."""

    def __init__(self, epsilon: float, last: int | None, sorter: Sorter) -> None:
        self._epsilon, self._last, self._sorter = epsilon, last, sorter
        self._counts: Counts | LastItems[Recent, Counts] | None = None

    @property
    def summary(self) -> ItemSummary | None:
        """The summary that answers; None before the first item."""
        return self._counts.answers if isinstance(self._counts, LastItems) else self._counts

    def update(self, items: Batches) -> Self:
        """Take the next items."""
        for batch in items:
            if self._counts is None:
                self._counts = self._begun(words=isinstance(batch, Words))
            self._counts.update(chain([batch], items))
        return self

    def _begun(self, *, words: bool) -> "Counts | LastItems[Recent, Counts]":
        make_all = WordFrequencies if words else FrequencySummary
        every = make_all(self._epsilon, sorter=self._sorter)
        if (last := self._last) is None:
            return every
        lengths: dict[str, Any] = {"window": last, "shortest": last, "sorter": self._sorter}
        recent: type[Recent] = WordFrequencies if words else SlidingFrequencies
        return LastItems(recent.of_any_window(self._epsilon, **lengths), every)


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
