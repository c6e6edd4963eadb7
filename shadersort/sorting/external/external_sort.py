"""Sorting more keys than the device or memory holds: in chunks, merged as a stream.

Sorted chunks are written as runs into a temporary file. Then the runs are merged, block by block,
into the output. NaNs are separated as they are read, and follow all other keys at the end.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Unpack, overload

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.base import Device
from shadersort.files.source import check_flat
from shadersort.files.sources import open_source
from shadersort.keys.inputs import as_drawable
from shadersort.keys.outputs import Write, check_folder, form_of, output_file
from shadersort.keys.types import Keys
from shadersort.names import DeviceName, NetworkName, Precision, SortMethod
from shadersort.sorting.external.pipeline import sort_source
from shadersort.sorting.external.schedule import Schedule
from shadersort.sorting.sort import SortOptions

Name = str | os.PathLike[str]  # of a file or a folder


class Options(SortOptions, total=False):
    """The options of `external_sort`."""

    memory: int | str
    share: float | str
    _schedule: Schedule | None
    dtype: npt.DTypeLike | None
    overwrite: bool
    temporary_folder: Name | None


@overload
def external_sort(
    src: Name | npt.ArrayLike, dst: None = ..., **options: Unpack[Options]
) -> Keys: ...


@overload
def external_sort(src: Name | npt.ArrayLike, dst: Name, **options: Unpack[Options]) -> None: ...


def external_sort(
    src: Name | npt.ArrayLike,
    dst: Name | None = None,
    *,
    dtype: npt.DTypeLike | None = None,
    memory: int | str = "256MiB",
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    descending: bool = False,
    share: float | str = "auto",
    overwrite: bool = False,
    progress: bool = False,
    temporary_folder: Name | None = None,
    _schedule: Schedule | None = None,
) -> Keys | None:
    """Sort more keys than a texture, or memory, holds.

    The order is that of `sort`: a permutation of the input, bit for bit, −0.0 before 0.0, and NaNs
    last, in the order of the input. The output appears only when it is whole. If the sort fails or
    is interrupted, no output and no temporary file is left. (Only a killed process may leave a
    hidden, unfinished output; the files of runs have no name.)

    Parameters
    ----------
    src
        A one-dimensional array (it may be memory-mapped), a `.npy` file, or any other file, which
        holds raw keys. Of the types of `sort`, of either byte order.
    dst
        The file to write: with a header if its suffix is `.npy`, else raw, in the byte order of the
        source. None returns an array instead. It may be `src` if `overwrite` is set.
    dtype
        Type of the keys of a raw file; for others, the type they must have.
    memory
        The budget M: bytes, or as in "2GB"; "256MiB" by default, and 32 MiB at least. The sort
        needs less memory than this beyond the interpreter and the opened device. Arrays given or
        returned, and a GPU's own memory, do not count. For keys of w bytes, a chunk has at most
        (M − 16 MiB) / 15w keys, rounded down to a power of two, or (M − 16 MiB) / 3w keys with
        `share=1.0`. A merge holds min(M / 32, 4 MiB) of all runs together, and 32 KiB of each at
        least; more runs are merged in several rounds.
    network, method, device, precision, descending
        As for `sort`. Integers and doubles need another method than "blend". If the precision
        changes the type of the keys, the output file has the new type.
    share
        Share of the CPU: `np.sort` sorts that part of each chunk, in up to four threads, while the
        device sorts the rest. "auto", the default, follows their measured speeds. With 0.0 the
        device sorts all; with 1.0 the CPU sorts all, and no device is opened.
    overwrite
        Replace `dst` if it exists.
    progress
        Show progress bars over the bytes sorted and merged.
    temporary_folder
        The folder for the runs, which take as many bytes as the input, or up to twice as many. None
        is the folder of `dst`, or without `dst` the system's folder for temporary files.

    Raises
    ------
    UnsupportedKeys, UnknownColumn, KeysNotFlat
        The type or shape of the keys cannot be sorted, or is not the expected one.
    ForeignFile, TruncatedFile, InputChanged
        The source holds something other than keys, ends too early, or was changed meanwhile.
    OutputExists
        `dst` exists, and `overwrite` is not set.
    FileNotFoundError
        There is no such source, or no such folder for the output or the runs.
    DiskFull, BadOption, UnknownName, DeviceUnavailable
        There is no room for the output or the runs; the budget or the share is invalid; or as for
        `sort`.

    Examples
    --------
    >>> external_sort(np.float32([3, np.nan, -0.0, 1]), device="software")
    array([-0.,  1.,  3., nan], dtype=float32)
    """
    results: list[Keys] = []
    form = form_of(Path(src)) if isinstance(src, str | os.PathLike) else None
    keys = src if form else np.asanyarray(src)
    source: Any = open_source(keys, dtype=dtype, form=form, accept=as_drawable)
    check_flat(source.shape, source.name)
    sort_source(
        source,
        partial(_array_sink, results)
        if dst is None
        else partial(output_file, Path(dst), overwrite=overwrite),
        temporary_folder_for(dst, temporary_folder),
        memory=memory,
        network=network,
        method=method,
        device=device,
        precision=precision,
        descending=descending,
        share=share,
        progress=progress,
        _schedule=_schedule,
    )
    return results[0] if results else None


@contextmanager
def _array_sink(results: list[Keys], stored: np.dtype[Any], count: int) -> Iterator[Write]:
    """Write keys into a new array, the last of `results`."""
    rest = np.empty(count, stored.newbyteorder("="))
    results.append(rest)

    def write(keys: Keys) -> None:
        nonlocal rest
        rest[: len(keys)] = keys
        rest = rest[len(keys) :]

    yield write


def temporary_folder_for(dst: Name | None, named: Name | None) -> Path:
    """Return the folder for runs: the named one, that of `dst`, or the system's."""
    if named is not None:
        folder = Path(named)
    else:
        folder = Path(tempfile.gettempdir()) if dst is None else Path(dst).resolve().parent
    check_folder(folder)
    return folder
