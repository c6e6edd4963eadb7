"""Opening one input: it is decompressed, and its format is known before anything is read."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from shadersort.errors import ForeignFile
from shadersort.keys.reading.compressions import decompressed
from shadersort.keys.reading.encodings import as_utf8
from shadersort.keys.reading.request import Request
from shadersort.keys.reading.signatures import (
    START,
    TEXTS,
    compression_of,
    foreign,
    form_of_input,
    form_shown,
)

Advance = Callable[[int], None]
"""Called with the number of bytes that were read since the last call."""

PIECE = 1 << 20
"""Bytes read at a time."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input, opened."""

    file: BufferedReader  # decompressed, and a text as UTF-8
    name: str  # what messages call it
    form: str
    plain: bool  # whether the file is a regular one, which is not compressed


def is_standard(path: Path) -> bool:
    """Whether a path is "-", the standard input or output."""
    return str(path) == "-"


def name_of(path: Path) -> str:
    """Return what messages call an input."""
    return "standard input" if is_standard(path) else str(path)


class Counted(RawIOBase):
    """The bytes of a file, counted as progress; the first read returns enough to be looked at."""

    def __init__(self, file: Any, advance: Advance) -> None:
        self._file, self._advance, self._begun = file, advance, False

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, or a part of it; return the number of bytes, 0 at the end."""
        count = self._file.readinto1(buffer)
        while not self._begun and 0 < count < START:
            more = self._file.readinto1(buffer[count:])
            count += more
            self._begun = not more
        self._begun = True
        self._advance(count)
        return int(count)


@contextmanager
def opened(path: Path, request: Request, advance: Advance) -> Iterator[Input]:
    """Open a file, or "-" for the standard input, which stays open afterwards.

    Raises
    ------
    ForeignFile, TruncatedFile
        The content is not what the name or the request says, or cannot be read.
    MissingPackage
        An optional package reads this compression.
    """
    name = name_of(path)
    with ExitStack() as stack:
        file = _buffered(sys.stdin.buffer) if is_standard(path) else path.open("rb")
        if not is_standard(path):
            stack.callback(file.close)
        counted: BufferedReader = BufferedReader(cast(RawIOBase, Counted(file, advance)), PIECE)
        compression = request.compression or compression_of(counted.peek(START))
        if compression not in (None, "none"):
            counted = decompressed(counted, name, str(compression))
        plain = compression in (None, "none") and path.is_file() and not is_standard(path)
        start = counted.peek(START)[:START]
        form = request.form or form_of_input(path, start, request)
        check_content(name, form, start, request)
        if form in TEXTS:
            counted = as_utf8(counted, name, request.encoding)
        yield Input(counted, name, form, plain)


def _buffered(file: BinaryIO) -> BufferedReader:
    """Return a file with the methods of a buffered one."""
    return file if isinstance(file, BufferedReader) else BufferedReader(cast(RawIOBase, file))


def check_content(name: str, form: str, start: bytes, request: Request) -> None:
    """Raise ForeignFile if the first bytes show something else than numbers of a form."""
    if what := foreign(start):
        raise ForeignFile(f"{name} is {what}: extract the numbers first")
    if request.compression is None and (inner := compression_of(start)):
        raise ForeignFile(f"{name} is compressed twice, by {inner} inside: decompress it once")
    shown = form_shown(start)
    if shown and shown != form:
        what = "a zip archive" if shown == "npz" else f"a file of the form {shown}"
        raise ForeignFile(f"{name} is {what}, no {form}: say form={shown!r}, or extract it first")


@contextmanager
def seekable(source: Input) -> Iterator[BinaryIO]:
    """Yield a file that can be read from any place: a temporary copy of one that cannot."""
    if source.plain:
        with Path(source.name).open("rb") as file:
            yield file
        return
    with tempfile.TemporaryFile() as copy:
        while data := source.file.read(PIECE):
            copy.write(data)
        copy.seek(0)
        yield copy


def nothing_told(count: int) -> None:
    """Report no progress."""
