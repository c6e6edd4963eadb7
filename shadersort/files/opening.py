"""Open one input: decompress it, and find its format before anything is read."""

import bz2
import codecs
import gzip
import lzma
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import BufferedReader, RawIOBase
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, cast

from shadersort.errors import BadOption, ForeignFile, MissingPackage, TruncatedFile
from shadersort.files.request import COMPRESSED, ENCODED, LINES, START, Request, match_start
from shadersort.files.words import Words
from shadersort.keys.types import Keys

Advance = Callable[[int], None]  # called with the number of bytes read since the last call
PIECE = BUFFER = 1 << 20  # bytes read at a time, perhaps decompressed; and bytes that are kept
ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
ZSTD_NEEDS = "zstd needs Python 3.14 or newer, or the package backports.zstd"


@dataclass(frozen=True, slots=True)
class Input:
    """One input, opened."""

    file: BufferedReader  # decompressed, and a text as UTF-8
    name: str  # what messages call it
    form: str
    plain: bool  # whether the file is a regular one, which is not compressed


@dataclass(slots=True)
class Column:
    """The column that is read of one input."""

    batches: Iterator[Keys | Words]  # numbers in the byte order of the input, or words
    name: str  # what messages call the input
    place: str = ""  # what messages say after a line: ", column ms"
    unit: str = "line"  # what the numbers of words count: lines or rows
    titled: bool = False  # whether the next word may be the title of the column


def is_standard(path: Path) -> bool:
    """Whether a path is "-", the standard input or output."""
    return str(path) == "-"


@contextmanager
def open_input(path: Path, request: Request, advance: Advance = lambda _: None) -> Iterator[Input]:
    """Open a file, or "-" for the standard input, which stays open; check it and the request."""
    standard = is_standard(path)
    name = "standard input" if standard else str(path)
    source: Any = nullcontext(sys.stdin.buffer) if standard else path.open("rb")
    with source as raw:
        file = as_file(_count_bytes(raw, advance))
        compression = match_start(COMPRESSED, file.peek(START))
        if compression:
            file = as_file(decompress(file, name, compression))
        form = request.find_form(name, file.peek(START)[:START])
        if form in LINES:
            file = as_utf8(file, name, request.encoding)
        yield Input(file, name, form, path.is_file() and not compression and not standard)


@contextmanager
def open_seekable(source: Input) -> Iterator[BinaryIO]:
    """Yield a file that can be read from any place: a temporary copy of one that cannot."""
    with Path(source.name).open("rb") if source.plain else tempfile.TemporaryFile() as file:
        if not source.plain:
            copyfileobj(source.file, file, PIECE)
            file.seek(0)
        yield file


class _Joined(RawIOBase):
    """The bytes that an iterator yields, as a file; the first read returns enough to look at."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest, self._enough = filter(None, pieces), b"", START

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, or a part of it; return the number of bytes, 0 at the end."""
        while len(self._rest) < self._enough and (piece := next(self._pieces, b"")):
            self._rest += piece
        self._enough = 1
        found, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(found)] = found
        return len(found)


def as_file(pieces: Iterator[bytes]) -> BufferedReader:
    """Return a file with the bytes that an iterator yields."""
    return BufferedReader(cast(RawIOBase, _Joined(pieces)), BUFFER)


def _count_bytes(file: Any, advance: Advance) -> Iterator[bytes]:
    while data := file.read1(PIECE):
        advance(len(data))
        yield data


def decompress(file: BinaryIO, name: str, compression: str) -> Iterator[bytes]:
    """Yield the bytes of a compressed file of one member or several; name what is wrong with it."""
    zstd = import_optional(ZSTD, ZSTD_NEEDS, "zstd") if compression == "zstd" else None
    damage = (OSError, ValueError, zlib.error, lzma.LZMAError, *([zstd.ZstdError] if zstd else []))
    try:
        if compression == "gzip":
            yield from iter(partial(gzip.GzipFile(fileobj=file).read1, PIECE), b"")
        elif compression == "bz2":
            yield from _members(file, bz2.BZ2Decompressor)
        else:
            yield from _members(file, zstd.ZstdDecompressor if zstd else lzma.LZMADecompressor)
    except EOFError as error:
        raise TruncatedFile(f"{name} is cut off: its {compression} data end") from error
    except damage as error:
        raise ForeignFile(f"{name} is damaged, or no {compression} file: {error}") from error


def _members(file: BinaryIO, decompressor: Callable[[], Any]) -> Iterator[bytes]:
    """Yield the bytes of all members; zero bytes between and after them are allowed."""
    data = file.read(PIECE)
    while data:
        if not data.strip(b"\0"):
            data = file.read(PIECE)
            continue
        member = decompressor()
        while not member.eof:
            if member.needs_input and not (data := data or file.read(PIECE)):
                raise EOFError
            yield member.decompress(data, PIECE)
            data = b""
        data = member.unused_data or file.read(PIECE)


def import_optional(package: str, needs: str, extra: str) -> Any:
    """Import a package; raise MissingPackage if it is not installed."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise MissingPackage(f"{needs}: pip install 'shadersort[{extra}]'") from error


def as_utf8(file: BufferedReader, name: str, encoding: str | None) -> BufferedReader:
    """Return a text as UTF-8 without a byte order mark, which tells the encoding if it is None."""
    marked = match_start(ENCODED, file.peek(START))
    encoding = encoding or marked or "utf-8"
    try:
        plain = codecs.lookup(encoding).name
        with suppress(UnicodeError):
            b"text".decode(encoding)  # refuses what does not make text of bytes, such as rot13
    except (LookupError, ValueError) as error:
        raise BadOption(f"{encoding!r} is no encoding of text: use 'latin-1', say") from error
    if plain not in ("ascii", "utf-8", "utf-8-sig"):
        return as_file(_transcode(file, name, encoding))
    if marked == "utf-8-sig":
        file.read(3)
    return file


def _transcode(file: BinaryIO, name: str, encoding: str) -> Iterator[bytes]:
    try:
        for text in codecs.iterdecode(iter(partial(file.read, PIECE), b""), encoding):
            yield text.encode("utf-8", "surrogatepass")
    except UnicodeError as error:
        raise ForeignFile(f"{name} is no text in {encoding}: {error}") from error
