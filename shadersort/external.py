"""Sorting what is larger than the device, or than memory: in chunks, merged as a stream.

Chunks are read, sorted on the device and by NumPy side by side while the next one is read, and
written as runs into a temporary file. Then the runs are merged, block by block, into the output.
NaNs never enter a chunk: they are set apart as they are read, and follow all other keys at the end,
in the order in which they came.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from shadersort.balance import Balance
from shadersort.budget import Plan, cores, plan_for
from shadersort.chunks import ChunkSorter
from shadersort.devices import Device, borrowed
from shadersort.devices.base import CHANNELS
from shadersort.drawing import largest_texture
from shadersort.files import Source, Write, opened_source, output_file
from shadersort.networks import network as build_network
from shadersort.program import compile
from shadersort.progress import Advance, progress_in_bytes
from shadersort.runs import PIECE, Run, Spool, from_ordinals, merged, ordinal_type
from shadersort.sorting import sort

__all__ = ["external_sort"]

Keys = npt.NDArray[Any]

MOST_THREADS = 4
"""More threads do not merge faster than a disk writes."""


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
    share: float | str = ...,
    overwrite: bool = ...,
    progress: bool = ...,
    temporary_folder: str | os.PathLike[str] | None = ...,
    _plan: Plan | None = ...,
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
    share: float | str = ...,
    overwrite: bool = ...,
    progress: bool = ...,
    temporary_folder: str | os.PathLike[str] | None = ...,
    _plan: Plan | None = ...,
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
    share: float | str = "auto",
    overwrite: bool = False,
    progress: bool = False,
    temporary_folder: str | os.PathLike[str] | None = None,
    _plan: Plan | None = None,
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
    network, method, device
        As for `sort`. Integers need another method than "blend".
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
    DiskFull
        No room for the output or the runs.
    BadMemory, BadShare
        The budget or the share is none.
    UnknownNetwork, UnknownMethod, UnknownDevice, DeviceUnavailable
        As for `sort`.

    Examples
    --------
    >>> external_sort(np.float32([3, np.nan, -0.0, 1]), device="software")
    array([-0.,  1.,  3., nan], dtype=float32)
    """
    compile(build_network(network, 2), 2, 1, method)  # names are checked before anything is read
    balance = Balance(share)
    with ExitStack() as stack:
        source = stack.enter_context(opened_source(src, dtype))
        write, result = _sink(source, dst, overwrite, stack)
        opened = None if balance.fixed == 1.0 else stack.enter_context(borrowed(device))
        most = CHANNELS * largest_texture(opened.max_texture_size) if opened else None
        plan = plan_for(memory, source.dtype.itemsize, most)
        draw = partial(sort, network=network, method=method, device=opened)
        if opened:
            draw(np.zeros(1, source.dtype))  # whether keys of this type can be drawn
        folder = _temporary_folder(dst, temporary_folder)
        runs = stack.enter_context(_Runs(source, _plan or plan, folder, progress))
        runs.make(balance, draw)
        runs.write_in_order(write)
    return result


def _sink(
    source: Source, dst: str | os.PathLike[str] | None, overwrite: bool, stack: ExitStack
) -> tuple[Write, Keys | None]:
    """Return what takes the keys in order, and the array that is to be returned, if any."""
    if dst is not None:
        output = output_file(Path(dst), source.stored, source.count, overwrite=overwrite)
        return stack.enter_context(output), None
    result = np.empty(source.count, source.dtype)
    rest = result

    def write(keys: Keys) -> None:
        nonlocal rest
        rest[: len(keys)] = keys
        rest = rest[len(keys) :]

    return write, result


def _temporary_folder(
    dst: str | os.PathLike[str] | None, named: str | os.PathLike[str] | None
) -> Path:
    if named is not None:
        return Path(named)
    return Path(tempfile.gettempdir()) if dst is None else Path(dst).resolve().parent


class _Runs:
    """The runs of a source: made from its chunks, and merged into one."""

    def __init__(self, source: Source, plan: Plan, folder: Path, progress: bool) -> None:
        self._source, self._plan, self._folder = source, plan, folder
        self._progress = progress
        self._threads = min(MOST_THREADS, cores())

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            dtype = self._source.dtype
            self._nans = stack.enter_context(Spool(self._folder, dtype))
            self._spool = Spool(self._folder, ordinal_type(dtype))
            stack.callback(lambda: self._spool.close())  # whichever it is then
            self._pool = ThreadPoolExecutor(self._threads + 1)
            stack.callback(self._pool.shutdown, cancel_futures=True)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def make(self, balance: Balance, draw: Callable[[Keys], Keys]) -> None:
        """Sort all chunks, then merge runs until there are few enough for one last merge."""
        with self._bar("sorted") as advance:
            ChunkSorter(
                source=self._source,
                chunk=self._plan.chunk,
                balance=balance,
                draw=draw,
                pool=self._pool,
                threads=self._threads,
                runs=self._spool,
                nans=self._nans,
            ).sort_all(advance)
        while len(self._spool.runs) > self._plan.fan_in:
            self._merge_once()

    def write_in_order(self, write: Write) -> None:
        """Write all keys: those of the runs, merged, and then the NaNs."""
        with self._bar("merged") as advance:
            for numbers in self._merged(self._spool.runs):
                write(from_ordinals(numbers, self._source.dtype))
                advance(numbers.nbytes)
            for first in range(0, self._nans.count, PIECE):
                nans = self._nans.read(first, min(first + PIECE, self._nans.count))
                write(nans)
                advance(nans.nbytes)

    def _merge_once(self) -> None:
        """Merge each `fan_in` runs into one, in a new spool."""
        fewer, fan_in = Spool(self._folder, self._spool.dtype), self._plan.fan_in
        with ExitStack() as stack, self._bar("merged into longer runs") as advance:
            stack.callback(fewer.close)
            for i in range(0, len(self._spool.runs), fan_in):
                first = fewer.count
                for numbers in self._merged(self._spool.runs[i : i + fan_in]):
                    fewer.add(numbers)
                    advance(numbers.nbytes)
                fewer.runs.append(Run(first, fewer.count))
            stack.pop_all()
        self._spool.close()
        self._spool = fewer

    def _merged(self, runs: list[Run]) -> Iterator[Keys]:
        block = max(1, self._plan.step // max(1, len(runs)))
        return merged(self._spool, runs, block, self._pool, ahead=self._threads)

    def _bar(self, title: str) -> AbstractContextManager[Advance]:
        total = self._source.count * self._source.dtype.itemsize
        return progress_in_bytes(title, total, shown=self._progress)
