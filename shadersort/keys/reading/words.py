"""Words of a text: places in a block of bytes, so that many are handled at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers

Bytes = npt.NDArray[np.uint8]
"""A block of bytes."""

SHOWN = 40
"""Characters of a word that a message shows."""
BLANKS = b" \t\n\r\v\f"
"""White space around a word in every format: that of ASCII, as `bytes.strip` takes it."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words, each a part of one block of bytes.

    A word without bytes stands for a value that is missing.
    """

    data: Bytes
    starts: Integers  # the place of the first byte of each word
    ends: Integers  # the place after its last byte
    lines: Integers  # the line or row of each word, from 1

    @classmethod
    def of(cls, words: Sequence[bytes], lines: Integers) -> Self:
        """Return words from a list.

        Examples
        --------
        >>> Words.of([b"1", b"", b"2.5"], np.arange(1, 4)).listed()
        [b'1', b'', b'2.5']
        """
        ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if len(words) else ends
        return cls(np.frombuffer(b"".join(words), np.uint8), starts, ends, lines)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, which: Any) -> Self:
        """Return some of the words, by an array of places, a mask or a slice."""
        return type(self)(self.data, self.starts[which], self.ends[which], self.lines[which])

    @property
    def widths(self) -> Integers:
        """The number of bytes of each word."""
        return self.ends - self.starts

    def listed(self) -> list[bytes]:
        """Return the words as a list."""
        data = self.data.tobytes()
        places = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [data[start:end] for start, end in places]

    def letters_at(self, place: int, out: Bytes) -> None:
        """Write the byte at one place of each word; a word that is shorter has a zero there."""
        if not len(self.data):
            return
        at = self.starts + place
        np.take(self.data, at, out=out, mode="clip")
        out[at >= self.ends] = 0

    def stripped(self) -> Self:
        """Return the words without white space at either end."""
        starts, ends = self.starts.copy(), self.ends.copy()
        left = np.flatnonzero(starts < ends)
        while len(left := left[are_blank(self.data[starts[left]])]):
            starts[left] += 1
            left = left[starts[left] < ends[left]]
        right = np.flatnonzero(starts < ends)
        while len(right := right[are_blank(self.data[ends[right] - 1])]):
            ends[right] -= 1
        return type(self)(self.data, starts, ends, self.lines)

    def filled(self) -> Self:
        """Return the words that have a byte."""
        some = self.starts < self.ends
        return self if some.all() else self[some]


def are_blank(letters: Bytes) -> npt.NDArray[np.bool_]:
    r"""Return which bytes are white space.

    Examples
    --------
    >>> are_blank(np.frombuffer(b" \r\x00", np.uint8))
    array([ True,  True, False])
    """
    return np.asarray(
        (letters == BLANKS[0]) | (letters - np.uint8(9) < 5)
    )  # \t\n\v\f\r are 9 to 13


def shown_first(words: Words) -> str:
    r"""Return the first of some words as messages show it.

    Examples
    --------
    >>> print(shown_first(Words.of([b"caf\xc3\xa9"], np.arange(1))))
    'café'
    >>> print(shown_first(Words.of([b"caf\xe9"], np.arange(1))))
    'caf\xe9'
    """
    word = words[:1].listed()[0]
    try:
        return repr(word.decode()[:SHOWN])
    except UnicodeDecodeError:  # it has another encoding
        return repr(word[:SHOWN])[1:]
