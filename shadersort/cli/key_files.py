"""Keys of `sort`, `trace` and `watch`: read from files or pipes, and written to them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs
from shadersort.errors import ForeignFile
from shadersort.files.arrays import ArrayFile, is_text, npy_header
from shadersort.files.opening import is_standard, open_input
from shadersort.files.request import COMPRESSIONS, FORMS
from shadersort.files.source import Indexed, as_numbers, check_flat, check_type
from shadersort.files.words import FLOAT64, NumberWords, Parser
from shadersort.keys.outputs import Sink, Write, encoder, output_file
from shadersort.keys.types import Keys
from shadersort.sorting.external.runs import Spool

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
) -> Iterator[tuple[Indexed, str]]:
    """Open keys; yield them with their form.

    A plain `.npy` or raw file is read where it is. Everything else is first read as numbers into an
    unnamed file in `folder`, so that little memory is needed.
    """
    if form := _form_of_plain(inputs):
        path, request = inputs.paths[0], inputs.request
        source = ArrayFile(path, replace(request, form=form), as_numbers)
        check_flat(source.shape, source.name)
        yield source, form
        return
    stored = inputs.request.dtype or (parser or NumberWords(FLOAT64)).dtype
    with Spool(folder, stored) as spool:
        with inputs.reader("reading", parser=parser, widen=partial(widen, spool)) as reader:
            for keys in reader.numbers():
                if not spool.size:
                    check_type(keys.dtype, reader.name, as_numbers)
                    spool.stored = keys.dtype
                spool.add(keys.astype(spool.stored, copy=False))
        if not spool.size:
            spool.stored = reader.stored or stored
        yield spool, reader.form


def _form_of_plain(inputs: Inputs) -> str | None:
    """Return "npy" or "raw" for a single plain file of numbers, or None for everything else."""
    path, request = inputs.paths[0], inputs.request
    if len(inputs.paths) > 1 or request.column is not None or not path.is_file():
        return None
    with open_input(path, request) as source:
        if not source.plain or source.form not in ("npy", "raw"):
            return None
        if source.form == "npy":
            _, stored = npy_header(source.file, source.name)
            return None if is_text(stored) or stored.names else "npy"  # words, or columns
        return source.form


def widen(numbers: Spool) -> None:
    """Convert int64 to float64; raise ForeignFile if that would change a number."""
    for first in range(0, numbers.size, PIECE):
        floats = numbers.read(first, min(first + PIECE, numbers.size)).astype(np.float64)
        if not (np.abs(floats) < 1 << 53).all():
            raise ForeignFile(
                "the input has both decimals and integers beyond 2**53, which float64 does not "
                "hold: pass dtype='float64' if all of its integers are exact doubles"
            )
        numbers.add(floats, first)
    numbers.stored = np.dtype(np.float64)


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
