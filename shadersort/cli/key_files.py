"""Keys of `sort`, `trace` and `watch`: read from files or pipes, and written to them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs
from shadersort.files.arrays import ArrayFile, check_flat, check_number, is_text, npy_header
from shadersort.files.opening import is_standard, opened
from shadersort.files.outputs import Sink, Write, encoder, output_file
from shadersort.files.request import COMPRESSIONS, FORMS
from shadersort.files.source import Indexed
from shadersort.files.spool import Spool
from shadersort.files.words import FLOAT64, NumberWords, Parser
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
        options: dict[str, Any] = {"dtype": request.dtype, "offset": request.offset}
        source = ArrayFile(path, form, check=check_number, **options)
        check_flat(source.shape, source.name)
        yield source, form
        return
    stored = inputs.request.dtype or (parser or NumberWords(FLOAT64)).dtype
    with Spool(folder, stored) as spool:
        with inputs.reader("reading", parser=parser, widen=spool.widen) as reader:
            for keys in reader.numbers():
                if not spool.size:
                    check_number(keys.dtype, reader.name)
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
    with opened(path, request) as source:
        if not source.plain or source.form not in ("npy", "raw"):
            return None
        if source.form == "npy":
            _, stored = npy_header(source.file, source.name, "keys")
            return None if is_text(stored) or stored.names else "npy"  # words, or columns
        return source.form


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
