"""Words of a text as addresses and ports, many at a time."""

from dataclasses import dataclass
from ipaddress import AddressValueError, IPv6Address
from socket import AF_INET6, inet_pton
from typing import Any, ClassVar

import numpy as np

from shadersort.keys.reading.words import Bytes, Words
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.word_hashes import PART, lengthened, parts_of

POINT, ZERO, COLON, OPENING, CLOSING, PERCENT = b".0:[]%"
OCTETS, BYTES = 4, 16
"""Bytes of an address of version 4, and of version 6."""
LONGEST, WIDTH = 15, 16
"""Letters of the longest IPv4 address, and bytes of a row that holds one and what ends it."""
ZEROS, END = np.uint64(0x3030303030303030), POINT ^ ZERO
"""Turns eight digits into numbers, and what becomes of a point."""
LEAST = np.array([256, 0, 10, 100, 256], np.uint16)
"""The least number of so many digits; no number of an address has none or more than three."""
MOST_DIGITS = 5
"""Digits of a port."""


@dataclass(frozen=True, slots=True)
class AddressWords:
    """Reads words as IPv4 addresses in dotted form: numbers of 32 bits.

    It accepts what Python's `ipaddress` accepts: four numbers up to 255, without leading zeros.

    Examples
    --------
    >>> AddressWords()(Words.of([b"10.1.2.3", b"10.1.2", b"0.0.0.256"], np.arange(3)))
    (array([167838211,         0,         0], dtype=uint32), array([False,  True,  True]))
    """

    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.uint32)

    def __call__(self, words: Words) -> tuple[Keys, Mask]:
        """Return a number for each word, and which words are none; their numbers are zero."""
        rows = _digits(words)
        ends, bad = _ends_of_octets(rows)
        bad |= words.widths > LONGEST
        octets, wrong = _octets(rows.reshape(-1), ends)
        bad |= wrong
        numbers = octets.view(">u4").astype(np.uint32)
        numbers[bad] = 0
        return numbers, bad

    def why(self, word: bytes) -> str:
        """Say why a word is no address."""
        if not word:
            return "missing"
        return f"no IPv4 address{for_both(word.decode('utf-8', 'replace'))}"


def _digits(words: Words) -> Bytes:
    """Return a row of 16 bytes for each word: its digits as numbers, and END for points.

    END follows the word, and then zeros. Other letters are more than 9, but not END.
    """
    widths = np.minimum(words.widths, LONGEST)
    data = lengthened(words)
    rows = np.empty((len(words), WIDTH // PART), "<u8")
    for i in range(rows.shape[1]):
        rows[:, i] = parts_of(data, words.starts + PART * i, widths - PART * i, ZEROS)
    digits = rows.view(np.uint8)
    digits[np.arange(len(words)), widths] = END
    return digits


def _ends_of_octets(rows: Bytes) -> tuple[Integers, Mask]:
    """Return where the four octets of each row end, and which rows have others than four.

    Those rows are overwritten.
    """
    letters = rows.reshape(-1)
    ends = np.flatnonzero(letters > 9)
    bad = np.bincount(ends // WIDTH, minlength=len(rows)) != OCTETS
    bad[ends[letters[ends] != END] // WIDTH] = True
    if bad.any():
        rows[bad] = [0, END] * OCTETS + [0] * (WIDTH - 2 * OCTETS)
        ends = np.flatnonzero(letters > 9)
    return ends, bad


def _octets(letters: Bytes, ends: Integers) -> tuple[Bytes, Mask]:
    """Return the numbers that end at some places, and which rows have one not from 0 to 255."""
    widths = np.diff(ends, prepend=-1) - 1
    widths[::OCTETS] = ends[::OCTETS] % WIDTH
    numbers = letters[ends - 1].astype(np.uint16)
    numbers += letters[ends - 2] * (widths > 1) * np.uint8(10)
    numbers += letters[ends - 3] * (widths > 2) * np.uint16(100)
    wrong = (numbers < LEAST.take(widths, mode="clip")) | (numbers > 255)
    return numbers.astype(np.uint8), wrong.view(np.uint32) != 0


def for_both(text: str) -> str:
    """Return what an error about a text says next, if the text is an IPv6 address.

    Examples
    --------
    >>> for_both("::1"), for_both("10.0.0.256")
    ("; for IPv6 pass hierarchy='ip'", '')
    """
    try:
        IPv6Address(text)
    except AddressValueError:
        return ""
    return "; for IPv6 pass hierarchy='ip'"


def ipv6_bytes(words: Words) -> tuple[Bytes, Mask]:
    """Return IPv6 addresses as rows of 16 bytes, and which words are none.

    It accepts what Python's `ipaddress` accepts, but no scope, as in fe80::1%eth0.

    Examples
    --------
    >>> rows, bad = ipv6_bytes(Words.of([b"2001:db8::1", b"::1%eth0"], np.arange(2)))
    >>> rows[0].tobytes().hex(), bad
    ('20010db8000000000000000000000001', array([False,  True]))
    """
    found = [_ipv6(word) for word in words.listed()]
    bad = np.fromiter((each is None for each in found), np.bool_, len(found))
    joined = b"".join(each or bytes(BYTES) for each in found)
    return np.frombuffer(joined, np.uint8).reshape(-1, BYTES), bad


def _ipv6(word: bytes) -> bytes | None:
    """Return the bytes of an IPv6 address, or None."""
    try:
        text = word.decode("ascii")
        if POINT not in word and PERCENT not in word:
            return inet_pton(AF_INET6, text)
    except (OSError, ValueError):
        pass  # ipaddress decides
    try:
        return None if PERCENT in word else IPv6Address(word.decode("ascii")).packed
    except ValueError:
        return None


def ports_of(words: Words) -> tuple[Words, Bytes, Mask]:
    """Return the hosts of words without brackets, their ports, and which words have no port.

    The words lie in a compact block. A port is two bytes, the higher one first. A host begins
    behind its word if it has brackets.

    Examples
    --------
    >>> hosts, ports, bad = ports_of(Words.of([b"10.0.0.1:443", b"[::1]:80", b"::1"], np.arange(3)))
    >>> hosts[~bad].listed(), ports.tolist(), bad.tolist()
    ([b'10.0.0.1', b'::1'], [[1, 187], [0, 80], [0, 0]], [False, False, True])
    """
    colons = np.flatnonzero(words.data == COLON)
    count = np.searchsorted(colons, words.ends)
    last = np.append(colons, -1)[count - 1]
    bad = last < words.starts
    last = np.where(bad, words.starts, last)
    ports, wrong = _numbers(Words(words.data, last + 1, words.ends, words.lines))
    letters = np.append(words.data, np.zeros(1, np.uint8))
    opened, closed = letters[words.starts] == OPENING, letters[np.maximum(last - 1, 0)] == CLOSING
    several = count - np.searchsorted(colons, words.starts) > 1
    bad |= wrong | (opened != closed) | (several & ~opened)
    brackets = (opened & ~bad).astype(np.int64)
    hosts = Words(words.data, words.starts + brackets, last - brackets, words.lines)
    ports[bad] = 0
    return hosts, ports.astype(">u2").view(np.uint8).reshape(-1, 2), bad


def _numbers(words: Words) -> tuple[Integers, Mask]:
    """Return words as numbers of at most 16 bits, and which are none."""
    widths = words.widths
    wrong = (widths < 1) | (widths > MOST_DIGITS)
    numbers = np.zeros(len(words), np.int64)
    letters = np.empty(len(words), np.uint8)
    for place in range(MOST_DIGITS if len(words.data) else 0):
        words.letters_at(place, letters)
        here = (place < widths) & ~wrong
        digits = letters - np.uint8(ZERO)
        wrong |= here & (digits > 9)
        numbers = np.where(here, 10 * numbers + digits, numbers)
    return numbers, np.asarray(wrong | (numbers >= 1 << 16))
