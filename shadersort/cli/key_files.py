"""Keys of `sort`, `trace` and `watch`: read from files or pipes, and written to them."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self

import click
import numpy as np

from shadersort.cli.inputs import Inputs
from shadersort.errors import ForeignFile
from shadersort.keys.files import Source, file_source, npy_header, read_all
from shadersort.keys.outputs import Sink, Write, encoder, output_file, reported, write_bytes
from shadersort.keys.reading.binary import check_number, is_text
from shadersort.keys.reading.formats import check_request
from shadersort.keys.reading.number_words import FLOAT64, NumberWords, Parser
from shadersort.keys.reading.opening import is_standard, nothing_told, opened
from shadersort.keys.reading.signatures import COMPRESSIONS, FORMS
from shadersort.keys.types import Keys

COLUMN = ("csv", "tsv")
"""Tables as which a column of lines can be read."""
FORMS_WRITTEN = {
    suffix: "text" if form in COLUMN else form
    for suffix, form in FORMS.items()
    if form in ("npy", "raw", "text", *COLUMN)
}
"""The form of an output by its suffix."""
WRITTEN = {
    **{form: form for form in ("npy", "raw", "text")},
    **dict.fromkeys(("csv", "tsv", "jsonl", "parquet", "arrow"), "text"),
    "npz": "npy",
}
"""The form of an output by that of the input; a column of a table becomes lines."""
PIECE = 1 << 18
"""Keys converted at a time."""


@contextmanager
def opened_keys(
    inputs: Inputs, folder: Path, *, parser: Parser | None = None
) -> Iterator[tuple[Source, str]]:
    """Open keys; yield them with their form.

    A plain `.npy` or raw file is read where it is. Everything else is first read as numbers into an
    unnamed file in `folder`, so that little memory is needed.
    """
    form = _form_of_plain(inputs)
    if form in ("npy", "raw"):
        (path,), request = inputs.paths, inputs.request
        with path.open("rb", buffering=0) as file:
            name, dtype = str(path), request.dtype
            yield file_source(file, name, dtype, form, request.offset, check_number), form
        return
    with Numbers(folder) as numbers:
        with inputs.reader("reading", parser=parser, widen=numbers.widen) as reader:
            for keys in reader.numbers():
                numbers.add(keys, reader.name)
        of_words = inputs.request.dtype or (parser or NumberWords(FLOAT64)).dtype
        stored = numbers.stored or reader.stored or of_words
        yield file_source(numbers.file, reader.name, stored, "raw", 0, check_number), reader.form


def _form_of_plain(inputs: Inputs) -> str | None:
    """Return the form of a single plain file whose keys can be read from any place, or None."""
    path, request = inputs.paths[0], inputs.request
    if len(inputs.paths) > 1 or request.column is not None or not path.is_file():
        return None
    with opened(path, request, nothing_told) as source:
        check_request(source, request)
        if source.form == "npy" and source.plain:
            _, stored = npy_header(source.file, source.name, "keys")
            return None if is_text(stored) or stored.names else "npy"  # words, or columns
        return source.form if source.plain else None


class Numbers:
    """Numbers in a temporary file without a name: nothing is left of it, however a process ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.stored: np.dtype[Any] | None = None
        with reported(folder):
            self.file = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115

    def add(self, keys: Keys, name: str) -> None:
        """Append keys, in the byte order of the first ones."""
        if self.stored is None:
            check_number(keys.dtype, name)
            self.stored = keys.dtype
        with reported(self._folder):
            write_bytes(self.file, keys.astype(self.stored, copy=False).tobytes())

    def widen(self) -> None:
        """Convert int64 to float64; raise ForeignFile if that would change a number."""
        size = self.file.seek(0, os.SEEK_END) // 8
        for first in range(0, size, PIECE):
            keys = np.empty(min(PIECE, size - first), np.int64)
            self.file.seek(first * 8)
            read_all(self.file, keys)
            floats = keys.astype(np.float64)
            if not (np.abs(floats) < 1 << 53).all():
                raise ForeignFile(
                    "the input has both decimals and integers beyond 2**53, which float64 does not "
                    "hold: pass dtype='float64' if all of its integers are exact doubles"
                )
            self.file.seek(first * 8)
            write_bytes(self.file, floats.tobytes())
        self.stored = np.dtype(np.float64)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()


def check_suffix(dst: Path, form: str | None) -> None:
    """Raise UsageError for a suffix of a form that is not written, unless a form was requested.

    Examples
    --------
    >>> check_suffix(Path("sorted.npy.gz"), None)
    Traceback (most recent call last):
    ...
    click.exceptions.UsageError: sort writes .npy, text and raw numbers, no .gz: ...
    """
    if form is None and dst.suffix.lower() in {*FORMS, *COMPRESSIONS} - {*FORMS_WRITTEN}:
        raise click.UsageError(
            f"sort writes .npy, text and raw numbers, no {dst.suffix}: choose another name, or say "
            "which of them by --to"
        )


def output_form(dst: Path, form: str | None, of_input: str) -> str:
    """Return the form of an output: as requested, or by its suffix, or as the input.

    Examples
    --------
    >>> output_form(Path("sorted.txt"), None, "npy"), output_form(Path("-"), None, "npy")
    ('text', 'npy')
    """
    if form is None:
        form = FORMS_WRITTEN.get(dst.suffix.lower(), WRITTEN[of_input])
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
