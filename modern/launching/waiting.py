"""Launches whose few results the host waits for: searches by a method, and summaries of streams.

A kernel writes its result into pinned memory, so the host can read it after one wait, without a
copy. The host does not wait for a copy of known size: the kernel leaves its count in a slot, and
the next wait compares the count with the expected size. Nothing here can be captured in a graph.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt
from cupy.cuda import runtime

from modern.launching.launch import KeyType, lease_of
from modern.launching.launch import Launcher as Launches
from shadersort.errors import BadOption, OutOfDeviceMemory
from shadersort.keys.types import Integers
from shadersort.selection.primitives import check_count

THREADS = 256

BLOCKS_PER_PROCESSOR = 5
"""This many blocks run at once, with 48 registers a thread. One wave of blocks has no tail."""

PART_BYTES = 64
"""At least the size of the result of one block of a reduction."""

COUNTERS = 1 << 16
"""Counters of the largest histogram, and words of results."""

SLOTS, SLOT = 64, struct.Struct("=5Q")
"""Results of copies that the host has not waited for."""

STAGING = 64 << 10
"""Bytes of pinned memory for small tables on their way to the device."""

SCRATCH = 1 << 17
"""Words of 64 bits that kernels pass on to later kernels."""


def room(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
    """Return an uninitialised array of CuPy on the current device, which a launch will fill."""
    with guarded(int(np.prod(shape)), dtype):
        return cupy.empty(shape, dtype)


@contextmanager
def guarded(count: int, dtype: npt.DTypeLike) -> Iterator[None]:
    """Turn an error of memory into one that says how much was needed, and what would help."""
    try:
        yield
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise OutOfDeviceMemory(
            f"the device has no {count * np.dtype(dtype).itemsize:,} bytes left for a copy of "
            "keys: methods that copy none are 'radix-inplace', and 'cutting-plane' with "
            "finish='iterate'"
        ) from error


class Results:
    """Pinned memory of one stream, and what its waiting launches share."""

    def __init__(self, processors: int) -> None:
        self.parts = cupy.empty(processors * BLOCKS_PER_PROCESSOR * PART_BYTES, cupy.uint8)
        self.ticket = cupy.zeros(1, cupy.uint32)
        self.counters = cupy.zeros(COUNTERS, cupy.uint64), cupy.zeros(1, cupy.uint32)
        self.scratch = cupy.empty(SCRATCH, cupy.uint64)
        self.memory = cupy.cuda.alloc_pinned_memory(8 * COUNTERS + SLOTS * SLOT.size + STAGING)
        self.view = memoryview(self.memory).cast("B")
        self.slots = 8 * COUNTERS  # where these begin in the memory
        self.staging = self.slots + SLOTS * SLOT.size
        self.expected: list[tuple[int, int]] = []  # slots of copies, and the counts there
        self.last = self.staged = 0

    def check(self) -> None:
        """After a wait, compare the counts of copies with the expected counts."""
        self.staged = 0
        expected, self.expected = self.expected, []
        for slot, count in expected:
            check_count(SLOT.unpack_from(self.view, slot)[0], count)


class Launcher(Launches):
    """Launches kernels on CuPy's current device and stream, and waits for their results."""

    def __init__(self, dtype: KeyType) -> None:
        device, self._stream = runtime.getDevice(), cupy.cuda.get_current_stream()
        lease = lease_of(device, self._stream.ptr)
        super().__init__(dtype, device, self._stream.ptr, lease)
        self._results = lease.shared.get("results") or Results(self.processors)
        lease.shared["results"] = self._results

    def run(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        *,
        threads: int = THREADS,
        blocks: int = BLOCKS_PER_PROCESSOR,
        shared: int = 0,
    ) -> None:
        """Launch a kernel with `blocks` blocks for each multiprocessor, without a wait."""
        self.launch(kernel, (self.processors * blocks,), threads, arguments, shared)

    def run_threads(self, kernel: Any, arguments: tuple[Any, ...], count: int) -> None:
        """Launch a kernel with at least `count` threads."""
        self.launch(kernel, (-(-count // THREADS),), THREADS, arguments)

    def run_blocks(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        blocks: int | tuple[int, int],
        *,
        threads: int,
        shared: int = 0,
    ) -> None:
        """Launch a kernel with `blocks` blocks, or with a grid of two dimensions."""
        grid = blocks if isinstance(blocks, tuple) else (blocks,)
        self.launch(kernel, grid, threads, arguments, shared)

    def run_together(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        *,
        threads: int,
        blocks: int | tuple[int, int],
        shared: int = 0,
    ) -> None:
        """Launch blocks that wait for each other: one for each multiprocessor at most."""
        grid = blocks if isinstance(blocks, tuple) else (blocks,)
        self.launch(kernel, grid, threads, arguments, shared, together=True)

    def given(self, array: npt.NDArray[Any]) -> Any:
        """Return a host array on the device; a small array is copied without a wait."""
        place = self._stage(array) if array.size else None
        if place is None:
            return cupy.asarray(array)
        given = room(array.shape, array.dtype)
        to_device = runtime.memcpyHostToDevice
        runtime.memcpyAsync(given.data.ptr, int(place), array.nbytes, to_device, self.stream)
        return given

    fixed = given

    def lent(self, array: npt.NDArray[Any]) -> Any:
        """Return a small host array in memory that kernels can read slowly, until the next wait."""
        place = self._stage(array)
        return self.given(array) if place is None else place

    def _stage(self, array: npt.NDArray[Any]) -> np.uint64 | None:
        """Put an array into pinned memory if there is room, and return its address."""
        results = self._results
        if results.staged + array.nbytes > STAGING:
            return None
        first = results.staging + results.staged
        np.frombuffer(results.memory, array.dtype, array.size, first)[:] = array.ravel()
        results.staged += -(-array.nbytes // 16) * 16
        return np.uint64(results.memory.ptr + first)

    def kept(self, name: str, size: int) -> int:
        """Return the address of bytes that a kernel keeps between its launches; 0 at first."""
        return self.zeroed.get(name) or self.new_zeroed(name, size)

    def wait(self) -> None:
        """Wait for all launches, and check the sizes of the copies among them."""
        self.check_not_captured("a search by a method")
        self._stream.synchronize()
        self._results.check()

    def reduced(
        self, kernel: Any, arguments: tuple[Any, ...], layout: struct.Struct
    ) -> tuple[Any, ...]:
        """Launch a reduction, wait for it, and return its result."""
        results = self._results
        self.run(kernel, (*arguments, results.parts, results.ticket, self.result(0)))
        self.wait()
        return layout.unpack_from(results.view)

    def together(
        self, kernel: Any, arguments: tuple[Any, ...], layout: struct.Struct, **shape: Any
    ) -> tuple[Any, ...]:
        """Launch blocks that wait for each other, wait for them, and return their result."""
        shape["blocks"] = min(shape["blocks"], self.processors)
        self.run_together(kernel, (*arguments, *self.counters, self.result(0)), **shape)
        self.wait()
        return layout.unpack_from(self._results.view)

    def totals(
        self, kernel: Any, arguments: tuple[Any, ...], count: int, **options: int
    ) -> Integers:
        """Launch a histogram, wait for it, and return its counters."""
        self.run(kernel, (*arguments, *self.counters, self.result(0)), **options)
        return self.results(count)

    def copied(
        self, kernel: Any, arguments: tuple[Any, ...], count: int | None, **options: int
    ) -> tuple[int, ...]:
        """Launch a copy and return what it counted; with a known `count`, do not wait."""
        results = self._results
        if len(results.expected) >= SLOTS - 1:
            self.wait()
        results.last = (results.last + 1) % SLOTS
        slot = results.slots + results.last * SLOT.size
        address = np.uint64(results.memory.ptr + slot)
        self.run(kernel, (*arguments, *self.counters, address), **options)
        if count is not None:
            results.expected.append((slot, count))
            return count, 0, 0, 0, 0
        self.wait()
        return SLOT.unpack_from(results.view, slot)

    def gathered(self, kernel: Any, arguments: tuple[Any, ...], count: int) -> npt.NDArray[Any]:
        """Launch a kernel that finds one key a thread, wait for it, and return the keys."""
        return self._found(kernel, arguments, count, count, np.dtype(self.dtype))

    def listed(self, kernel: Any, arguments: tuple[Any, ...], threads: int, count: int) -> Integers:
        """Launch a kernel that finds some numbers, wait for it, and return them."""
        return self._found(kernel, arguments, threads, count, np.dtype(np.int64))

    def _found(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        threads: int,
        count: int,
        dtype: np.dtype[Any],
    ) -> npt.NDArray[Any]:
        if count * dtype.itemsize > 8 * COUNTERS:
            found = room(count, dtype)
            self.run_threads(kernel, (*arguments, found), threads)
            return self.fetched(found)
        self.run_threads(kernel, (*arguments, self.result(0)), threads)
        self.wait()
        return np.frombuffer(self._results.view, dtype, count).copy()

    def fetched(self, array: Any) -> npt.NDArray[Any]:
        """Return a device array on the host."""
        host: npt.NDArray[Any] = array.get(stream=self._stream)
        self.wait()  # get() does not wait for an empty array
        return host

    @property
    def counters(self) -> tuple[Any, Any]:
        """Totals of all blocks and a ticket, 0 between launches."""
        return self._results.counters

    def result(self, place: int) -> np.uint64:
        """Return the address of number `place` of the results."""
        return np.uint64(self._results.memory.ptr + 8 * place)

    def results(self, count: int) -> Integers:
        """Wait, and return the first `count` numbers of the results."""
        self.wait()
        return self.left(0, count)

    def left(self, place: int, count: int) -> Integers:
        """Return `count` numbers of the results from `place` on, after a wait."""
        return np.frombuffer(self._results.view, np.int64, count, 8 * place).copy()

    def scratch(self, *words: int) -> list[np.uint64]:
        """Return addresses of pieces of memory, in words; they are valid until the next wait."""
        ends = list(accumulate(words, initial=0))
        if ends[-1] > SCRATCH:
            raise BadOption(f"kernels hand on {SCRATCH:,} words at most, not {ends[-1]:,}")
        first = self._results.scratch.data.ptr
        return [np.uint64(first + 8 * start) for start in ends[:-1]]
