"""Sorting what is larger than the device, or than memory: in chunks, merged as a stream.

Chunks are read, sorted on the device and by NumPy side by side while the next one is read, and
written as runs into a temporary file. Then the runs are merged, block by block, into the output.
NaNs never enter a chunk: they are set apart as they are read, and follow all other keys at the end,
in the order in which they came.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices import Device
from shadersort.keys.files import opened_source
from shadersort.keys.outputs import Sink, Write, check_folder, output_file
from shadersort.keys.types import Keys
from shadersort.sorting.external.pipeline import sort_source
from shadersort.sorting.external.schedule import Schedule

__all__ = ["external_sort", "temporary_folder_for"]


@overload
def external_sort(
    src: str | os.PathLike[str] | npt.ArrayLike,
    dst: None = ...,
    *,
    dtype: npt.DTypeLike | None = ...,
    memory: int | str = ...,
    network: str = ...,
    method: str = ...,
    device: Device | str | None = ...,
    precision: str | None = ...,
    descending: bool = ...,
    share: float | str = ...,
    overwrite: bool = ...,
    progress: bool = ...,
    temporary_folder: str | os.PathLike[str] | None = ...,
    _schedule: Schedule | None = ...,
) -> Keys: ...


@overload
def external_sort(
    src: str | os.PathLike[str] | npt.ArrayLike,
    dst: str | os.PathLike[str],
    *,
    dtype: npt.DTypeLike | None = ...,
    memory: int | str = ...,
    network: str = ...,
    method: str = ...,
    device: Device | str | None = ...,
    precision: str | None = ...,
    descending: bool = ...,
    share: float | str = ...,
    overwrite: bool = ...,
    progress: bool = ...,
    temporary_folder: str | os.PathLike[str] | None = ...,
    _schedule: Schedule | None = ...,
) -> None: ...


def external_sort(
    src: str | os.PathLike[str] | npt.ArrayLike,
    dst: str | os.PathLike[str] | None = None,
    *,
    dtype: npt.DTypeLike | None = None,
    memory: int | str = "256MiB",
    network: str = "pbsn",
    method: str = "blend",
    device: Device | str | None = None,
    precision: str | None = None,
    descending: bool = False,
    share: float | str = "auto",
    overwrite: bool = False,
    progress: bool = False,
    temporary_folder: str | os.PathLike[str] | None = None,
    _schedule: Schedule | None = None,
) -> Keys | None:
    """Sort keys that are larger than a texture, or than memory.

    The order is that of `sort`: a permutation of the input, bit for bit, −0.0 before 0.0, and NaNs
    last, in the order in which they came. The output appears when it is whole; if anything fails
    or is interrupted, no part of it is left, nor any temporary file. (Only a process that is killed
    outright may leave one behind: the hidden, unfinished output. Runs have no name at all.)

    Parameters
    ----------
    src
        A one-dimensional array (it may be memory-mapped), a `.npy` file, or any other file, of
        bare keys. float16, float32, int32 or uint32, of either byte order.
    dst
        The file to write: with a header if its suffix is `.npy`, bare otherwise. Byte order is the
        source's. None returns an array instead. It may be `src` if it may be overwritten.
    dtype
        Type of the keys of a bare file; for others, the type they must have.
    memory
        The budget M: bytes, or as in "256MiB" or "2GB"; 32 MiB at least. What the sort takes on
        top of the interpreter and the opened device stays below it; an array given or returned
        does not count, nor does a GPU's own memory. For keys of w bytes a chunk is the largest
        power of two of keys of at most (M − 16 MiB) / 15w where the device sorts, and
        (M − 16 MiB) / 3w keys with `share=1.0`. A merge holds min(M / 32, 4 MiB) of all runs
        together, 32 KiB of each at least; more runs than that are merged in several rounds.
    network, method, device, precision, descending
        As for `sort`. Integers need another method than "blend". Where the precision changes the
        keys' type, a file has keys of the new one.
    share
        Share of the CPU: that part of each chunk is sorted by `np.sort`, in up to four threads,
        while the device sorts the rest. "auto" follows their measured speeds; 0.0 leaves all to
        the device, 1.0 all to the CPU, and then no device is opened.
    overwrite
        Replace `dst` if it exists.
    progress
        Show progress bars over the bytes sorted and merged.
    temporary_folder
        Where the runs are written: as many bytes as the input's, at most twice as many. None
        means beside `dst`, and without a `dst` in the system's folder for temporary files.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        The keys are of another type or shape than can be sorted, or than was said.
    ForeignFile, TruncatedFile
        The source holds something else than keys, or ends too early.
    OutputExists
        `dst` exists, and `overwrite` is not set.
    FileNotFoundError
        There is no such source, or no such folder for the output or the runs.
    DiskFull
        No room for the output or the runs.
    BadMemory, BadShare
        The budget or the share is none.
    UnknownNetwork, UnknownMethod, UnknownPrecision, UnknownDevice, DeviceUnavailable
        As for `sort`.

    Examples
    --------
    >>> external_sort(np.float32([3, np.nan, -0.0, 1]), device="software")
    array([-0.,  1.,  3., nan], dtype=float32)
    """
    results: list[Keys] = []
    with ExitStack() as stack:
        sort_source(
            stack.enter_context(opened_source(src, dtype)),
            partial(_array_sink, results) if dst is None else _file_sink(Path(dst), overwrite),
            memory=memory,
            network=network,
            method=method,
            device=device,
            precision=precision,
            descending=descending,
            share=share,
            progress=progress,
            folder=temporary_folder_for(dst, temporary_folder),
            _schedule=_schedule,
        )
    return results[0] if results else None


def _file_sink(dst: Path, overwrite: bool) -> Sink:
    return partial(output_file, dst, overwrite=overwrite)


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


def temporary_folder_for(
    dst: str | os.PathLike[str] | None, named: str | os.PathLike[str] | None
) -> Path:
    """Return where runs are written: in the folder named, beside `dst`, or in the system's."""
    if named is not None:
        folder = Path(named)
    else:
        folder = Path(tempfile.gettempdir()) if dst is None else Path(dst).resolve().parent
    check_folder(folder)
    return folder
