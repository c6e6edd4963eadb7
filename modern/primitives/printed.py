"""What the papers' methods as printed ask for, on a GPU, with the papers' own launches.

The kernels count with one atomic increment for each key, have one block of 1,024 threads for each
multiprocessor, and keep the bucket of each key in a vector of n integers. Their NumPy twins are in
shadersort/selection/primitives/printed.py.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

import cupy
import numpy as np

from modern.primitives.device_primitives import DevicePrimitives
from modern.primitives.histograms import count_digits
from shadersort.keys.types import Integers, Key
from shadersort.selection.primitives import Primitives
from shadersort.selection.primitives.buckets import Doubles
from shadersort.selection.primitives.printed import (
    Assignment,
    BlockAssignment,
    Tangent,
    WorkingCodes,
)
from shadersort.selection.primitives.values import check_count

TANGENT = struct.Struct("=Qdd")

THREADS = 1024
"""Threads of a block: "the maximum number of threads per block"."""


def tangent(gpu: DevicePrimitives, t: float) -> Tangent:
    """Sum and count at a place."""
    upto, below, above = gpu.reduce("beliakov_objective", (np.float64(t),), TANGENT)
    return Tangent(below, above, upto)


class GPUCodes(WorkingCodes):
    """Codes in an array on the device."""

    def __init__(self, gpu: DevicePrimitives) -> None:
        self.traffic = gpu.traffic
        self.traffic.add(gpu.size, gpu.size)
        codes, blocks = gpu.room(gpu.size), (-(-gpu.size // THREADS),)
        kernel = gpu.launcher.kernel("number_keys", NUMBERS=0)
        gpu.launcher.launch(kernel, blocks, THREADS, (*gpu.all, 1, 0, 0, codes.data.ptr))
        self._codes = gpu.wrap(codes, False)

    def digit_counts(self, shift: int, width: int) -> Integers:
        """Count the digits of all codes."""
        bits = 8 * self._codes.dtype.itemsize  # all codes have the same prefix of none
        counts: Integers = count_digits(self._codes, shift, width, [0], bits, codes=1)[0]
        self._counts = counts
        return counts

    def overwrite(self, shift: int, width: int, digit: int) -> None:
        """Overwrite the codes with another digit; these digits were counted before."""
        codes = self._codes
        self.traffic.add(codes.size, codes.size - int(self._counts[digit]))
        codes.run("alabi_overwrite_digits", (*codes.all, shift, width, digit))


class _BucketVector:
    """Keys on the device, and the bucket of each."""

    def __init__(self, gpu: DevicePrimitives) -> None:
        self._gpu, self.bucket, self.traffic = gpu, gpu.room(gpu.size, np.uint32), gpu.traffic

    def _run(self, name: str, arguments: tuple[Any, ...], shared: int = 0, **macros: int) -> None:
        """Launch a kernel with one block for each multiprocessor."""
        self._gpu.run(name, arguments, threads=THREADS, blocks=1, shared=shared, **macros)


class GPUAssignment(_BucketVector, Assignment):
    """The vector of bucketSelect."""

    def assign(self, low: float, high: float, slope: float, buckets: int) -> Integers:
        """Read all keys, and write their buckets."""
        self.traffic.add(self._gpu.size, self._gpu.size)
        return self._assign(0, (0, low, high, slope), buckets)

    def reassign(self, chosen: int, low: float, slope: float, buckets: int) -> Integers:
        """Read all buckets and the keys of one, and write all buckets."""
        here = int(self._counts[chosen])
        self.traffic.add(self._gpu.size + here, self._gpu.size)
        return self._assign(1, (chosen, low, 0.0, slope), buckets)

    def _assign(self, again: int, line: tuple[int, float, float, float], buckets: int) -> Integers:
        gpu, (chosen, *numbers) = self._gpu, line
        arguments = (*gpu.all, chosen, *map(np.float64, numbers), buckets, self.bucket)
        every = (*arguments, *gpu.counters())
        self._run("alabi_assign_buckets", every, shared=4 * buckets, AGAIN=again)
        self._counts = gpu.numbers(buckets)
        return self._counts

    def copy_bucket(self, chosen: int, count: int) -> Primitives:
        """Copy the keys of a bucket."""
        self.traffic.add(self._gpu.size + count, count)
        return self._gpu.wrap(self._copy_keys(chosen, count), True)

    def key(self, chosen: int) -> Key:
        """Find the only key of a bucket."""
        self.traffic.add(self._gpu.size + 1)
        return self._copy_keys(chosen, 1).get()[0]

    def _copy_keys(self, chosen: int, count: int) -> Any:
        gpu = self._gpu
        copies, counter = gpu.room(count), cupy.zeros(1, cupy.uint32)
        self._run("alabi_copy_elements", (*gpu.all, self.bucket, chosen, copies, count, counter))
        check_count(int(counter.get()[0]), count)
        return copies


class GPUBlockAssignment(_BucketVector, BlockAssignment):
    """The vector of bucketMultiSelect, and CounterArray: a row a bucket, a column a block."""

    def assign(self, pivots: Doubles, slopes: Doubles, buckets: int) -> Integers:
        """Read all keys, write their buckets, and sum the rows of CounterArray, as CuPy does."""
        gpu = self._gpu
        self.traffic.add(gpu.size, gpu.size)
        self._counter_array = gpu.room((buckets, gpu.launcher.processors), np.uint32)
        lines = gpu.table(pivots, np.float64), gpu.table(slopes, np.float64), buckets
        arguments = (*gpu.all, *lines, self.bucket, self._counter_array)
        self._run("blanchard_assign_buckets", arguments, 4 * buckets, INTERVALS=slopes.size)
        self._counter_array = cupy.cumsum(self._counter_array, axis=1, dtype=np.uint32)
        counts: Integers = self._counter_array[:, -1].get().astype(np.int64)
        self._counts = counts
        return counts

    def reduce_to_segments(self, active: Sequence[int], count: int, in_shared: bool) -> Primitives:
        """Copy bucket after bucket; the counters of CounterArray are used up."""
        gpu = self._gpu
        ends = np.cumsum(self._counts[list(active)])
        check_count(int(ends[-1]), count)
        self.traffic.add(gpu.size + count, count)
        starts = gpu.table(ends - self._counts[list(active)], np.uint64)
        reduced, many = gpu.room(count), len(active)
        tables = gpu.table(active, np.uint32), starts, many, reduced
        arguments = (*gpu.all, self.bucket, self._counter_array, *tables)
        shared = (8 if in_shared else 4) * many
        self._run("blanchard_reduce_to_segments", arguments, shared, IN_SHARED=int(in_shared))
        return gpu.wrap(reduced, True)

    def reduce_by_flags(self, active: Sequence[int], count: int) -> Primitives:
        """Write a flag for each key, and copy by the flags, as CuPy does."""
        gpu = self._gpu
        self.traffic.add(gpu.size, gpu.size)
        is_active = cupy.zeros(self._counts.size + 1, np.bool_)
        is_active[gpu.table(active, np.int64)] = True
        reduced = gpu.array[is_active[self.bucket]]
        check_count(int(reduced.size), count)
        self.traffic.add(gpu.size + count, count)
        return gpu.wrap(reduced, True)


def printed_vector(gpu: DevicePrimitives, kind: type[Any]) -> Any:
    """Return a vector that a method as printed writes, on the device."""
    return VECTORS[kind](gpu)


VECTORS: dict[type[Any], Callable[[DevicePrimitives], Any]] = {
    WorkingCodes: GPUCodes,
    Assignment: GPUAssignment,
    BlockAssignment: GPUBlockAssignment,
}
