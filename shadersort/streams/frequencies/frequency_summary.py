"""`FrequencySummary`: how often values come, by sorting windows and merging their histograms.

Text is counted by codes: see `text_items.py`.
"""

from dataclasses import replace
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary, NaNRefused, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams.buffer import Buffer
from shadersort.streams.frequencies.estimates import Estimates, EstimatesAnswered
from shadersort.streams.frequencies.lossy_counting import LossyCounts, buckets_of_windows
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts
from shadersort.streams.frequencies.text_items import (
    CODES,
    TOGETHER,
    Codebook,
    gather_texts,
    is_text,
    list_texts,
    pack_texts,
    unpack_texts,
)
from shadersort.streams.locked import locked
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.weights import checked_weights
from shadersort.streams.windowed import WindowedSummary


class FrequencySummary(WindowedSummary, EstimatesAnswered):
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
        Count as Govindaraju, Raghuvanshi and Manocha 2005 print it in section 5.1, see
        `lossy_counting_as_printed.py`: windows of ⌈1/epsilon⌉, after each of which the items that
        have come once are deleted. `frequent_items` then returns every item whose estimate is at
        least (support − epsilon) · n. The guarantee is the same; the number of items has no bound
        but n / 2.

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

    _highlights = EstimatesAnswered._highlights

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
        as_printed: bool = False,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, sorter=sorter, as_printed=as_printed)
        self._bucket, self._buckets = buckets_of_windows(self.epsilon)
        if as_printed:
            self._buckets = 1
        self._held = self._no_counts(self._buffer.array.dtype)
        self._book: Codebook | None = None

    def _no_counts(self, dtype: np.dtype[Any]) -> LossyCounts:
        kind = PrintedCounts if self.as_printed else LossyCounts
        return kind.empty(self._bucket, dtype)

    @property
    def _window(self) -> int:
        return self._bucket * self._buckets

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values, `np.dtype(str)` for text; None until there are values."""
        return self._dtype if self._book is None else np.dtype(str)

    def update(self, values: Any, weights: Any = None) -> Self:
        """Take in values, which may have weights; return this summary."""
        return super().update(gather_texts(values), weights)

    def _append(self, values: Any) -> bool:
        return self._book is None and super()._append(values)

    def _accepted(self, values: Any) -> Any:
        """Return numbers as an array, and text as a list."""
        return list_texts(values) if self._takes_text(values) else super()._accepted(values)

    def _takes_text(self, values: Any) -> bool:
        return self._book is not None or (self._dtype is None and is_text(values))

    def _take(self, keys: Any) -> None:
        if not isinstance(keys, list):
            super()._take(keys)
            return
        for first in range(0, len(keys), TOGETHER):
            part = keys[first : first + TOGETHER]
            texts = [text for text in part if text is not None]
            self._see(0, len(part) - len(texts))
            super()._take(self.sorter.accepted(self._codes(texts), CODES))
            self._forget()

    def _take_weighted(self, values: Any, weights: Any) -> None:
        if not self._takes_text(values):
            super()._take_weighted(values, weights)
            return
        texts = list_texts(values)
        counts = checked_weights(weights, len(texts))
        missing = np.array([text is None for text in texts], np.bool_)
        self._see(0, int(counts[missing].sum()))
        kept = ~missing & (counts > 0)
        some = [texts[place] or "" for place in np.flatnonzero(kept).tolist()]
        self._take_repeated(self._codes(some), counts[kept])
        self._forget()

    def _codes(self, texts: list[str]) -> Keys:
        """Return the codes of texts; there is a book from the first text on."""
        if self._book is None and texts:
            self._book = Codebook()
        return self._book.codes(texts) if self._book else np.empty(0, CODES)

    def _forget(self) -> None:
        """Forget texts that are not needed, if they are many."""
        if self._book is not None and self._book.is_full:
            self._settle()
            self._book = self._book.needed(self._needed_codes())

    def _needed_codes(self) -> Keys:
        return np.union1d(self._held.items, self._waiting())

    def _estimates(self) -> Estimates:
        estimates: Estimates = self._known()
        return estimates

    def _new_answers(self) -> Estimates:
        known = self._held.known(*item_counts(self._waiting()))
        if self._book is None:
            return known
        texts = self._book.texts(known.items)
        order = np.argsort(texts)
        return Estimates(texts[order], known.lower[order], known.upper[order], known.missed)

    def _items_of(self, items: Any) -> Keys:
        if self._book is None:
            return super()._items_of(items)
        texts = list_texts(items)
        if None in texts:
            raise NaNRefused("a missing value is no item: `nans` is the number of those seen")
        return np.array([*texts, None], object)[:-1]

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        if self._dtype is None:
            self._held = self._no_counts(dtype)
        super()._adopt(dtype)

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            found = self.sorter.sorted_windows(windows)
        self._held = self._held.with_windows(found, self._buckets, self._timed)

    def _absorb_equal(self, value: Keys, windows: int) -> None:
        count = np.array([windows * self._window])
        self._held = self._held.with_window(value, count, windows * self._buckets, self._timed)

    def _merge(self, other: Self) -> None:
        typed = self._dtype is not None and other._dtype is not None
        if typed and (self._book is None) != (other._book is None):
            raise SummariesDiffer("one summary is of numbers, the other of text")
        if other._book is not None:
            self._book = self._book or Codebook()
            other = other._recoded(self._book.codes)
        super()._merge(other)
        self._forget()

    def _recoded(self, codes: Any) -> Self:
        """Return this summary of text with other codes, which a function gives to texts."""
        assert self._book is not None
        other, book = object.__new__(type(self)), self._book
        other.__dict__.update(self.__dict__)
        items = codes(book.texts(self._held.items).tolist())
        order = np.argsort(items)
        counts, missed = self._held.counts[order], self._held.missed[order]
        other._held = replace(self._held, items=items[order], counts=counts, missed=missed)
        waiting = codes(book.texts(self._waiting()).tolist())
        other._buffer = Buffer(waiting, len(waiting))
        return other

    def _merge_state(self, other: Self) -> None:
        self._held = self._held.merged(other._held, self._timed)

    def _entries(self) -> int:
        return len(self._held.items)

    def _arrays(self) -> dict[str, Keys]:
        if self._book is None:
            held = {} if self._dtype is None else self._held.arrays()
            return super()._arrays() | held
        texts = sorted(self._book.texts(self._needed_codes()).tolist())
        ordered = self._recoded(Codebook(texts).codes)  # the same state has the same codes
        waiting = ordered._waiting()
        return {"waiting": waiting, **ordered._held.arrays(), **pack_texts(texts)}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        full, rest = divmod(self._n - self._filled, self._window)
        if rest:
            raise CorruptSummary("more or fewer values wait than the length of the stream says")
        if self._dtype is not None:
            self._held = self._held.restored(arrays, full * self._buckets, self._buckets)
        if "letters" in arrays:
            texts = unpack_texts(arrays["letters"], arrays["widths"])
            of_codes = self._asked_dtype is None and self._dtype == CODES
            if not of_codes or not np.array_equal(self._needed_codes(), range(len(texts))):
                raise CorruptSummary("the items are not those of the texts")
            self._book = Codebook(texts)
