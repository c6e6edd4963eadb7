"""The stages of an external sort: chunks become sorted runs, and runs are merged into the output.

The CPU and a device sort a chunk side by side while the next is read.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Self

import numpy as np

from shadersort.drawing.compile import compile
from shadersort.drawing.devices import Device, borrowed
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.progress import Advance, progress_in_bytes
from shadersort.files.source import Converted, Indexed
from shadersort.keys.codes import ordinals
from shadersort.keys.inputs import precise_type
from shadersort.keys.outputs import Sink, Write
from shadersort.keys.types import Keys
from shadersort.names import DeviceName, NetworkName, Precision, SortMethod
from shadersort.sorting.external.runs import SortedRun, Spool, merged
from shadersort.sorting.external.schedule import Schedule, scheduled
from shadersort.sorting.shared_sort import Balance, Sharing
from shadersort.sorting.sorted_ordinals import PIECE, complemented, keys_of_sorted
from shadersort.sorting.threads import cores, open_pool
from shadersort.sorting.wide import way_to_sort

MOST_THREADS = 4  # more threads would not merge faster than a disk writes
SAMPLE = 1 << 16  # keys sorted to measure the speeds of CPU and device, before the first chunk


def sort_source(
    source: Indexed,
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
        dtype, most = precise_type(source.dtype, precision), None
        draw: Callable[[Keys], Keys] = np.sort  # the CPU has all keys, unless a device is opened
        if balance.fixed != 1.0:
            opened = stack.enter_context(borrowed(device))
            way = way_to_sort(opened, source.dtype, network, method, precision)
            dtype, draw, most = way.dtype, way.sort, way.most
            draw(np.zeros(2 * CHANNELS, dtype))  # raises an error if such keys cannot be drawn
        source = Converted(source, dtype)
        schedule = _schedule or scheduled(memory, source.dtype.itemsize, most)
        write = stack.enter_context(sink(source.stored, source.size))
        sorting = ExternalSort(source, schedule, folder, balance, draw, descending, progress)
        stack.enter_context(sorting)
        sorting.make_runs()
        sorting.write_in_order(write)


class ExternalSort:
    """One external sort, with its threads and the files of its runs.

    If `descending`, runs hold `complemented` ordinals, so that the largest key comes first.
    """

    def __init__(
        self,
        source: Indexed,
        schedule: Schedule,
        folder: Path,
        balance: Balance,
        draw: Callable[[Keys], Keys],
        descending: bool,
        progress: bool,
    ) -> None:
        self._source, self._schedule, self._folder = source, schedule, folder
        self._balance, self._draw = balance, draw
        self._descending, self._progress = descending, progress
        self._threads = min(MOST_THREADS, cores())

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            dtype = self._source.dtype
            self._nans = stack.enter_context(Spool(self._folder, dtype))
            self._spool = Spool(self._folder, ordinals(np.empty(0, dtype)).dtype)
            self._runs: list[SortedRun] = []
            stack.callback(lambda: self._spool.close())  # the last of the spools
            self._pool = open_pool(self._threads + 1)  # one reads
            self._sharing = Sharing(self._balance, self._draw, self._pool, self._threads)
            stack.callback(self._pool.shutdown, cancel_futures=True)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def make_runs(self) -> None:
        """Sort all chunks, then merge runs until one last merge can take all of them."""
        chunk, count = self._schedule.chunk, self._source.size
        chunks = range(0, count, chunk)
        buffers = [np.empty(min(chunk, count), self._source.dtype) for _ in chunks[:2]]
        with self._bar("sorted") as advance:
            coming = [self._pool.submit(self._read, first, buffers[0]) for first in chunks[:1]]
            for i, first in enumerate(chunks):
                keys = coming.pop().result()
                if first + chunk < count:
                    buffer = buffers[(i + 1) % 2]
                    coming.append(self._pool.submit(self._read, first + chunk, buffer))
                self._sort(keys)
                advance(min(chunk, count - first) * keys.itemsize)
        while len(self._runs) > self._schedule.fan_in:
            self._merge_once()

    def write_in_order(self, write: Write) -> None:
        """Write all keys: those of the runs, merged, then the NaNs."""
        with self._bar("merged") as advance:
            for numbers in self._merged(self._runs):
                write(self._keys_of(numbers))
                advance(numbers.nbytes)
            for first in range(0, self._nans.size, PIECE):
                nans = self._nans.read(first, min(first + PIECE, self._nans.size))
                write(nans)
                advance(nans.nbytes)

    def _read(self, first: int, buffer: Keys) -> Keys:
        """Read the chunk that begins at a position into a buffer; write its NaNs to their spool."""
        last, filled = min(first + self._schedule.chunk, self._source.size), 0
        for position in range(first, last, PIECE):
            keys = self._source.read(position, min(position + PIECE, last))
            if keys.dtype.kind == "f" and (is_nan := np.isnan(keys)).any():
                self._nans.add(keys[is_nan])
                keys = keys[~is_nan]
            buffer[filled : filled + len(keys)] = keys
            filled += len(keys)
        return buffer[:filled]

    def _sort(self, keys: Keys) -> None:
        """Sort a chunk into runs: one by the device, one by each thread of the CPU."""
        if not len(keys):
            return
        if self._sharing.balance.unmeasured:
            self._sharing.measure(keys[:SAMPLE])
        drawn = self._sharing.balance.for_device(len(keys))
        self._sharing.make_runs(keys, drawn, self._add_run)

    def _add_run(self, numbers: Keys) -> None:
        ordered = complemented(numbers) if self._descending else numbers
        first = self._spool.add(ordered)
        self._runs.append(SortedRun(first, first + len(ordered)))

    def _keys_of(self, numbers: Keys) -> Keys:
        """Turn the ordinals of runs back into keys, in place."""
        if not self._descending:
            return keys_of_sorted(numbers, self._source.dtype)
        return keys_of_sorted(complemented(numbers), self._source.dtype)[::-1]

    def _merge_once(self) -> None:
        """Merge each `fan_in` runs into one, in a new spool."""
        fewer, fan_in = Spool(self._folder, self._spool.dtype), self._schedule.fan_in
        runs: list[SortedRun] = []
        with ExitStack() as stack, self._bar("merged into longer runs") as advance:
            stack.callback(fewer.close)
            for i in range(0, len(self._runs), fan_in):
                first = fewer.size
                for numbers in self._merged(self._runs[i : i + fan_in]):
                    fewer.add(numbers)
                    advance(numbers.nbytes)
                runs.append(SortedRun(first, fewer.size))
            stack.pop_all()
        self._spool.close()
        self._spool, self._runs = fewer, runs

    def _merged(self, runs: list[SortedRun]) -> Iterator[Keys]:
        block = max(1, self._schedule.step // max(1, len(runs)))
        return merged(self._spool, runs, block, self._pool, ahead=self._threads)

    def _bar(self, title: str) -> AbstractContextManager[Advance]:
        total = self._source.size * self._source.dtype.itemsize
        return progress_in_bytes(title, total, shown=self._progress)
