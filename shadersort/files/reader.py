"""All inputs of a command, one after the other: as batches of numbers of one type, or of words."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from shadersort.errors import ForeignFile, GuessRefuted, UnsupportedKeys
from shadersort.files.arrays import npy_batches, npz_batches, raw_batches
from shadersort.files.lines import advise_delimiter, csv_column, json_words, text_words
from shadersort.files.opening import Advance, Column, Input, open_input
from shadersort.files.request import LINES, Request
from shadersort.files.tables import table_batches
from shadersort.files.words import FLOAT64, INT64, NumberWords, Parser, Words
from shadersort.keys.types import Keys

FORMATS: dict[str, Callable[[Input, Request], Iterator[Any]]] = {
    **{"npy": npy_batches, "npz": npz_batches, "raw": raw_batches, "text": text_words},
    **{"jsonl": json_words, "parquet": table_batches, "arrow": table_batches},
}
"""The function that yields the requested column of an input, by the name of the format."""


class Reader:
    r"""Reads the numbers of several inputs, in their order, with little memory.

    `parser` reads the words of texts; None takes the type of the request, or guesses one. `advance`
    is called with the number of bytes that were read, and `tell` with one line about what was
    guessed. `widen` is called if a word is no int64, the type that was guessed, but a float64: it
    may convert what was read before, and reading continues; without it, GuessRefuted is raised.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "times.csv")
    ...     _ = path.write_text("name,ms\na,12\nb,n/a\nc,7\n")
    ...     reader = Reader([path], Request(column="ms", skip_bad=True))
    ...     print(list(reader.numbers()), reader.left_out)
    [array([12,  7])] 1
    """

    def __init__(
        self,
        paths: Sequence[Path],
        request: Request | None = None,
        *,
        parser: Parser | None = None,
        advance: Advance = lambda count: None,
        tell: Callable[[str], None] = lambda said: None,
        widen: Callable[[], None] | None = None,
    ) -> None:
        self._paths, self._request = paths, request or Request()
        self._advance, self._tell, self._widen = advance, tell, widen
        self._parser, typed = parser, self._request.dtype
        if parser is None and typed is not None:
            self._parser = NumberWords(typed.newbyteorder("="))
        self._dtype: np.dtype[Any] | None = None  # of what was read
        self._guessing = False  # whether int64 was guessed, which a later word may refute
        self._titles_told = False
        self.advice = ""  # what the error of a bad word says after it
        self.name = self.form = ""  # of the input that is being read
        self.stored: np.dtype[Any] | None = None  # of the first array, with its byte order
        self.left_out, self.first_left_out = 0, ""  # how many words; and what is wrong with one

    def numbers(self) -> Iterator[Keys]:
        """Yield the numbers, some at a time, in the byte order of the input.

        Raises ForeignFile for a word that is no number of the type, unless bad words are left out;
        GuessRefuted if the guessed type does not hold a word further on; and what formats raise.
        """
        yield from cast("Iterator[Keys]", self.items(words=False))

    def items(self, *, words: bool | None = None) -> Iterator[Keys | list[bytes]]:
        """Yield numbers; or words, if one of the first words (about a megabyte) is no number.

        If bad words are left out, all of them must be no numbers. `words` says whether items are
        words; a type that was requested says that they are numbers.
        """
        words = False if self._request.dtype is not None else words
        for batch, column in self._batches():
            if words and not isinstance(batch, Words):
                raise UnsupportedKeys(f"{column.name} holds {batch.dtype}, no words")
            if words is None:
                words = isinstance(batch, Words) and self._are_words(batch, column)
            if isinstance(batch, Words) and words is not False:
                found: Keys | list[bytes] = self._words_of(batch, column)
            else:
                found = self._numbers_of(batch, column)
            if len(found):
                yield found

    def _batches(self) -> Iterator[tuple[Keys | Words, Column]]:
        for path in self._paths:
            with open_input(path, self._request, self._advance) as source:
                column, self.name, self.form = self._open(source), source.name, source.form
                for batch in column.batches:
                    yield batch, column
                    column.titled = column.titled and not len(batch)

    def _open(self, source: Input) -> Column:
        if source.form not in FORMATS:
            return csv_column(source, self._request)
        named, batches = self._request.column, FORMATS[source.form](source, self._request)
        place = "" if named is None else f", column {named}"
        return Column(batches, source.name, place, "line" if source.form in LINES else "row")

    def _numbers_of(self, batch: Keys | Words, column: Column) -> Keys:
        """Return the numbers of a batch; raise UnsupportedKeys if those before had another type."""
        if isinstance(batch, Words):
            keys = self._parse(batch, column)
        else:
            keys, self.stored = batch, self.stored or batch.dtype
        native = keys.dtype.newbyteorder("=")
        if len(keys) and native != (self._dtype or native):
            before = f"what was read before it {self._dtype}: all inputs must have one type"
            raise UnsupportedKeys(f"{column.name} holds {native}, and {before}")
        self._dtype = native if len(keys) else self._dtype
        return keys

    def _parse(self, batch: Words, column: Column) -> Keys:
        """Return words as numbers; leave out bad words, or raise ForeignFile for the first."""
        parser = self._parser or self._guess(batch, column)
        keys, bad = parser(batch)
        if column.titled and bad[:1].any() and batch.texts[0]:  # a title is no bad word
            batch, keys, bad = Words(batch.texts[1:], batch.lines[1:]), keys[1:], bad[1:]
        if not bad.any():
            return keys
        if self._guessing and not (no_float := NumberWords(FLOAT64)(batch)[1])[bad].all():
            self._read_on_as_floats(batch.where(bad & ~no_float), column)
            column.titled = False
            return self._parse(batch, column)
        self._leave_out(batch.where(bad), column)
        return keys[~bad]

    def _guess(self, batch: Words, column: Column) -> Parser:
        """Return a parser for the type of some words; keep it for the words that follow."""
        if (found := self._dtype or batch.guess_type()) is None:
            return NumberWords(INT64)
        if self._dtype is None:
            self._guessing = found == INT64
            self._tell(f"{column.name}{column.place}: the words are read as {found}")
        self._parser = NumberWords(found)
        return self._parser

    def _read_on_as_floats(self, refuting: Words, column: Column) -> None:
        """Read on as float64; raise GuessRefuted if what was read before cannot be converted."""
        if self._widen is None:
            where = f"{column.name}, line {refuting.lines[0]}{column.place}"
            advice = "the type guessed from the first words: say dtype='float64'"
            raise GuessRefuted(f"{where}: {refuting.show_first()} is no int64, {advice}")
        if self._dtype is not None:
            self._widen()
        self._guessing, self._dtype, self._parser = False, FLOAT64, NumberWords(FLOAT64)
        self._tell(f"{column.name}{column.place}: the words are read as float64 after all")

    def _are_words(self, batch: Words, column: Column) -> bool | None:
        """Return whether words are counted, not numbers; None if a batch has no words."""
        words = Words([text for text in batch.texts[int(column.titled) :] if text], ())
        if not words.texts:
            return None
        bad = words.no_numbers()
        if not bad.any() or (self._request.skip_bad and not bad.all()):
            return False
        shown = words.where(bad).show_first()
        self._tell(f"{column.name}{column.place}: words are counted, as {shown} is no number")
        return True

    def _words_of(self, batch: Words, column: Column) -> list[bytes]:
        """Return words without the title of their column; a missing one is a bad word."""
        first = Words(batch.texts[:1], batch.lines[:1])
        if column.titled and any(first.texts) and first.no_numbers()[0]:
            taken = f"{first.show_first()} is taken for a title; say header=False if it is none"
            if not self._titles_told:
                self._tell(f"{column.name}{column.place}: {taken}")
            batch, self._titles_told = Words(batch.texts[1:], batch.lines[1:]), True
        if not all(batch.texts):
            missing = np.array([not text for text in batch.texts], np.bool_)
            self._leave_out(batch.where(missing), column)
        return list(filter(None, batch.texts))

    def _leave_out(self, bad: Words, column: Column) -> None:
        """Count bad words as left out, or raise ForeignFile if they may not be."""
        said = self._describe(bad, column)
        if not self._request.skip_bad:
            missing = "; say skip_bad=True to leave such rows out"
            raise ForeignFile(said + (self.advice if bad.texts[0] else missing))
        self.first_left_out = self.first_left_out or said
        self.left_out += len(bad)

    def _describe(self, bad: Words, column: Column) -> str:
        """Say where the first of some bad words is, and why it is no number."""
        where, word = f"{column.name}, {column.unit} {bad.lines[0]}{column.place}", bad.texts[0]
        if not word:
            return f"{where}: there is no word"
        advice = ""
        if self.form == "csv":
            advice = advise_delimiter(word.decode("utf-8", "replace"))
        elif self.form == "text" and not column.place and len(word.replace(b",", b" ").split()) > 1:
            advice = ". For a table, say form='csv' or column=1"
        why = (self._parser or NumberWords(FLOAT64)).why(word)
        return f"{where}: {bad.show_first()} is {why}{advice}"
