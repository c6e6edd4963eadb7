"""`shadersort sort`: sort the keys of a file or a pipe."""

import sys
from contextlib import ExitStack
from pathlib import Path

import click

from shadersort.cli.drawn_keys import drawn, drawn_type
from shadersort.cli.inputs import GUESSED, Inputs, input_options, paths_of
from shadersort.cli.key_files import check_suffix, key_sink, opened_keys, output_form
from shadersort.cli.options import (
    device_options,
    force_option,
    one_way_option,
    precision_option,
    share_of_cpu,
    usual_method,
)
from shadersort.drawing.devices import open_device
from shadersort.files.opening import is_standard
from shadersort.files.request import Request
from shadersort.keys.outputs import check_output
from shadersort.names import CardName, DeviceName, NetworkName, Precision, SortMethod
from shadersort.sorting.external.external_sort import temporary_folder_for
from shadersort.sorting.external.pipeline import sort_source

EXAMPLES = """\b
shadersort sort keys.npy sorted.npy
seq 100 -1 1 | shadersort sort | head -3
shadersort sort times.csv.gz sorted.txt --column ms
shadersort sort keys.bin sorted.txt --dtype float32 --network bitonic --method fused
"""


@click.command(epilog=EXAMPLES, short_help="Sort keys by drawing: files or pipes of them.")
@click.argument("files", nargs=-1, metavar="[SRC]... [DST]")
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    metavar="DST",
    help="The output; all files are SRC.",
)
@input_options(GUESSED)
@click.option(
    "--to",
    "to_form",
    type=click.Choice(["npy", "raw", "text"]),
    help="Format of the output. Default: by its suffix, or as the input.",
)
@force_option
@one_way_option
@device_options
@precision_option
@click.option("--descending", is_flag=True, help="Largest keys first. NaNs still come last.")
@click.option(
    "--share",
    type=share_of_cpu,
    default="auto",
    show_default=True,
    metavar="auto|0.0..1.0",
    help="Share that np.sort takes while the device draws the rest: 0 draws all, 1 nothing.",
)
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
    request: Request,
    to_form: str | None,
    force: bool,
    network: NetworkName,
    method: SortMethod | None,
    device: DeviceName,
    profile: CardName | None,
    precision: Precision | None,
    descending: bool,
    share: float | str,
    memory: str,
    temporary_folder: Path | None,
) -> None:
    """Sort keys by drawing, from SRC or the standard input, to DST or the standard output.

    Of two files or more, the last one is DST; with -o, all are SRC. A SRC may be a pattern such as
    'logs/*.csv.gz'. The formats are .npy, .npz, raw bytes (with --dtype), text, CSV and TSV, JSON
    lines, and Parquet and Arrow (with the extra "arrow"); each may be compressed by gzip, bz2, xz
    or zstd.

    Keys are integers, or floats of at most 64 bits, and may be more than fit into memory. Those of
    64 bits are drawn as records of two words, integers of 8 and 16 bits as float32. The output is a
    permutation of the input, bit for bit, in the order of np.sort. Words are read as int64, or as
    the nearest float64, and written with the fewest digits that are read back as the same key
    (1e+06 as 1000000.0). An integer that no double holds is refused, as is a word that the type of
    --dtype does not hold. Payloads of NaNs are lost in text. The output file appears when it is
    complete.
    """
    if share == 1 and profile:
        raise click.UsageError("--share 1 draws nothing, so --profile has no effect")
    paths, dst = _inputs_and_output(files, output)
    check_suffix(dst, to_form)
    if not is_standard(dst):
        check_output(dst.resolve(), overwrite=force)
    folder = temporary_folder_for(None if is_standard(dst) else dst, temporary_folder)
    with ExitStack() as stack:
        keys = opened_keys(Inputs(paths, request), folder)
        source, found = stack.enter_context(keys)
        opened = stack.enter_context(open_device(device, profile=profile)) if share != 1 else None
        method = method or usual_method(drawn_type(source.dtype), precision)
        sink = key_sink(dst, output_form(dst, to_form, found), overwrite=force)
        source, sink = drawn(source, sink, precision)
        sort_source(
            source,
            sink,
            folder,
            memory=memory,
            network=network,
            method=method,
            device=opened,
            precision=precision,
            descending=descending,
            share=share,
            progress=sys.stderr.isatty(),
        )


def _inputs_and_output(files: tuple[str, ...], output: str | None) -> tuple[tuple[Path, ...], Path]:
    """Return the files to read, and the one to write."""
    if output is None and len(files) > 1:
        files, output = files[:-1], files[-1]
    if output and output.endswith("/"):
        raise click.UsageError(f"{output} is the name of a folder: name a file")
    return paths_of(files), Path(output or "-")
