"""Strings as items of a `FrequencySummary`: each text that is needed has a number, its code.

The codes are counted as numbers are, and two texts never share a code. A `Codebook` gives a text
that it does not know the next code. It may forget a text that is neither held by the summary nor
waits for its window: if that text comes again, it gets a new code, and is a new item. So a book
needs at most twice the entries of its summary and 65,536 more. Answers are in the order of texts.

A str and the bytes of its UTF-8 are one text. Bytes that are no UTF-8 become a str with surrogate
escapes, as file names do (`os.fsdecode`).
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import chain, count, groupby, islice
from operator import length_hint
from typing import Any

import numpy as np

from shadersort.errors import KeysNotFlat, UnsupportedKeys
from shadersort.keys.types import Keys

CODES = np.dtype(np.float64)  # integers, and NaN for a missing value; in bytes they are int64
MISSING = float("nan")  # stands for each missing value in a list of texts
SPARE = 1 << 16  # texts that a book may know without need
TOGETHER = 1 << 16  # texts that are taken together


class Codebook:
    """Texts and their codes. Copies of a summary may share a book: a code never changes."""

    def __init__(
        self, texts: Iterable[str] = (), codes: Iterable[float] | None = None, unused: int = 0
    ) -> None:
        self._text_of = dict(zip(count() if codes is None else codes, texts, strict=False))
        self._code_of = {MISSING: MISSING} | {text: code for code, text in self._text_of.items()}
        self.unused = max(unused, len(self._text_of))  # the next code
        self._most = SPARE + 2 * len(self._text_of)

    @property
    def is_full(self) -> bool:
        """Whether texts that are not needed should be forgotten."""
        return len(self._text_of) > self._most

    def codes(self, texts: list[Any]) -> Keys:
        """Return the code of each text, a new one for a text that is not known."""
        known = self._code_of
        for text in dict.fromkeys(texts):
            if text not in known:
                self._text_of[self.unused], known[text] = text, self.unused
                self.unused += 1
        return np.fromiter(map(known.__getitem__, texts), CODES, len(texts))

    def texts(self, codes: Keys) -> Keys:
        """Return the texts of codes, an array of objects."""
        return np.array([self._text_of[code] for code in codes.tolist()], object)

    def needed(self, codes: Keys) -> "Codebook":
        """Return a book of some codes only."""
        return Codebook(self.texts(codes), codes.tolist(), self.unused)


def list_texts(values: Any) -> list[Any]:
    """Return one text, or a list or an array of texts, as a list of str and of MISSING.

    Raises UnsupportedKeys for values that are no texts, and KeysNotFlat.
    """
    if not isinstance(values, list | tuple):
        values = [values] if _is_single(values) else np.asarray(values, object)
        if np.ndim(values) > 1:
            raise KeysNotFlat("texts have one dimension: pass values.ravel()")
        values = np.ravel(values).tolist() if isinstance(values, np.ndarray) else values
    return [_text_of(value) for value in values]


def _text_of(value: Any) -> str | float:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if _is_missing(value):
        return MISSING
    raise UnsupportedKeys(f"texts are str or bytes, and some of these are {type(value).__name__}")


def _is_missing(value: Any) -> bool:
    """Whether a value is None, a NaN, or pandas' NA, which equals nothing."""
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ == "NAType"


def _is_single(value: Any) -> bool:
    return isinstance(value, str | bytes) or _is_missing(value)


def is_text(values: Any) -> bool:
    """Whether values are a text, or a list or an array whose first value is one."""
    if isinstance(values, str | bytes):
        return True
    if not isinstance(values, list | tuple):
        kind = getattr(values, "dtype", getattr(values, "type", None))
        if isinstance(kind, np.dtype) and kind.kind != "O":
            return kind.kind in "SUT"
        if kind is None or not str(kind).lower().startswith(("obj", "str", "large", "cat", "dict")):
            return False
        values = chain(np.ravel(np.asarray(values, object)), [""])  # text, if no value says more
    return isinstance(next((each for each in values if not _is_missing(each)), None), str | bytes)


def gather_texts(values: Any) -> Any:
    """Return values; of an iterator or of many texts, an iterator of at most TOGETHER texts."""
    if isinstance(values, Iterator):
        groups = groupby(values, _is_single)
        return chain.from_iterable(_lists(group) if single else group for single, group in groups)
    length = length_hint(values)
    if length <= TOGETHER or isinstance(values, str | bytes) or not is_text(values):
        return values
    return iter(np.array_split(np.asarray(values, object), length // TOGETHER + 1))


def _lists(texts: Iterator[Any]) -> Iterator[list[Any]]:
    return iter(lambda: list(islice(texts, TOGETHER)), [])


def pack_texts(texts: Iterable[str]) -> dict[str, Keys]:
    """Return texts as flat arrays by name, for the bytes of a summary."""
    words = [text.encode("utf-8", "surrogatepass") for text in texts]
    widths = np.fromiter(map(len, words), np.int64, len(words))
    return {"letters": np.frombuffer(b"".join(words), np.uint8), "widths": widths}


def unpack_texts(letters: Keys, widths: Keys) -> list[str]:
    """Return the texts of arrays that `pack_texts` made; of others, any texts that fit in them."""
    data = BytesIO(letters.tobytes())
    return [data.read(width).decode("utf-8", "surrogatepass") for width in widths.tolist()]
