"""Keys as text, one a line: written to be read back exactly, and read exactly rounded."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.errors import ForeignFile
from shadersort.keys.types import Keys

__all__ = ["Lines", "Parse", "lines_of", "parsed", "parsed_lines"]


Parse = Callable[[Sequence[bytes], np.dtype[Any]], Keys]
"""Reads words as keys; what is none raises ValueError or OverflowError, which says what it is."""

PIECE = 1 << 20
"""Bytes of text that are read at a time, about."""


def lines_of(keys: Keys) -> bytes:
    r"""Return keys as lines, each with the fewest digits that are read back as the same key.

    The payload and the sign of a NaN are not written.

    Examples
    --------
    >>> lines_of(np.float32([0.1, -0.0, np.nan]))
    b'0.1\n-0.0\nnan\n'
    """
    return "".join(f"{key!s}\n" for key in keys).encode("ascii")


class Lines(Protocol):
    """What lines are read from: a file opened in binary, or something that makes lines of one."""

    def readlines(self, hint: int, /) -> list[bytes]:
        """Return the next lines, of about so many bytes together; none at the end."""


def parsed_lines(
    stream: Lines, name: str, dtype: np.dtype[Any], parse: Parse | None = None
) -> Iterator[Keys]:
    """Yield the keys of a text, some at a time; empty lines are passed over.

    What reads the words of some lines is `parsed`, unless something else is given that raises the
    same errors. Raises ForeignFile, with the number of the line, for what is no number of this
    type.
    """
    lines = count(1)
    parse = parse or parsed
    while read := stream.readlines(PIECE):
        numbered = [(next(lines), line.strip()) for line in read]
        words = [word for _, word in numbered if word]
        try:
            yield parse(words, dtype)
        except (ValueError, OverflowError):
            raise _first_error(numbered, name, dtype, parse) from None


def parsed(words: Sequence[bytes], dtype: np.dtype[Any]) -> Keys:
    """Return the keys nearest to decimal numbers; ties go to the even one.

    Raises ValueError or OverflowError where one is no number, or out of the type's range.

    Examples
    --------
    >>> parsed([b"0.1", b"inf"], np.dtype("float32"))
    array([0.1, inf], dtype=float32)
    """
    if dtype.kind != "f":
        return np.array([int(word) for word in words], dtype)
    doubles = np.fromiter(map(float, words), np.float64, len(words))
    keys: Keys = _rounded(doubles, dtype)
    for i in np.flatnonzero(_midway(doubles, keys)).tolist():
        keys[i] = _rounded(_towards(words[i].decode(), doubles[i]), dtype)
    for i in np.flatnonzero(np.isinf(keys)).tolist():
        if b"inf" not in words[i].lower():  # not said to be infinite, but beyond the range
            raise OverflowError
    return keys


def _rounded(doubles: Any, dtype: np.dtype[Any]) -> Any:
    with np.errstate(all="ignore"):  # what is beyond the range becomes infinite, and is seen then
        return doubles.astype(dtype)


def _midway(doubles: npt.NDArray[np.float64], keys: Keys) -> npt.NDArray[np.bool_]:
    """Return where a double lies halfway between two keys, so that its last digits decide."""
    with np.errstate(all="ignore"):
        nearest = keys.astype(np.float64)
        away = np.where(doubles > nearest, np.inf, -np.inf).astype(keys.dtype)
        other = np.nextafter(keys, away).astype(np.float64)
        return np.asarray((doubles != nearest) & (doubles - nearest == other - doubles))


def _towards(word: str, double: np.float64) -> np.float64:
    """Return a double a little nearer to the decimal that it was rounded from, if they differ."""
    exact, near = Fraction(word), Fraction(float(double))
    if exact == near:
        return double
    return np.float64(np.nextafter(double, np.inf if exact > near else -np.inf))


def _first_error(
    numbered: Sequence[tuple[int, bytes]], name: str, dtype: np.dtype[Any], parse: Parse
) -> ForeignFile:
    """Return the error that names the first line that is no key."""
    for line, word in numbered:
        try:
            parse([word] if word else [], dtype)
        except (ValueError, OverflowError) as error:
            shown = word[:40].decode("ascii", "backslashreplace")
            if parse is not parsed:
                return ForeignFile(f"{name}, line {line}: {shown!r} is {error}")
            what = (
                "beyond the range of" if isinstance(error, OverflowError) else "no number of type"
            )
            return ForeignFile(f"{name}, line {line}: {shown!r} is {what} {dtype}")
    raise AssertionError("one line at least is no key")
