"""Compressed files, decompressed as they are read: gzip, bz2, xz and zstd."""

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable
from importlib import import_module
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from shadersort.errors import ForeignFile, MissingPackage, TruncatedFile
from shadersort.keys.reading.signatures import START

PIECE = 1 << 20
"""Compressed bytes read at a time."""
BUFFER = 1 << 20
"""Decompressed bytes that are kept, about."""


class _Gzip:
    """Decompresses one member of a gzip file, with the interface of the bz2 module's class."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | 16)  # 16: with gzip's header and sum

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most so many bytes; the rest of the data is kept."""
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)

    @property
    def needs_input(self) -> bool:
        """Whether all data was used."""
        return not self._inner.unconsumed_tail and not self.eof

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        """What follows the member."""
        return self._inner.unused_data


class Decompressed(RawIOBase):
    """The bytes of a compressed file; several members that follow each other are joined."""

    def __init__(self, file: BinaryIO, name: str, compression: str) -> None:
        self._file, self._name, self._compression = file, name, compression
        self._new = DECOMPRESSORS[compression]
        self._member: Any = None
        self._data = b""  # compressed bytes that no member has taken yet

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, or enough to look at; return the number of bytes, 0 at the end."""
        count, enough = 0, min(START, len(buffer))
        while count < enough and (self._member is not None or self._begin_member()):
            found = self._some(len(buffer) - count)
            buffer[count : count + len(found)] = found
            count += len(found)
        return count

    def _begin_member(self) -> bool:
        """Begin the next member, if there is one; zero bytes after the last one are allowed."""
        self._data = self._data or self._file.read(PIECE)
        while self._data and not self._data.strip(b"\0"):
            self._data = self._file.read(PIECE)
        if not self._data:
            return False
        self._member = self._new()
        return True

    def _some(self, most: int) -> bytes:
        """Return some decompressed bytes of the member; end it if it has no more."""
        data = b""
        if self._member.needs_input:
            data = self._data or self._file.read(PIECE)
            self._data = b""
            if not data:
                raise TruncatedFile(f"{self._name} is cut off: its {self._compression} data end")
        try:
            found: bytes = self._member.decompress(data, most)
        except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
            raise self._damaged(error) from error
        except Exception as error:  # zstd's own class of errors, which may not be there to name
            if type(error).__name__ != "ZstdError":
                raise
            raise self._damaged(error) from error
        if self._member.eof:
            self._data, self._member = self._member.unused_data, None
        return found

    def _damaged(self, error: Exception) -> ForeignFile:
        return ForeignFile(f"{self._name} is damaged, or no {self._compression} file: {error}")


def _zstd() -> Any:
    """Return an object that decompresses zstd: of Python 3.14 or newer, or of its backport."""
    package = "compression" if sys.version_info >= (3, 14) else "backports"
    try:
        return import_module(f"{package}.zstd").ZstdDecompressor()
    except ModuleNotFoundError as error:
        raise MissingPackage(
            "zstd needs Python 3.14 or newer, or the package backports.zstd: "
            "pip install 'shadersort[zstd]'"
        ) from error


DECOMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": _Gzip,
    "bz2": bz2.BZ2Decompressor,
    "xz": lzma.LZMADecompressor,
    "zstd": _zstd,
}
"""By name, what makes an object that decompresses one member."""


def decompressed(file: BinaryIO, name: str, compression: str) -> BufferedReader:
    """Return a file whose bytes are those of a compressed one.

    Reading raises TruncatedFile or ForeignFile if the compressed file is cut off or damaged.
    """
    if compression == "zstd":
        _zstd()  # a missing package is reported before anything is read
    return BufferedReader(cast(RawIOBase, Decompressed(file, name, compression)), BUFFER)
