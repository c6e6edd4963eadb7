"""All inputs of a command, one after the other: as batches of numbers of one type."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.errors import ForeignFile, GuessRefuted, UnsupportedKeys
from shadersort.keys.reading.fields import perhaps_delimited
from shadersort.keys.reading.formats import FORMATS, Column, check_request
from shadersort.keys.reading.number_words import (
    FLOAT64,
    INT64,
    NumberWords,
    Parser,
    guessed,
)
from shadersort.keys.reading.opening import Advance, nothing_told, opened
from shadersort.keys.reading.request import Request
from shadersort.keys.reading.words import Words, shown_first
from shadersort.keys.types import Keys

LEAVE_OUT = "; say skip_bad=True to leave such rows out"
"""Advice for missing words."""


def _nobody(said: str) -> None:
    """Ignore what is said."""


class Reader:
    r"""Reads the numbers of several inputs, in their order, with little memory.

    Parameters
    ----------
    paths
        The inputs; "-" is the standard input.
    request
        How they are read.
    parser
        Reads the words of texts; None takes a type of numbers, which is guessed if the request says
        none.
    advance
        Called with the number of bytes that were read.
    tell
        Called with one line about what was guessed.
    widen
        Called if a word is no int64, the type that was guessed, but a float64. It may convert what
        was read before, and reading continues; without it, GuessRefuted is raised.

    Attributes
    ----------
    left_out
        How many words were left out, because they are no numbers of the type.
    first_left_out
        What is wrong with the first of them.
    advice
        What the error of a bad word says after it.
    guessing
        Whether int64 was guessed, which a later word may refute.
    name, form
        The name and the form of the input that is being read.
    stored
        The type of the first array in an input, with its byte order; None for words.

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
        advance: Advance = nothing_told,
        tell: Callable[[str], None] = _nobody,
        widen: Callable[[], None] | None = None,
    ) -> None:
        self._paths, self._request = paths, request or Request()
        self._advance, self._tell, self._widen = advance, tell, widen
        self._parser = parser
        self._dtype: np.dtype[Any] | None = None
        if parser is None and self._request.dtype is not None:
            native = self._request.dtype.newbyteorder("=")
            self._parser = NumberWords(native)
        self.guessing = False
        self.advice = ""
        self.name = self.form = ""
        self.stored: np.dtype[Any] | None = None
        self.left_out = 0
        self.first_left_out = ""

    @property
    def rereadable(self) -> bool:
        """Whether all inputs are files that can be read again."""
        return all(path.is_file() for path in self._paths)

    def numbers(self) -> Iterator[Keys]:
        """Yield the numbers, some at a time, in the byte order of the input.

        Raises
        ------
        ForeignFile
            A word is no number of the type, and bad words are not left out; the message has its
            file, line and column. Or a file holds something else than it should.
        GuessRefuted
            The type that was guessed does not hold a word further on.
        TruncatedFile, KeysNotFlat, UnsupportedKeys, UnknownColumn, MissingPackage
            A file is cut off, or holds no such numbers; or a package is missing.
        """
        for batch, column, name, titled in self.batches():
            if isinstance(batch, Words):
                keys = self._read(batch, column, name, titled=titled)
            else:
                self.stored = self.stored or batch.dtype
                keys = self._of_one_type(batch, name)
            if len(keys):
                yield keys

    def batches(self) -> Iterator[tuple[Keys | Words, Column, str, bool]]:
        """Yield numbers or words, their column, its file, and whether a title may come first."""
        for path in self._paths:
            with self._column(path) as (column, name):
                titled = column.perhaps_titled
                for batch in column.batches:
                    yield batch, column, name, titled
                    titled = titled and not len(batch)

    @contextmanager
    def _column(self, path: Path) -> Iterator[tuple[Column, str]]:
        with opened(path, self._request, self._advance) as source:
            check_request(source, self._request)
            with FORMATS[source.form](source, self._request) as column:
                self.name, self.form = source.name, source.form
                yield column, source.name

    def _of_one_type(self, keys: Keys, name: str) -> Keys:
        """Return keys; raise UnsupportedKeys if the inputs before had another type."""
        native = keys.dtype.newbyteorder("=")
        if not len(keys):
            return keys
        if self._dtype is None:
            self._dtype = native
        if native != self._dtype:
            raise UnsupportedKeys(
                f"{name} holds {native}, and what was read before it {self._dtype}: all inputs "
                "must have one type"
            )
        return keys

    def _read(self, words: Words, column: Column, name: str, *, titled: bool) -> Keys:
        """Return the numbers of words; a word that is none is left out, or named by an error."""
        parser = self._parser or self._guess(words, column, name)
        keys, bad = parser(words)
        if titled and bad[:1].any() and words.widths[0]:  # the title of the column is no bad word
            words, keys, bad = words[1:], keys[1:], bad[1:]
        if not bad.any():
            return self._of_one_type(keys, name)
        if self.guessing and self._is_float(words[bad]):
            return self._widened(words, column, name)
        self._leave_out(words[bad], column, name)
        return self._of_one_type(keys[~bad], name)

    def _leave_out(self, bad: Words, column: Column, name: str) -> None:
        """Count bad words as left out, or raise ForeignFile if they may not be."""
        said = self._what_is_wrong(bad[:1], column, name)
        if not self._request.skip_bad:
            raise ForeignFile(said + (self.advice if bad.widths[0] else LEAVE_OUT))
        if not self.left_out:
            self.first_left_out = said
        self.left_out += len(bad)

    def _guess(self, words: Words, column: Column, name: str) -> Parser:
        """Return what reads words of their own type, and keep it for the words that follow."""
        if self._dtype is not None:
            self._parser = NumberWords(self._dtype)
            return self._parser
        found = guessed(words)
        if found is None:
            return NumberWords(INT64)
        self.guessing = found == INT64
        self._parser = NumberWords(found)
        self._tell(f"{name}{column.place}: the words are read as {found}")
        return self._parser

    def _is_float(self, words: Words) -> bool:
        """Whether a float64 would hold words that the guessed int64 does not."""
        _, bad = NumberWords(FLOAT64)(words)
        return not bad.all()

    def _widened(self, words: Words, column: Column, name: str) -> Keys:
        """Read on as float64; raise GuessRefuted if what was read before cannot be converted."""
        _, bad = NumberWords(INT64)(words)
        _, none = NumberWords(FLOAT64)(words)
        wrong = words[np.flatnonzero(bad & ~none)[:1]]
        if self._widen is None:
            where = f"{name}, line {wrong.lines[0]}{column.place}"
            raise GuessRefuted(
                f"{where}: {shown_first(wrong)} is no int64, the type guessed from the first "
                "words: say dtype='float64'"
            )
        if self._dtype is not None:
            self._widen()
        self.guessing, self._dtype, self._parser = False, FLOAT64, NumberWords(FLOAT64)
        self._tell(f"{name}{column.place}: the words are read as float64 after all")
        return self._read(words, column, name, titled=False)

    def _what_is_wrong(self, words: Words, column: Column, name: str) -> str:
        """Say where the first of some bad words is, and why it is none."""
        where = f"{name}, {column.unit} {words.lines[0]}{column.place}"
        word = words.listed()[0]
        if not word:
            return f"{where}: there is no word"
        parser = self._parser or NumberWords(FLOAT64)
        table = (
            self.form == "text" and not column.place and len(word.replace(b",", b" ").split()) > 1
        )
        advice = ". For a table, say form='csv' or column=1" if table else ""
        if self.form == "csv":
            advice = perhaps_delimited(word.decode("utf-8", "replace"))
        return f"{where}: {shown_first(words)} is {parser.why(word)}{advice}"
