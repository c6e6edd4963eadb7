"""Texts of other encodings, as UTF-8: what reads lines knows no other."""

import codecs
from contextlib import suppress
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from shadersort.errors import BadOption, ForeignFile
from shadersort.keys.reading.signatures import START, encoding_shown

PIECE = 1 << 18
"""Bytes decoded at a time."""
PLAIN = ("ascii", "utf-8")


class Transcoded(RawIOBase):
    """The text of a file, as UTF-8."""

    def __init__(self, file: BinaryIO, name: str, encoding: str) -> None:
        self._file, self._name, self._encoding = file, name, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._rest = b""
        self._ended = False

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer; return the number of bytes, 0 at the end."""
        while not self._rest and not self._ended:
            data = self._file.read(PIECE)
            self._ended = not data
            self._rest = self._decoded(data).encode("utf-8", "surrogatepass")
        found, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(found)] = found
        return len(found)

    def _decoded(self, data: bytes) -> str:
        try:
            return self._decoder.decode(data, final=self._ended)
        except UnicodeError as error:
            raise ForeignFile(f"{self._name} is no text in {self._encoding}: {error}") from error


def _checked(encoding: str) -> str:
    """Return the name of an encoding of text; raise BadOption for another one, such as rot13."""
    try:
        found = codecs.lookup(encoding).name
        with suppress(UnicodeError):
            b"text".decode(encoding)  # refuses what does not make text of bytes
    except (LookupError, ValueError) as error:
        raise BadOption(f"{encoding!r} is no encoding of text: use 'latin-1', say") from error
    return found


def as_utf8(file: BufferedReader, name: str, encoding: str | None) -> BufferedReader:
    """Return a text as UTF-8 without a byte order mark; the mark tells the encoding if it is None.

    Raises BadOption for an encoding that Python does not know, or that is none of text.
    """
    found = encoding_shown(file.peek(START))
    if encoding is None:
        encoding = found or "utf-8"
    plain = _checked(encoding)
    if plain in PLAIN and found != "utf-8-sig":
        return file
    if plain in PLAIN or plain == "utf-8-sig":
        if found == "utf-8-sig":
            file.read(3)
        return file
    return BufferedReader(cast(RawIOBase, Transcoded(file, name, encoding)), PIECE)
