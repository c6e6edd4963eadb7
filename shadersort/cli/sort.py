"""`shadersort sort`: sort the keys of files or pipes."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.inputs import Inputs, input_options
from shadersort.cli.options import device_option, force_option, way_options
from shadersort.errors import ForeignFile, UnsupportedKeys
from shadersort.files.arrays import ArrayFile
from shadersort.files.opening import is_standard
from shadersort.files.request import COMPRESSIONS, FORMS
from shadersort.files.source import Converted, Indexed, as_numbers, check_flat
from shadersort.files.sources import form_of_file
from shadersort.files.words import FLOAT64
from shadersort.keys.outputs import Write, check_output, encoder, output_file
from shadersort.keys.types import Keys
from shadersort.names import DeviceName, NetworkName, SortMethod
from shadersort.sorting.external.external_sort import temporary_folder_for
from shadersort.sorting.external.pipeline import sort_source
from shadersort.sorting.external.runs import Spool

FLOAT32 = np.dtype(np.float32)
WRITTEN = {"npy": "npy", "npz": "npy", "raw": "raw"}
"""The form of an output by that of the input; all others become lines."""
PIECE = 1 << 18  # keys converted at a time
EXAMPLES = """\b
shadersort sort keys.npy sorted.npy
seq 100 -1 1 | shadersort sort | head -3
shadersort sort times.csv.gz sorted.txt --column ms
shadersort sort keys.bin sorted.txt --dtype float32 --network bitonic --method fused
"""


@click.command(epilog=EXAMPLES, short_help="Sort keys by drawing: files or pipes of them.")
@click.argument("files", nargs=-1, metavar="[SRC]... [DST]")
@click.option("-o", "--output", metavar="DST", help="The output; all files are SRC.")
@input_options
@click.option(
    "--to",
    type=click.Choice(["npy", "raw", "text"]),
    help="Format of the output. Default: by its suffix, or as the input; lines on a terminal.",
)
@force_option
@way_options(method="auto")
@device_option
@click.option("--descending", is_flag=True, help="Largest keys first. NaNs still come last.")
@click.option(
    "--memory", default="256MiB", show_default=True, help="Memory to work in, at least 32MiB."
)
@click.option(
    "--temporary-folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder for temporary files. Default: that of DST.",
)
def sort(
    files: tuple[str, ...],
    output: str | None,
    to: str | None,
    force: bool,
    network: NetworkName,
    method: SortMethod,
    device: DeviceName,
    descending: bool,
    memory: str,
    temporary_folder: Path | None,
    **request: Any,
) -> None:
    """Sort keys by drawing, from SRC or the standard input, to DST or the standard output.

    Of two files or more, the last one is DST; with -o, all are SRC. A SRC may be a pattern such as
    'logs/*.csv.gz'. The formats are .npy, .npz, raw bytes (with --dtype), text, CSV and TSV, JSON
    lines, and Parquet and Arrow (with the extra "arrow"); each may be compressed.

    Keys are integers, or floats of at most 64 bits, and may be more than fit into memory; np.sort
    takes a part of them. The output is a permutation of the input, bit for bit, in the order of
    np.sort, and appears when it is complete. Words are read as int64, or as the nearest float64.
    Keys are written with the fewest digits that are read back as the same key (1e+06 as 1000000.0).
    An integer that no double holds is refused. Payloads of NaNs are lost in text.
    """
    if output is None and len(files) > 1:
        files, output = files[:-1], files[-1]
    if output and output.endswith("/"):
        raise click.UsageError(f"{output} is the name of a folder: name a file")
    inputs, dst = Inputs(files, **request), Path(output or "-")
    to = to or _form_by_suffix(dst)
    to_stdout = is_standard(dst)
    if not to_stdout:
        check_output(dst.resolve(), overwrite=force)
    folder = temporary_folder_for(None if to_stdout else dst, temporary_folder)
    with _open_keys(inputs, folder) as (source, found):
        if to is None:
            to = "text" if to_stdout and sys.stdout.isatty() else WRITTEN.get(found, "text")
        narrow = source.dtype.kind in "iu" and source.dtype.itemsize < FLOAT32.itemsize
        sort_source(
            Converted(source, FLOAT32) if narrow else source,
            partial(_open_output, dst, to, source.stored, force),
            folder,
            memory=memory,
            network=network,
            method=method,
            device=device,
            descending=descending,
            progress=sys.stderr.isatty(),
        )


def _form_by_suffix(dst: Path) -> str | None:
    """Return the form of an output by its suffix; None if that says nothing."""
    form = FORMS.get(suffix := dst.suffix.lower())
    if suffix in COMPRESSIONS or form in ("npz", "jsonl", "parquet", "arrow"):
        raise click.UsageError(
            f"sort writes .npy, text and raw numbers, no {suffix}: choose another name, or say "
            "which of them by --to"
        )
    return "text" if form in ("csv", "tsv") else form


@contextmanager
def _open_keys(inputs: Inputs, folder: Path) -> Iterator[tuple[Indexed, str]]:
    """Open keys; yield them with their form.

    A plain `.npy` or raw file is read where it is. Everything else is first read as numbers into an
    unnamed file in `folder`, so that little memory is needed.
    """
    if array := _array_file(inputs):
        yield array
        return
    with Spool(folder, inputs.request.dtype or FLOAT64) as spool:
        with inputs.read(widen=partial(_widen, spool)) as reader:
            for keys in reader.numbers():
                spool.stored = spool.stored if spool.size else keys.dtype
                spool.add(keys.astype(spool.stored, copy=False))
        if not spool.size:
            spool.stored = reader.stored or spool.stored
        yield spool, reader.form


def _array_file(inputs: Inputs) -> tuple[ArrayFile, str] | None:
    """Open the only input if it is a plain `.npy` or raw file of numbers, else return None."""
    path, request = inputs.paths[0], inputs.request
    if len(inputs.paths) > 1 or not path.is_file():
        return None
    try:
        if (form := form_of_file(path, request)) == "parquet":
            return None
        array = ArrayFile(path, replace(request, form=form), as_numbers)
    except (ForeignFile, UnsupportedKeys):
        return None  # of another form, compressed, or words: the reader knows
    check_flat(array.shape, array.name)
    return array, form


def _widen(numbers: Spool) -> None:
    """Convert int64 to float64; raise ForeignFile if that would change a number."""
    for first in range(0, numbers.size, PIECE):
        floats = numbers.read(first, min(first + PIECE, numbers.size)).astype(np.float64)
        if not (np.abs(floats) < 1 << 53).all():
            raise ForeignFile(
                "the input has both decimals and integers beyond 2**53, which float64 does not "
                "hold: pass dtype='float64' if all of its integers are exact doubles"
            )
        numbers.add(floats, first)
    numbers.stored = FLOAT64


@contextmanager
def _open_output(
    dst: Path, form: str, stored: np.dtype[Any], overwrite: bool, _: np.dtype[Any], count: int
) -> Iterator[Write]:
    """Open an output for keys, which are written in their own type, also if another was drawn."""
    with ExitStack() as stack:
        if is_standard(dst):
            write = encoder(_put, stored, count, form)
        else:
            output = output_file(dst, stored, count, overwrite=overwrite, form=form)
            write = stack.enter_context(output)
        yield lambda keys: write(keys.astype(stored, copy=False))


def _put(data: Keys) -> None:
    sys.stdout.buffer.write(np.ascontiguousarray(data).view(np.uint8).data)
