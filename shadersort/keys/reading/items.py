"""Items of inputs: numbers, or words if the first words are not all numbers."""

from collections.abc import Iterator

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.keys.reading.formats import Column
from shadersort.keys.reading.number_words import no_numbers
from shadersort.keys.reading.reader import Reader
from shadersort.keys.reading.words import Words, shown_first
from shadersort.keys.types import Keys


class Items:
    r"""The items of the inputs of a reader, some at a time.

    Items are words if one of the first words, about a megabyte of them, is no number; but if bad
    words are left out, only if none of them is one. What was guessed is told. The first row of a
    CSV is titles if its word is no number and nobody said what it is.

    Parameters
    ----------
    reader
        Reads the inputs. A type that its request names makes items numbers.
    words
        Whether items are words; None guesses.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from shadersort.keys.reading.request import Request
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "pages.csv")
    ...     _ = path.write_text("page,ms\n/a,12\n/b,7\n")
    ...     for name in ("page", "ms"):
    ...         [batch] = Items(Reader([path], Request(column=name)))
    ...         print(batch.listed() if isinstance(batch, Words) else batch)
    [b'/a', b'/b']
    [12  7]
    """

    def __init__(self, reader: Reader, *, words: bool | None = None) -> None:
        self._reader, self._words = reader, words
        if reader._request.dtype is not None:
            self._words = False
        self._titles_told = False

    def __iter__(self) -> Iterator[Keys | Words]:
        for batch, column, name, titled in self._reader.batches():
            found = self._batch(batch, column, name, titled=titled)
            if len(found):
                yield found

    def _batch(
        self, batch: Keys | Words, column: Column, name: str, *, titled: bool
    ) -> Keys | Words:
        if not isinstance(batch, Words):
            if self._words:
                raise UnsupportedKeys(f"{name} holds {batch.dtype}, no words")
            self._words = False
            return self._reader._of_one_type(batch, name)
        if self._words is None:
            self._words = self._guess(batch[int(titled) :].filled(), column, name)
        if self._words is False:
            return self._reader._read(batch, column, name, titled=titled)
        return self._all_there(self._untitled(batch, column, name, titled=titled), column, name)

    def _guess(self, words: Words, column: Column, name: str) -> bool | None:
        """Return whether some words are counted as words; None if there are none."""
        if not len(words):
            return None
        bad = no_numbers(words)
        if not bad.any() or (self._reader._request.skip_bad and not bad.all()):
            return False
        shown = shown_first(words[bad])
        self._reader._tell(f"{name}{column.place}: words are counted, as {shown} is no number")
        return True

    def _untitled(self, words: Words, column: Column, name: str, *, titled: bool) -> Words:
        """Return words without the title of their column, if the first of them is one."""
        if not (titled and len(words) and words.widths[0] and no_numbers(words[:1])[0]):
            return words
        if not self._titles_told:
            taken = f"{shown_first(words)} is taken for a title"
            self._reader._tell(f"{name}{column.place}: {taken}; say header=False if it is none")
        self._titles_told = True
        return words[1:]

    def _all_there(self, words: Words, column: Column, name: str) -> Words:
        """Return the words that are not missing; a missing one is a bad word."""
        missing = words.starts == words.ends
        if not missing.any():
            return words
        self._reader._leave_out(words[np.flatnonzero(missing)], column, name)
        return words[~missing]
