"""Streams of numbers for the summaries: text, raw numbers or `.npy`, from a file or a pipe.

A stream is read once, one piece at a time, so it may be of any length. Progress is shown.
"""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

import click
import numpy as np

from shadersort.cli.key_files import form_of_input, is_standard
from shadersort.drawing.progress import Advance, progress_in_bytes
from shadersort.errors import ForeignFile, KeysNotFlat, TruncatedFile, UnsupportedKeys
from shadersort.keys.files import npy_header
from shadersort.keys.text import Lines, parsed_lines
from shadersort.keys.types import Keys
from shadersort.streams.values import number_type

LineParser = Callable[[Lines, str], Iterator[Keys]]
"""Parses the lines of a text, given its name for messages."""

PIECE = 1 << 22
"""Bytes read at a time."""


@contextmanager
def number_stream(
    path: Path,
    title: str,
    *,
    form: str | None,
    dtype: np.dtype[Any] | None,
    offset: int,
    text: LineParser | None = None,
) -> Iterator[Iterator[Keys]]:
    """Open a file, or "-" for the standard input, and yield an iterator over its numbers.

    `text` parses the lines of a text; by default each line is one number of type `dtype`.
    Progress is shown on the standard error, if that is a terminal.

    Raises
    ------
    ForeignFile, TruncatedFile, KeysNotFlat, UnsupportedKeys
        The content is not what its name or the caller says. Reading can raise these errors, too.
    """
    name = "standard input" if is_standard(path) else str(path)
    with ExitStack() as stack:
        file = _buffered(sys.stdin.buffer if is_standard(path) else path.open("rb"), stack)
        size = path.stat().st_size if path.is_file() else None
        shown = sys.stderr.isatty()
        advance = stack.enter_context(progress_in_bytes(title, size, shown=shown))
        form = form or form_of_input(path, _start(file))
        if form == "text" and text and not offset:
            yield text(_Counted(file, advance), name)
        else:
            yield _numbers(file, name, form, dtype, offset, advance)


def _buffered(file: BinaryIO, stack: ExitStack) -> BufferedReader:
    """Return a file with `peek`; the standard input stays open afterwards."""
    if file is not sys.stdin.buffer:
        stack.callback(file.close)
    if isinstance(file, BufferedReader):
        return file
    reader: BufferedReader = BufferedReader(cast(RawIOBase, file))
    stack.callback(reader.detach)
    return reader


def _start(file: BufferedReader) -> bytes:
    """Return the first bytes of a file; the file still begins with them."""
    return file.peek(512)[:512]


def _numbers(
    file: BufferedReader,
    name: str,
    form: str,
    dtype: np.dtype[Any] | None,
    offset: int,
    advance: Advance,
) -> Iterator[Keys]:
    """Return an iterator over the numbers of a stream."""
    if offset and form != "raw":
        raise click.UsageError(f"--offset is for raw inputs, and {name} is {form}")
    if form == "text":
        kind = number_type(dtype or np.float64)
        return parsed_lines(_Counted(file, advance), name, kind)
    if form == "npy":
        stored, count = _npy_head(file, name, dtype)
        return _raw(file, name, stored, advance, count)
    if dtype is None:
        raise UnsupportedKeys(
            f"{name} does not say what its numbers are: pass their type, such as dtype='float32'"
        )
    number_type(dtype)
    if len(file.read(offset)) < offset:
        raise TruncatedFile(f"{name} ends before the {offset:,} bytes that should be skipped")
    return _raw(file, name, dtype, advance)


def _npy_head(
    file: BufferedReader, name: str, dtype: np.dtype[Any] | None
) -> tuple[np.dtype[Any], int]:
    """Read the header of a .npy stream; return the type of its numbers and their count."""
    shape, stored = npy_header(file, name, "numbers")
    if len(shape) != 1:
        raise KeysNotFlat(f"a stream has one dimension; {name} has {len(shape)}")
    if dtype is not None and number_type(dtype) != number_type(stored):
        raise UnsupportedKeys(f"{name} holds {stored}, not {dtype}")
    number_type(stored)
    return stored, math.prod(shape)


def _raw(
    file: BufferedReader,
    name: str,
    stored: np.dtype[Any],
    advance: Advance,
    count: int | None = None,
) -> Iterator[Keys]:
    """Yield `count` raw numbers, or all numbers if None."""
    rest, left = b"", None if count is None else count * stored.itemsize
    while data := file.read1(PIECE if left is None else min(PIECE, left)):
        left = None if left is None else left - len(data)
        advance(len(data))
        whole = (len(rest) + len(data)) // stored.itemsize * stored.itemsize
        joined = rest + data if rest else data
        rest = joined[whole:]
        yield np.frombuffer(joined[:whole], stored)
    if rest or left:
        raise TruncatedFile(f"{name} is cut off: it ends within its numbers")
    if count is not None and file.read(1):
        raise ForeignFile(f"{name} holds more than its {count:,} numbers")


class _Counted:
    """The lines of a file; the bytes read so far are reported as progress."""

    def __init__(self, file: BufferedReader, advance: Advance) -> None:
        self._file, self._advance = file, advance

    def readlines(self, hint: int, /) -> list[bytes]:
        """Return the next lines, about `hint` bytes in all; an empty list at the end."""
        lines = self._file.readlines(hint)
        self._advance(sum(map(len, lines)))
        return lines
