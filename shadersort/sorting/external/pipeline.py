"""Sorting any source into any sink: by runs in temporary files, merged block by block."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Self

import numpy as np

from shadersort.drawing.compile import compile
from shadersort.drawing.devices import Device, borrowed
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.progress import Advance, progress_in_bytes
from shadersort.drawing.texture_size import largest_texture
from shadersort.keys.accepted import precise
from shadersort.keys.codes import ordinals
from shadersort.keys.files import Source
from shadersort.keys.outputs import Sink, Write
from shadersort.keys.types import WIDE, Keys
from shadersort.names import DeviceName, NetworkName, Precision, SortMethod
from shadersort.sorting.balance import Balance
from shadersort.sorting.external.chunks import ChunkSorter
from shadersort.sorting.external.runs import SortedRun, Spool, merged
from shadersort.sorting.external.schedule import Schedule, cores, scheduled
from shadersort.sorting.sorted_ordinals import PIECE, complemented, keys_of_sorted
from shadersort.sorting.texture_sort import TextureSort
from shadersort.sorting.wide import WideSort

MOST_THREADS = 4
"""More threads would not merge faster than a disk writes."""


def sort_source(
    source: Source,
    sink: Sink,
    folder: Path,
    *,
    memory: int | str = "256MiB",
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    descending: bool = False,
    share: float | str = "auto",
    progress: bool = False,
    _schedule: Schedule | None = None,
) -> None:
    """Sort a source into a sink, with runs in a folder; the options are those of `external_sort`.

    All names are checked before anything is opened; the sink is opened last.
    """
    compile(build_network(network, 2), 2, 1, "fused" if method == "auto" else method)
    balance = Balance(share)
    with ExitStack() as stack:
        opened = None if balance.fixed == 1.0 else stack.enter_context(borrowed(device))
        most = None
        dtype = precise(source.dtype, precision)
        draw: Callable[[Keys], Keys] = np.sort  # the CPU has all keys, unless a device is opened
        if opened:
            way, most = _way(opened, source.dtype, network, method, precision)
            dtype, draw = way.dtype, way.sort
            draw(np.zeros(2 * CHANNELS, dtype))  # raises an error if such keys cannot be drawn
        source = source.converted(dtype)
        schedule = _schedule or scheduled(memory, source.dtype.itemsize, most)
        write = stack.enter_context(sink(source.stored, source.count))
        runs = stack.enter_context(_Runs(source, schedule, folder, descending, progress))
        runs.make(balance, draw)
        runs.write_in_order(write)


def _way(
    device: Device,
    dtype: np.dtype[Any],
    network: NetworkName,
    method: SortMethod,
    precision: Precision | None,
) -> tuple[TextureSort | WideSort, int]:
    """Return what sorts keys of a type on a device, and how many a texture holds."""
    if precise(dtype, precision) in WIDE:
        wide = WideSort.prepared(device, dtype, network, method)
        return wide, wide.most
    way = TextureSort.prepared(device, dtype, network, method, precision)
    return way, CHANNELS * largest_texture(device.max_texture_size)


class _Runs:
    """The runs of a source: made from its chunks, then merged."""

    def __init__(
        self, source: Source, schedule: Schedule, folder: Path, descending: bool, progress: bool
    ) -> None:
        self._source, self._schedule, self._folder = source, schedule, folder
        self._descending, self._progress = descending, progress
        self._threads = min(MOST_THREADS, cores())

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            dtype = self._source.dtype
            self._nans = stack.enter_context(Spool(self._folder, dtype))
            self._spool = Spool(self._folder, ordinals(np.empty(0, dtype)).dtype)
            stack.callback(lambda: self._spool.close())  # the last of the spools
            self._pool = ThreadPoolExecutor(self._threads + 1)
            stack.callback(self._pool.shutdown, cancel_futures=True)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def make(self, balance: Balance, draw: Callable[[Keys], Keys]) -> None:
        """Sort all chunks, then merge runs until one last merge can take all of them."""
        with self._bar("sorted") as advance:
            ChunkSorter(
                source=self._source,
                chunk=self._schedule.chunk,
                balance=balance,
                draw=draw,
                pool=self._pool,
                threads=self._threads,
                runs=self._spool,
                nans=self._nans,
                descending=self._descending,
            ).sort_all(advance)
        while len(self._spool.runs) > self._schedule.fan_in:
            self._merge_once()

    def write_in_order(self, write: Write) -> None:
        """Write all keys: those of the runs, merged, then the NaNs."""
        with self._bar("merged") as advance:
            for numbers in self._merged(self._spool.runs):
                write(self._keys_of(numbers))
                advance(numbers.nbytes)
            for first in range(0, self._nans.count, PIECE):
                nans = self._nans.read(first, min(first + PIECE, self._nans.count))
                write(nans)
                advance(nans.nbytes)

    def _keys_of(self, numbers: Keys) -> Keys:
        """Turn the ordinals of runs back into keys, in place."""
        if not self._descending:
            return keys_of_sorted(numbers, self._source.dtype)
        return keys_of_sorted(complemented(numbers), self._source.dtype)[::-1]

    def _merge_once(self) -> None:
        """Merge each `fan_in` runs into one, in a new spool."""
        fewer, fan_in = Spool(self._folder, self._spool.dtype), self._schedule.fan_in
        with ExitStack() as stack, self._bar("merged into longer runs") as advance:
            stack.callback(fewer.close)
            for i in range(0, len(self._spool.runs), fan_in):
                first = fewer.count
                for numbers in self._merged(self._spool.runs[i : i + fan_in]):
                    fewer.add(numbers)
                    advance(numbers.nbytes)
                fewer.runs.append(SortedRun(first, fewer.count))
            stack.pop_all()
        self._spool.close()
        self._spool = fewer

    def _merged(self, runs: list[SortedRun]) -> Iterator[Keys]:
        block = max(1, self._schedule.step // max(1, len(runs)))
        return merged(self._spool, runs, block, self._pool, ahead=self._threads)

    def _bar(self, title: str) -> AbstractContextManager[Advance]:
        total = self._source.count * self._source.dtype.itemsize
        return progress_in_bytes(title, total, shown=self._progress)
