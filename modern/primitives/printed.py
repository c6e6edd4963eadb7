"""What the papers' methods as printed ask for, on a GPU, with the papers' own launches.

The kernels count with one atomic increment for each key, have one block of 1,024 threads for each
multiprocessor, and keep the bucket of each key in a vector of n integers. Their NumPy twins are in
shadersort/selection/primitives/printed_numpy.py.
"""

import struct
from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.histograms import ONE_EACH
from modern.primitives.reductions import EXTENT, extent_of
from modern.primitives.top_k import order_codes
from shadersort.keys.types import Integers, Key
from shadersort.selection.primitives import Extent, Primitives, check_count
from shadersort.selection.primitives.buckets import Doubles
from shadersort.selection.primitives.printed import (
    Assignment,
    BlockAssignment,
    Tangent,
    WorkingCodes,
)
from shadersort.selection.top_keys import SMALLEST

TANGENT = struct.Struct("=ddQ")

THREADS = 1024
"""Threads of a block: "the maximum number of threads per block"."""

REPLICAS = 32
"""Counters for each digit, as many as lanes: equal digits do not wait for each other."""


def tangent(gpu: GPUKeys, t: float) -> Tangent:
    """Sum and count at a place."""
    gpu.traffic.add(gpu.size)
    kernel = gpu.launcher.kernel("beliakov_objective")
    below, above, upto = gpu.launcher.reduced(kernel, (*gpu.all, np.float64(t)), TANGENT)
    return Tangent(below, above, upto)


def extent_in_doubles(gpu: GPUKeys) -> Extent:
    """Return the extent, with a sum whose every addition is in double precision."""
    gpu.traffic.add(gpu.size)
    kernel = gpu.launcher.kernel("extent", DOUBLES=1)
    return extent_of(gpu, gpu.launcher.reduced(kernel, gpu.all, EXTENT))


def working_codes(gpu: GPUKeys) -> "GPUCodes":
    """Copy the codes of all keys."""
    return GPUCodes(gpu)


def assignment(gpu: GPUKeys) -> "GPUAssignment":
    """Return a vector for the buckets of bucketSelect as printed."""
    return GPUAssignment(gpu)


def block_assignment(gpu: GPUKeys) -> "GPUBlockAssignment":
    """Return a vector for the buckets of bucketMultiSelect as printed."""
    return GPUBlockAssignment(gpu)


class GPUCodes(WorkingCodes):
    """Codes in an array on the device."""

    def __init__(self, gpu: GPUKeys) -> None:
        self._gpu, self._codes, self.traffic = gpu, order_codes(gpu, SMALLEST), gpu.traffic
        self._all = self._codes, np.uint64(gpu.size)

    def digit_counts(self, shift: int, width: int) -> Integers:
        """Count the digits of all codes."""
        gpu = self._gpu
        gpu.traffic.add(gpu.size)
        kernel = gpu.launcher.kernel("digit_histogram", BINS=1 << width, REPLICAS=REPLICAS, CODES=1)
        arguments = (*self._all, np.uint32(shift), gpu.raw(0), gpu.raw(gpu.last_code))
        shared = (4 << width) * REPLICAS
        counts = gpu.launcher.totals(kernel, arguments, 1 << width, shared=shared, **ONE_EACH)
        self._counts = counts
        return counts

    def overwrite(self, shift: int, width: int, digit: int) -> None:
        """Overwrite the codes with another digit; these digits were counted before."""
        gpu = self._gpu
        gpu.traffic.add(gpu.size, gpu.size - int(self._counts[digit]))
        which = np.uint32(shift), np.uint32(width), np.uint32(digit)
        gpu.launcher.run(gpu.launcher.kernel("alabi_overwrite_digits"), (*self._all, *which))


class _Assigned:
    """Keys on the device, and the bucket of each."""

    def __init__(self, gpu: GPUKeys) -> None:
        self._gpu, self.bucket, self.traffic = gpu, room(gpu.size, np.uint32), gpu.traffic

    def _run(self, name: str, arguments: tuple[Any, ...], shared: int = 0, **macros: int) -> None:
        """Launch a kernel with one block for each multiprocessor."""
        launcher = self._gpu.launcher
        kernel = launcher.kernel(name, **macros)
        launcher.run(kernel, arguments, threads=THREADS, blocks=1, shared=shared)


class GPUAssignment(_Assigned, Assignment[Primitives]):
    """The vector of bucketSelect."""

    def assign(self, low: float, high: float, slope: float, buckets: int) -> Integers:
        """Read all keys, and write their buckets."""
        gpu = self._gpu
        gpu.traffic.add(gpu.size, gpu.size)
        line = np.float64(low), np.float64(high), np.float64(slope)
        return self._counted("alabi_assign_buckets", line, buckets)

    def reassign(self, chosen: int, low: float, slope: float, buckets: int) -> Integers:
        """Read all buckets and the keys of one, and write all buckets."""
        line = np.uint32(chosen), np.float64(low), np.float64(slope)
        here = int(self._counts[chosen])
        self._gpu.traffic.add(self._gpu.size + here, self._gpu.size)
        return self._counted("alabi_reassign_buckets", line, buckets)

    def _counted(self, name: str, line: tuple[Any, ...], buckets: int) -> Integers:
        launcher = self._gpu.launcher
        arguments = (*self._gpu.all, *line, np.uint32(buckets), self.bucket)
        every = (*arguments, *launcher.counters, launcher.result(0))
        self._run(name, every, shared=4 * buckets)
        self._counts = launcher.results(buckets)
        return self._counts

    def copied(self, chosen: int, count: int) -> Primitives:
        """Copy the keys of a bucket."""
        gpu = self._gpu
        copies, counter = room(count, gpu.dtype), cupy.zeros(1, cupy.uint32)
        which = self.bucket, np.uint32(chosen), copies, np.uint64(count), counter
        self._run("alabi_copy_elements", (*gpu.all, *which))
        check_count(int(gpu.launcher.fetched(counter)[0]), count)
        gpu.traffic.add(gpu.size + count, count)
        return gpu.of(copies, True)

    def key(self, chosen: int) -> Key:
        """Find the only key of a bucket."""
        gpu = self._gpu
        copy, counter = room(1, gpu.dtype), cupy.zeros(1, cupy.uint32)
        which = self.bucket, np.uint32(chosen), copy, np.uint64(1), counter
        self._run("alabi_copy_elements", (*gpu.all, *which))
        check_count(int(gpu.launcher.fetched(counter)[0]), 1)
        gpu.traffic.add(gpu.size + 1)
        return gpu.launcher.fetched(copy)[0]


class GPUBlockAssignment(_Assigned, BlockAssignment[Primitives]):
    """The vector of bucketMultiSelect, and CounterArray: a row a bucket, a column a block."""

    def assign(self, pivots: Doubles, slopes: Doubles, buckets: int) -> Integers:
        """Read all keys, write their buckets, and sum the rows of CounterArray."""
        gpu, launcher = self._gpu, self._gpu.launcher
        gpu.traffic.add(gpu.size, gpu.size)
        self._counter_array = room((buckets, launcher.processors), np.uint32)
        lines = launcher.given(pivots), launcher.given(slopes), np.uint32(buckets)
        arguments = (*gpu.all, *lines, self.bucket, self._counter_array)
        shared = 4 * buckets
        self._run("blanchard_assign_buckets", arguments, shared, INTERVALS=slopes.size)
        rows = self._counter_array, np.uint32(buckets), np.uint32(launcher.processors)
        kernel = launcher.kernel("blanchard_sum_rows")
        launcher.run_threads(kernel, (*rows, launcher.result(0)), buckets)
        self._counts = launcher.results(buckets)
        return self._counts

    def reduced_to_segments(self, active: Sequence[int], count: int, in_shared: bool) -> Primitives:
        """Copy bucket after bucket; the counters of CounterArray are used up."""
        gpu = self._gpu
        ends = np.cumsum(self._counts[list(active)])
        check_count(int(ends[-1]), count)
        gpu.traffic.add(gpu.size + count, count)
        starts = (ends - self._counts[list(active)]).astype(np.uint64)
        tree, reduced = self._tree(active), room(count, gpu.dtype)
        tables = tree, gpu.launcher.given(starts), np.uint32(len(active)), reduced
        arguments = (*gpu.all, self.bucket, self._counter_array, *tables)
        shared = (8 if in_shared else 4) * len(active)
        self._run("blanchard_reduce_to_segments", arguments, shared, IN_SHARED=int(in_shared))
        return gpu.of(reduced, True)

    def reduced_by_flags(self, active: Sequence[int], count: int) -> Primitives:
        """Write a flag for each key, and copy by the flags, as CuPy does."""
        gpu, flags = self._gpu, room(self._gpu.size, np.bool_)
        gpu.traffic.add(gpu.size, gpu.size)
        arguments = self.bucket, np.uint64(gpu.size), self._tree(active), np.uint32(len(active))
        self._run("blanchard_flags", (*arguments, flags), shared=4 * len(active))
        reduced = gpu.keys[flags]
        check_count(int(reduced.size), count)
        gpu.traffic.add(gpu.size + count, count)
        return gpu.of(reduced, True)

    def _tree(self, active: Sequence[int]) -> Any:
        """Return the numbers of the active buckets on the device."""
        return self._gpu.launcher.given(np.array(active, np.uint32))
