"""Keys of one dimension on a GPU: what every call of the primitives there works on.

A kernel writes its few results into pinned memory, so the host can read them after one wait. Each
thread has such memory for every device, and for every stream counters that are 0 between launches.
"""

import struct
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import cupy
import numpy as np
import numpy.typing as npt

from modern.device_arrays import CuPyKeys, DeviceKeys, out_of_memory
from modern.opening import as_cupy
from shadersort.errors import KeysNotFlat
from shadersort.keys.codes import code, key
from shadersort.keys.key_casts import key_cast_of
from shadersort.keys.types import Integers, Key
from shadersort.selection.primitives import Primitives
from shadersort.selection.primitives.values import Traffic, Tuning

P = ParamSpec("P")
R = TypeVar("R")

THREADS, BLOCKS = 256, 5
"""Threads of a block, and blocks that run at once on a processor with 48 registers a thread."""

FEW = 1 << 22
"""Up to this many keys stay in the second-level cache, where reading them again costs little."""

SAMPLES = 1 << 12
"""Keys of a random sample."""

COUNTERS = 1 << 16
"""Counters of the largest histogram, and numbers that a launch may leave for the host."""

PART_BYTES = 64
"""At least the size of what one block of a reduction finds."""

BESIDE = 25 << 10
"""Bytes of shared memory that kernels need beside their counters, with intervals in memory."""

_local = threading.local()


class DevicePrimitives(Primitives):
    """Keys on a GPU, their traffic, and how kernels are launched on them.

    `keys` are those of any library; arrays that are not contiguous, booleans and bfloat16 are
    copied first. CuPy's functions run in the context of `home`: the table in cupy.py does that.
    """

    name = "CUDA"
    divided: tuple[Any, Any] = (None, None)
    """The buckets of the last histogram, and what kernels need of them."""

    known_numbers: int | None = None
    """How many keys are not NaN, if a read has counted them."""

    def __init__(self, keys: Any, traffic: Traffic | None = None) -> None:
        home = keys if isinstance(keys, DeviceKeys) else CuPyKeys(keys)
        if len(home.shape) != 1:
            raise KeysNotFlat(f"keys must have 1 dimension, not {len(home.shape)}: pass x.ravel()")
        with home.stream_context():
            array = as_cupy(home.owner).reshape(-1)
            self.key_cast = key_cast_of(np.dtype(array.dtype))
            if self.key_cast is not None:
                array = self.key_cast.cast(array)
            self._set(home, cupy.ascontiguousarray(array), traffic or Traffic())

    def _set(self, home: DeviceKeys, array: Any, traffic: Traffic) -> None:
        self.home, self.array, self.traffic = home, array, traffic
        self.device_keys = CuPyKeys(array)
        self.launcher = self.device_keys.launcher
        self.dtype, self.size = np.dtype(array.dtype), int(array.size)
        self.tuning = tuning_of(self.launcher.most_shared)
        self.all = array.data.ptr, self.size  # the first two arguments of most kernels
        if self.dtype.kind != "f":
            self.known_numbers = self.size

    def wrap(self, array: Any, numbers: bool) -> Self:
        """Return primitives of other keys, which share the traffic; `numbers`: none is a NaN."""
        other = object.__new__(type(self))
        other._set(self.home, array, self.traffic)
        if numbers or self.known_numbers == self.size:
            other.known_numbers = other.size
        return other

    @property
    def keys(self) -> Any:
        """The keys as an array of CuPy, by the name that pieces ask all primitives for."""
        return self.array

    def raw(self, value: int) -> Any:
        """Return an integer as the unsigned type that has the size of a key."""
        return self.launcher.raw.type(value)

    def bits(self, value: Key) -> Any:
        """Return the bits of a key."""
        return self.dtype.type(value).view(self.launcher.raw)

    def key(self, code: int) -> Key:
        """Return the key of a code."""
        return key(code, self.dtype)

    @property
    def last_code(self) -> int:
        """The largest code that the type has, which is that of NaN."""
        last: int = (1 << 8 * self.dtype.itemsize) - 1
        return last

    def room(self, size: int | tuple[int, ...], dtype: npt.DTypeLike | None = None) -> Any:
        """Return a new array of CuPy, which a launch will fill."""
        try:
            return cupy.empty(size, self.dtype if dtype is None else dtype)
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise out_of_memory(error) from error

    def run(
        self,
        name: str,
        arguments: tuple[Any, ...],
        *,
        threads: int = THREADS,
        blocks: int = BLOCKS,
        shared: int = 0,
        **macros: int,
    ) -> None:
        """Launch a kernel with so many blocks for each multiprocessor."""
        launcher = self.launcher
        grid = (launcher.processors * blocks,)
        launcher.launch(launcher.kernel(name, **macros), grid, threads, arguments, shared)

    def counters(self) -> tuple[int, int, int]:
        """Return addresses of counters and of a ticket, 0 between launches, and of the results."""
        memory = self.device_keys.zeros("counters", 8 * COUNTERS + 16)
        return memory, memory + 8 * COUNTERS, results_of(self.launcher.device)[0]

    def wait(self) -> memoryview:
        """Wait for all launches, and return the results that they left."""
        self.launcher.check_not_captured("a method of selection")
        cupy.cuda.runtime.streamSynchronize(self.launcher.stream)
        return results_of(self.launcher.device)[1]

    def reduce(
        self, name: str, arguments: tuple[Any, ...], layout: struct.Struct, **macros: int
    ) -> tuple[Any, ...]:
        """Launch a reduction of all keys, wait for it, and return its result."""
        self.traffic.add(self.size)
        size = self.launcher.processors * BLOCKS * PART_BYTES
        memory = self.device_keys.zeros("parts", size + 16)
        ends = memory, memory + size, results_of(self.launcher.device)[0]
        self.run(name, (*self.all, *arguments, *ends), **macros)
        return layout.unpack_from(self.wait())

    def totals(self, name: str, arguments: tuple[Any, ...], count: int, **options: int) -> Integers:
        """Launch a histogram of all keys, wait for it, and return its counters."""
        self.traffic.add(self.size)
        self.run(name, (*self.all, *arguments, *self.counters()), **options)
        return self.numbers(count)

    def numbers(self, count: int) -> Integers:
        """Wait, and return the first numbers of the results."""
        return np.frombuffer(self.wait(), np.int64, count).copy()

    def table(self, array: npt.ArrayLike, dtype: npt.DTypeLike) -> Any:
        """Return numbers of the host as an array on the device."""
        return cupy.asarray(np.asarray(array, dtype))


@cache
def tuning_of(most_shared: int) -> Tuning:
    """Return what suits a GPU, given the bytes of shared memory that a block may have."""
    counters = 1 << ((most_shared - BESIDE) // 4).bit_length() - 1
    tuning = Tuning(copies=True, launch=True, few=FEW, digit=11, buckets=1 << 11, samples=SAMPLES)
    return replace(tuning, counters=counters)


@cache
def finite_ends(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the codes of the first and the last finite key that a type has."""
    info: Any = (np.finfo if dtype.kind == "f" else np.iinfo)(dtype)
    return code(dtype.type(info.min)), code(dtype.type(info.max))


def results_of(device: int) -> tuple[int, memoryview]:
    """Return this thread's pinned memory for results of a device: its address, and a view."""
    known: dict[int, Any] = _local.__dict__.setdefault("results", {})
    if device not in known:
        memory = cupy.cuda.alloc_pinned_memory(8 * COUNTERS)
        known[device] = memory.ptr, memoryview(memory).cast("B")[: 8 * COUNTERS]
    found: tuple[int, memoryview] = known[device]
    return found


def run_at_home(
    function: Callable[Concatenate[Any, P], R],
) -> Callable[Concatenate[Any, P], R]:
    """Return a call that runs where the keys are: on their device, and their library's stream."""

    @wraps(function, updated=())
    def call(gpu: Any, /, *args: P.args, **options: P.kwargs) -> R:
        with gpu.home.stream_context():
            return function(gpu, *args, **options)

    return call
