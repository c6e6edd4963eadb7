"""Keys of `sort`, `trace` and `watch`: read from files or pipes, and written to them."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import BufferedReader, FileIO
from pathlib import Path
from typing import IO, Any

import click
import numpy as np
from numpy.lib import format as npy

from shadersort.keys.accepted import accepted
from shadersort.keys.files import Source, file_source
from shadersort.keys.outputs import Sink, Write, encoder, output_file, reported, write_bytes
from shadersort.keys.text import parsed_lines
from shadersort.keys.types import Keys
from shadersort.sorting.external.external_sort import temporary_folder_for

FORMS = {".npy": "npy", ".txt": "text", ".text": "text", ".raw": "raw", ".bin": "raw"}
"""The form of a file by its suffix."""
PIECE = 1 << 20
"""Bytes copied at a time."""
PRINTABLE = frozenset(b"\t\r\n" + bytes(range(32, 127)))


def is_standard(path: Path) -> bool:
    """Whether a path is "-", the standard input or output."""
    return str(path) == "-"


@contextmanager
def opened_keys(
    path: Path, *, form: str | None, dtype: np.dtype[Any] | None, offset: int, folder: Path
) -> Iterator[tuple[Source, str]]:
    """Open keys; yield them with their form: "npy", "raw" or "text".

    The standard input or a pipe cannot be read twice, so it is first copied into an unnamed file
    in `folder`. Text is kept there as binary numbers, so that little memory is needed.
    """
    name = "standard input" if is_standard(path) else str(path)
    with ExitStack() as stack:
        file = stack.enter_context(_seekable(path, folder))
        form = form or _guessed(path, file)
        if offset and form != "raw":
            raise click.UsageError(f"--offset is for raw inputs, and {name} is {form}")
        if form != "text":
            yield file_source(file, name, dtype, form, offset), form
            return
        native = accepted(np.empty(0, dtype or np.float32)).dtype
        numbers = stack.enter_context(_nameless(folder))
        with reported(folder), BufferedReader(file) as text:
            for keys in parsed_lines(text, name, native):
                write_bytes(numbers, keys.tobytes())
        yield file_source(numbers, name, native, "raw"), form


def read_keys(src: Path, form: str | None, dtype: np.dtype[Any] | None, offset: int) -> Keys:
    """Return all keys of an input."""
    folder = temporary_folder_for(None, None)
    with opened_keys(src, form=form, dtype=dtype, offset=offset, folder=folder) as (source, _):
        return source.read(0, source.count)


@contextmanager
def _seekable(path: Path, folder: Path) -> Iterator[FileIO]:
    """Open a file; yield a copy of an input without a size, such as a pipe."""
    if not is_standard(path):
        with path.open("rb", buffering=0) as file:
            if path.is_file():
                yield file
                return
            with _copied(file, folder) as copy:
                yield copy
        return
    with _copied(sys.stdin.buffer, folder) as copy:
        yield copy


@contextmanager
def _copied(stream: IO[bytes], folder: Path) -> Iterator[FileIO]:
    with _nameless(folder) as file:
        with reported(folder):
            while data := stream.read(PIECE):
                write_bytes(file, data)
        file.seek(0)
        yield file


@contextmanager
def _nameless(folder: Path) -> Iterator[FileIO]:
    """Open a temporary file that disappears with the process, however it ends."""
    with reported(folder):
        opened = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
    with opened as file:
        yield file


def _guessed(path: Path, file: FileIO) -> str:
    start = file.read(512)
    file.seek(0)
    return form_of_input(path, start)


def form_of_input(path: Path, start: bytes) -> str:
    """Return the form by the suffix; without a known suffix, by the first bytes.

    Examples
    --------
    >>> form_of_input(Path("keys.npy"), b""), form_of_input(Path("-"), b"1.5")
    ('npy', 'text')
    """
    if path.suffix in FORMS:
        return FORMS[path.suffix]
    if start.startswith(npy.MAGIC_PREFIX):
        return "npy"
    return "text" if PRINTABLE.issuperset(start) else "raw"


def output_form(dst: Path, form: str | None, of_input: str) -> str:
    """Return the form of an output: as requested, or by its suffix, or as the input.

    Examples
    --------
    >>> output_form(Path("sorted.txt"), None, "npy"), output_form(Path("-"), None, "npy")
    ('text', 'npy')
    """
    if form is None:
        form = FORMS.get(dst.suffix, of_input)
    if form != "text" and is_standard(dst) and sys.stdout.isatty():
        raise click.UsageError(
            "a terminal cannot show binary output: name a file, or pass --to text"
        )
    return form


def key_sink(dst: Path, form: str, *, overwrite: bool) -> Sink:
    """Return the function that opens an output for sorted keys."""
    if is_standard(dst):
        return partial(_standard_output, form)
    return partial(output_file, dst, overwrite=overwrite, form=form)


@contextmanager
def _standard_output(form: str, stored: np.dtype[Any], count: int) -> Iterator[Write]:
    stream = sys.stdout.buffer

    def put(data: Keys) -> None:
        stream.write(np.ascontiguousarray(data).view(np.uint8).data)

    yield encoder(put, stored, count, form)
    stream.flush()
