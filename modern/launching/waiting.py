"""Launching kernels: what they need beside the keys, and how their few results come back.

A kernel writes its result into pinned memory, so the host can read it after one wait, without a
copy. Each device and stream has a workspace for launches, which threads never share.

The host does not wait for a copy of known size. The kernel leaves its count in a slot, and the next
wait compares the count with the expected size.
"""

import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt
from cupy.cuda import driver

from modern.launching.compiling import compiled
from modern.launching.workspace import BLOCKS_PER_PROCESSOR, SCRATCH, SLOT, workspace
from shadersort.errors import BadOption, OutOfDeviceMemory
from shadersort.keys.types import Integers

THREADS = 256

SHARED_UNASKED = 4 << 10
"""Bytes of dynamic shared memory that a block has by default, beside its static memory."""

MOST_FIXED, LARGEST_FIXED = 256, 1 << 12
"""Host arrays whose copies are kept on the device for each stream, and bytes of one, at most."""

_kernels: dict[tuple[Any, ...], Any] = {}
_shared: dict[int, int] = {}
_asking = threading.Lock()


@contextmanager
def guarded(count: int, dtype: npt.DTypeLike) -> Iterator[None]:
    """Turn an error of memory into one that says how much was needed, and what would help."""
    try:
        yield
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise _too_little(count, dtype) from error


def _too_little(count: int, dtype: npt.DTypeLike) -> OutOfDeviceMemory:
    size = count * np.dtype(dtype).itemsize
    return OutOfDeviceMemory(
        f"the device has no {size:,} bytes left for a copy of keys: methods that copy none are "
        "'radix-inplace', and 'cutting-plane' with finish='iterate'"
    )


def room(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
    """Return an uninitialised array on the device, which a launch will fill."""
    try:
        return cupy.empty(shape, dtype)
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise _too_little(int(np.prod(shape)), dtype) from error


def _ask_for(kernel: int, shared: int) -> None:
    """Allow a kernel the largest dynamic shared memory that it has needed so far."""
    if _shared.get(kernel, 0) >= shared:
        return
    with _asking:  # otherwise another thread could set a smaller size later
        if _shared.get(kernel, 0) < shared:
            attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            driver.funcSetAttribute(kernel, attribute, shared)
            _shared[kernel] = shared


def _launch(
    kernel: Any,
    grid: tuple[int, ...],
    threads: int,
    arguments: tuple[Any, ...],
    shared: int = 0,
    *,
    together: bool = False,
) -> None:
    if shared > SHARED_UNASKED:
        _ask_for(kernel.ptr, shared)
    kernel(grid, (threads,), arguments, shared_mem=shared, enable_cooperative_groups=together)


class Launcher:
    """Launches kernels for one type of key, on the current device and stream."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype, self._type = dtype, dtype.char
        self.raw = np.dtype(f"u{dtype.itemsize}")
        self._stream = cupy.cuda.get_current_stream()
        self._lease = workspace(self._stream)  # as long as this is used, nobody else has it
        self._space = self._lease.space

    @property
    def most_shared(self) -> int:
        """The most bytes of shared memory that a block may have."""
        return self._space.most_shared

    @property
    def processors(self) -> int:
        """The number of multiprocessors."""
        return self._space.processors

    def kernel(self, name: str, **macros: int) -> Any:
        """Return a kernel; it is compiled at its first use on a device."""
        key = (name, self._type, self._space.device, *macros.items())
        kernel = _kernels.get(key)
        if kernel is None:
            given = tuple(sorted(macros.items()))
            module = cupy.cuda.function.Module()
            module.load(compiled(name, self.dtype.name, self._space.architecture, given))
            # kernels are never freed: another could get the address that `_shared` has stored
            kernel = _kernels.setdefault(key, module.get_function(name))
        return kernel

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
        grid = (self._space.processors * blocks,)
        _launch(kernel, grid, threads, arguments, shared)

    def given(self, array: npt.NDArray[Any]) -> Any:
        """Return a host array on the device; a small array is copied without a wait."""
        place = self._space.staged(array) if array.size else None
        if place is None:
            return cupy.asarray(array)
        given = room(array.shape, array.dtype)
        to_device = cupy.cuda.runtime.memcpyHostToDevice
        cupy.cuda.runtime.memcpyAsync(
            given.data.ptr, int(place), array.nbytes, to_device, self._stream.ptr
        )
        return given

    def fixed(self, array: npt.NDArray[Any]) -> Any:
        """Return a host array on the device, which nobody may change: equal ones are copied once.

        A copy that a graph captures is not kept, as it is there only when the graph runs.
        """
        known, key = self._space.fixed, (array.dtype.char, array.shape, array.tobytes())
        found = known.get(key)
        if found is None:
            found = self.given(array)
            if array.nbytes > LARGEST_FIXED or self._stream.is_capturing():
                return found
            if len(known) >= MOST_FIXED:
                known.clear()
            known[key] = found
        return found

    def lent(self, array: npt.NDArray[Any]) -> Any:
        """Return a small host array in memory that kernels can read slowly, until the next wait."""
        place = self._space.staged(array)
        return self.given(array) if place is None else place

    def run_threads(self, kernel: Any, arguments: tuple[Any, ...], count: int) -> None:
        """Launch a kernel with at least `count` threads."""
        grid = (-(-count // THREADS),)
        _launch(kernel, grid, THREADS, arguments)

    def wait(self) -> None:
        """Wait for all launches, and check the sizes of the copies among them."""
        self._stream.synchronize()
        self._space.check()

    def reduced(
        self, kernel: Any, arguments: tuple[Any, ...], layout: struct.Struct
    ) -> tuple[Any, ...]:
        """Launch a reduction, wait for it, and return its result."""
        space = self._space
        self.run(kernel, (*arguments, space.parts, space.ticket, space.result))
        self.wait()
        return layout.unpack_from(space.view)

    def together(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        layout: struct.Struct,
        *,
        threads: int,
        blocks: int,
        shared: int = 0,
    ) -> tuple[Any, ...]:
        """Launch blocks that wait for each other, one for each multiprocessor at most; wait."""
        space = self._space
        every = (*arguments, *space.counters, space.result)
        blocks = min(blocks, space.processors)
        self.run_together(kernel, every, threads=threads, blocks=blocks, shared=shared)
        self.wait()
        return layout.unpack_from(space.view)

    def run_together(
        self,
        kernel: Any,
        arguments: tuple[Any, ...],
        *,
        threads: int,
        blocks: int | tuple[int, int],
        shared: int = 0,
    ) -> None:
        """Launch blocks that wait for each other, without a wait.

        There may be at most one block for each multiprocessor. Two numbers are those of a grid: of
        a row of blocks, and of rows.
        """
        grid = blocks if isinstance(blocks, tuple) else (blocks,)
        _launch(kernel, grid, threads, arguments, shared, together=True)

    def kept(self, name: str, size: int) -> Any:
        """Return bytes that a kernel keeps between its launches; they are 0 at first."""
        return self._space.kept(name, size)

    def totals(
        self, kernel: Any, arguments: tuple[Any, ...], count: int, **options: int
    ) -> Integers:
        """Launch a histogram, wait for it, and return its counters."""
        self.run(kernel, (*arguments, *self.counters, self.result(0)), **options)
        return self.results(count)

    def result(self, place: int) -> np.uint64:
        """Return the address of number `place` of the results."""
        return self._space.result + np.uint64(8 * place)

    @property
    def counters(self) -> tuple[Any, Any]:
        """Totals of all blocks and a ticket, 0 between launches."""
        return self._space.counters

    def results(self, count: int) -> Integers:
        """Wait, and return the first `count` numbers of the results."""
        self.wait()
        return self.left(0, count)

    def left(self, place: int, count: int) -> Integers:
        """Return `count` numbers of the results from `place` on, after a wait."""
        return np.frombuffer(self._space.view, np.int64, count, 8 * place).copy()

    def scratch(self, *words: int) -> list[np.uint64]:
        """Return addresses of pieces of memory, in words; they are valid until the next wait."""
        ends = list(accumulate(words, initial=0))
        if ends[-1] > SCRATCH:
            raise BadOption(f"kernels hand on {SCRATCH:,} words at most, not {ends[-1]:,}")
        first = self._space.scratch.data.ptr
        return [np.uint64(first + 8 * start) for start in ends[:-1]]

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
        _launch(kernel, grid, threads, arguments, shared)

    def copied(
        self, kernel: Any, arguments: tuple[Any, ...], count: int | None, **options: int
    ) -> tuple[int, ...]:
        """Launch a copy and return what it counted; with a known `count`, do not wait."""
        slot = self._space.slot()
        counters = (*self._space.counters, self._space.address(slot))
        self.run(kernel, (*arguments, *counters), **options)
        if count is not None:
            self._space.expected.append((slot, count))
            return count, 0, 0, 0, 0
        self.wait()
        return SLOT.unpack_from(self._space.slots, slot * SLOT.size)

    def gathered(self, kernel: Any, arguments: tuple[Any, ...], count: int) -> npt.NDArray[Any]:
        """Launch a kernel that finds one key a thread, wait for it, and return the keys."""
        return self._found(kernel, arguments, count, count, self.dtype)

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
        if count * dtype.itemsize > len(self._space.view):
            found = room(count, dtype)
            self.run_threads(kernel, (*arguments, found), threads)
            return self.fetched(found)
        self.run_threads(kernel, (*arguments, self._space.result), threads)
        self.wait()
        return np.frombuffer(self._space.view, dtype, count).copy()

    def fetched(self, array: Any) -> npt.NDArray[Any]:
        """Return a device array on the host."""
        host: npt.NDArray[Any] = array.get(stream=self._stream)
        self.wait()  # get() does not wait for an empty array
        return host
