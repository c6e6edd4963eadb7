"""`FrequencySummary`: how often values come, by sorting windows and merging their histograms.

Text is counted by codes: see `text_items.py`.
"""

from dataclasses import replace
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.buffer import Buffer
from shadersort.streams.frequencies.counting_summary import CountingSummary
from shadersort.streams.frequencies.estimates import Estimates, EstimatesAnswered
from shadersort.streams.frequencies.text_items import (
    CODES,
    Codebook,
    gather_texts,
    is_text,
    list_texts,
    pack_texts,
    unpack_texts,
)
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.locked import locked
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays


class FrequencySummary(EstimatesAnswered, CountingSummary):
    """Counts the items that come often in a stream that is too long to keep: numbers or text.

    The first values decide which. Text is str or bytes: one, a list, an array, a column of pandas,
    or an iterator of these. A str and the bytes of its UTF-8 are the same item; None, NaN and
    pandas' NA beside text are missing values, which count as NaNs do.

    **Guarantee**, for n values in any order, parts merged or not: an estimate is never too large,
    and too small by at most `epsilon` · n. `lossy_counting.py` says why.

    The summary holds at most w(1 + ln(n / window)) items with w = ⌈1/epsilon⌉, each with two
    numbers, and less than a window of values besides: 4w, or about 1,024 if that is more. A merged
    summary holds at most as many items as its parts together, until later windows drop some.

    Parameters
    ----------
    epsilon, dtype, sorter
        As for every `WindowedSummary`. −0.0 is counted as 0.0.
    as_printed
        Count as `lossy_counting_as_printed.py` says. `frequent_items` then returns every item whose
        estimate is at least (support − epsilon) · n. The guarantee is the same; the number of items
        has no bound but n / 2.

    Examples
    --------
    >>> import numpy as np
    >>> summary = FrequencySummary(0.001).update(np.arange(100_000) % 1_000 // 400)
    >>> summary.estimate([0, 1, 2, 3])
    array([40000, 40000, 20000,     0])
    >>> summary.frequent_items(0.3)["item"]
    array([0, 1])
    >>> FrequencySummary(0.01).update([7, 5], weights=[10**12, 3]).most_common()
    [(7, 1000000000000), (5, 3)]
    >>> FrequencySummary(0.01).update("to be or not to be".split()).most_common(3)
    [('be', 2), ('to', 2), ('not', 1)]
    """

    _estimates = CountingSummary._cached_answers

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, Hierarchy(), dtype=dtype, sorter=sorter, as_printed=as_printed)
        self._book: Codebook | None = None  # of a summary of text

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values, `np.dtype(str)` for text; None until there are values."""
        return self._dtype if self._book is None else np.dtype(str)

    def update(self, values: Any, weights: Any = None) -> Self:
        """Take in values, which may have weights; return this summary."""
        if weights is None and (self._book or self._dtype is None):
            values = gather_texts(values)
        return super().update(values, weights)

    def _append(self, values: Any) -> bool:
        return self._book is None and super()._append(values)

    def _accept(self, values: Any) -> Any:
        """Return numbers as they are, and the codes of text."""
        if self._book is None and (self._dtype is not None or not is_text(values)):
            return super()._accept(values)
        self._settle()
        self._book = self._book or Codebook()
        return self._book.codes(list_texts(values))

    def _settle(self) -> None:
        """Forget texts that are not needed, if they are many."""
        if self._book and not self._n:
            self._book = self._dtype = None  # missing values alone do not decide
        elif self._book and self._book.is_full:
            self._book = self._book.needed(self._needed_codes())

    def _needed_codes(self) -> Keys:
        return np.union1d(self._levels[0].items, self._waiting())

    def _new_answers(self) -> Any:
        (known,) = super()._new_answers()
        if self._book is None:
            return known
        texts = self._book.texts(known.items)
        order = np.argsort(texts)
        return Estimates(texts[order], known.lower[order], known.upper[order], known.missed)

    def _items_of(self, items: Any) -> Keys:
        if self._book is None:
            return super()._items_of(items)
        return np.array(list_texts(items), object)

    def _merge(self, other: Self) -> None:
        if self._dtype and other._dtype and (self._book is None) != (other._book is None):
            raise SummariesDiffer("one summary is of numbers, the other of text")
        if other._book:
            self._book = self._book or Codebook()
            other = other._recoded(self._book)
        super()._merge(other)

    def _recoded(self, book: Codebook) -> Self:
        """Return this summary of text with the codes of another book."""
        other, mine = object.__new__(type(self)), self._book or book
        other.__dict__.update(self.__dict__)
        (held,) = self._levels
        items = book.codes(mine.texts(held.items).tolist())
        order = np.argsort(items)
        counts, missed = held.counts[order], held.missed[order]
        other._levels = (replace(held, items=items[order], counts=counts, missed=missed),)
        waiting = book.codes(mine.texts(self._waiting()).tolist())
        other._buffer = Buffer(waiting, len(waiting))
        return other

    def _arrays(self) -> dict[str, Keys]:
        if self._book is None:
            return super()._arrays()
        texts = sorted(self._book.texts(self._needed_codes()).tolist())
        ordered = self._recoded(Codebook(texts))  # the same state has the same codes
        arrays = CountingSummary._arrays(ordered).items()
        return {name: each.astype(np.int64) for name, each in arrays} | pack_texts(texts)

    def _restore(self, arrays: Arrays) -> None:
        if "letters" in arrays:
            book = Codebook(unpack_texts(arrays["letters"], arrays["widths"]))
            codes = {name: arrays[name].astype(CODES) for name in ("waiting", "items")}
            super()._restore({**arrays, **codes})
            self._book = book.needed(self._needed_codes())
        else:
            super()._restore(arrays)
