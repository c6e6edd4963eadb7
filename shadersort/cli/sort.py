"""`shadersort sort`: sort the keys of a file or a pipe."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.failures import InputFile
from shadersort.cli.key_files import is_standard, key_sink, opened_keys, output_form
from shadersort.cli.options import (
    device_options,
    force_option,
    format_options,
    precision_option,
    share_of_cpu,
    ways_option,
)
from shadersort.drawing.devices import open_device
from shadersort.keys.outputs import check_output
from shadersort.names import CardName, DeviceName, NetworkName, Precision, SortMethod
from shadersort.sorting.external.external_sort import temporary_folder_for
from shadersort.sorting.external.pipeline import sort_source

OUTPUT: click.Path = click.Path(allow_dash=True, path_type=Path)


EXAMPLES = """\b
shadersort sort keys.npy sorted.npy
seq 100 -1 1 | shadersort sort --dtype int32 | head -3
shadersort sort keys.bin sorted.txt --dtype float32 --network bitonic --method fused
"""


@click.command(epilog=EXAMPLES, short_help="Sort keys by drawing: files or pipes of them.")
@click.argument("src", type=InputFile(), default="-")
@click.argument("dst", type=OUTPUT, default="-")
@format_options
@click.option(
    "--to",
    "to_form",
    type=click.Choice(["npy", "raw", "text"]),
    help="Format of the output. Default: by its suffix, or as the input.",
)
@force_option
@ways_option(method=None, note="blend for floats, auto for integers")
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
    src: Path,
    dst: Path,
    form: str | None,
    dtype: np.dtype[Any] | None,
    offset: int,
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

    Keys are float16, float32, int32 or uint32: in .npy files, as raw bytes (with --dtype), or as
    text, one number a line. They may be more than fit into memory. The output is a permutation of
    the input, bit for bit, in the order of np.sort; only the payloads of NaNs are lost in text. The
    output file appears when it is complete.
    """
    if share == 1 and profile:
        raise click.UsageError("--share 1 draws nothing, so --profile has no effect")
    if not is_standard(dst):
        check_output(dst.resolve(), overwrite=force)
    folder = temporary_folder_for(None if is_standard(dst) else dst, temporary_folder)
    with ExitStack() as stack:
        keys = opened_keys(src, form=form, dtype=dtype, offset=offset, folder=folder)
        source, found = stack.enter_context(keys)
        opened = stack.enter_context(open_device(device, profile=profile)) if share != 1 else None
        sink = key_sink(dst, output_form(dst, to_form, found), overwrite=force)
        sort_source(
            source,
            sink,
            folder,
            memory=memory,
            network=network,
            method=method or ("blend" if source.dtype.kind == "f" else "auto"),
            device=opened,
            precision=precision,
            descending=descending,
            share=share,
            progress=sys.stderr.isatty(),
        )
