"""Launching kernels on the caller's stream: nothing here waits for the device.

A `Launcher` belongs to one type of key, one device and one stream, as the caller's library names
them. Arguments of kernels are plain values: Python ints are written to words of 64 bits, of which a
parameter takes the bytes that it has. CuPy, which takes scalars and arrays too, needs some
microseconds more to pass them.

A stream may be captured into a CUDA graph. What a launch keeps between calls would then be shared
by all replays, so memory of a captured launch belongs to the graph: see `DeviceKeys.zeros`.
"""

import ctypes
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import cupy
import numpy as np
from cupy.cuda import driver, runtime

from modern.launching.compiling import kernel_code
from modern.launching.key_types import DTYPES
from shadersort.errors import MethodUnavailable, UnsupportedKeys

KeyType = np.dtype[Any] | str
"""A type of key: one of NumPy, or "bfloat16", which NumPy alone does not know."""

BFLOAT16 = "bfloat16"

TYPES = (*(dtype.name for dtype in DTYPES), BFLOAT16)

DEFAULT_STREAMS = (0, 1)
"""Addresses of the legacy stream, which no graph captures."""

SHARED_BY_DEFAULT = 4 << 10
"""Bytes of dynamic shared memory that a block has by default, beside its static memory."""

INTEGERS = frozenset({int})

MOST_PARAMETERS, MOST_WORDS = 64, 512
"""Parameters of a kernel, and words of all arguments, at most."""


class ThreadState(threading.local):
    """What a thread has: launchers by type, device, stream; leases by the latter; events."""

    def __init__(self) -> None:
        self.launchers: dict[tuple[KeyType, int, int], Launcher] = {}
        self.leases: dict[tuple[int, int], Lease] = {}
        self.events: dict[int, Any] = {}  # by device: they order the streams of several devices


this_thread = ThreadState()
_idle: dict[tuple[int, int], list[dict[str, Any]]] = {}
_kernels: dict[tuple[Any, ...], Any] = {}
_shared: dict[int, int] = {}
_allowing = threading.Lock()


class Limits(NamedTuple):
    """What a device has."""

    architecture: str  # such as "sm_90"
    processors: int  # its multiprocessors
    most_shared: int  # bytes of shared memory that a block may have


@cache
def limits_of(device: int) -> Limits:
    """Return what a device has."""
    known = cupy.cuda.Device(device)
    return Limits(
        f"sm_{known.compute_capability}",
        known.attributes["MultiProcessorCount"],
        known.attributes["MaxSharedMemoryPerBlockOptin"],
    )


class Lease:
    """Memory that one thread's launches on a stream share; after the thread, another may get it.

    The memory is never freed, as the device may still use it. Later launches of another thread on
    the same stream run after the earlier ones.
    """

    def __init__(self, device: int, stream: int) -> None:
        self._idle = _idle.setdefault((device, stream), [])
        try:
            self.shared = self._idle.pop()
        except IndexError:
            self.shared = {"zeroed": {}, "grown": {}}

    def __del__(self) -> None:
        self._idle.append(self.shared)


class RawStream(NamedTuple):
    """A stream by its address, as CuPy's functions take it."""

    ptr: int

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr


class Launcher:
    """Launches kernels for one type of key on one device and stream; `launcher_of` makes it."""

    def __init__(self, dtype: KeyType, device: int, stream: int, lease: Lease) -> None:
        # the type of key that kernels are compiled for: booleans are bytes
        self.dtype: Any = np.dtype(np.uint8) if dtype == np.bool_ else dtype
        self.type_name = self.dtype if isinstance(self.dtype, str) else self.dtype.name
        if self.type_name not in TYPES:
            raise UnsupportedKeys(
                f"keys of {dtype} cannot be selected from on a GPU: pass {', '.join(TYPES)} or bool"
            )
        # the unsigned integers of NumPy that have its size
        self.raw = np.dtype(f"u{2 if isinstance(self.dtype, str) else self.dtype.itemsize}")
        self.device, self.stream, self._raw_stream = device, stream, RawStream(stream)
        self.architecture, self.processors, self.most_shared = limits_of(device)
        self.may_be_captured = stream not in DEFAULT_STREAMS
        self._words = (ctypes.c_int64 * MOST_WORDS)()
        begin = ctypes.addressof(self._words)
        addresses = range(begin, begin + 8 * MOST_PARAMETERS, 8)
        self._addresses = (ctypes.c_uint64 * MOST_PARAMETERS)(*addresses)
        self._pointers = ctypes.addressof(self._addresses)
        with cupy.cuda.Device(device):
            runtime.memGetInfo()  # gives this thread the context of the device
        self._lease = lease  # as long as this is used, no other thread has its memory
        # addresses of memory that is 0 between launches, by the name of its user
        self.zeroed: dict[str, int] = lease.shared["zeroed"]
        self._grown: dict[str, tuple[int, int]] = lease.shared["grown"]  # addresses and sizes
        self.plans: dict[Any, Any] = {}  # what launches of some shapes need: filled by who plans

    def kernel(self, name: str, **macros: int) -> Any:
        """Return a kernel; it is compiled at its first use on a device."""
        key = (name, self.type_name, self.device, *macros.items())
        return _kernels.get(key) or self._load(key, macros)

    def _load(self, key: tuple[Any, ...], macros: dict[str, int]) -> Any:
        """Compile and load a kernel, also while the stream is captured."""
        code = kernel_code(key[0], self.type_name, self.architecture, tuple(sorted(macros.items())))
        module = cupy.cuda.function.Module()
        with self._pause_capture(), cupy.cuda.Device(self.device):
            module.load(code)
        # kernels are never freed: another could get the address that `_shared` has stored
        return _kernels.setdefault(key, module.get_function(key[0]))

    def launch(
        self,
        kernel: Any,
        grid: tuple[int, ...],
        threads: int,
        arguments: tuple[Any, ...],
        shared: int = 0,
        together: bool = False,
    ) -> None:
        """Launch a kernel; blocks that wait for each other are launched `together`.

        Of these there may be as many as run at once: one for each multiprocessor is safe. A struct
        of words by value is the last parameter: its words are the last arguments.
        """
        if shared > SHARED_BY_DEFAULT and _shared.get(kernel.ptr, 0) < shared:
            _allow_shared(kernel.ptr, shared)
        if runtime.getDevice() != self.device:
            with cupy.cuda.Device(self.device):
                self.launch(kernel, grid, threads, arguments, shared, together)
        elif not INTEGERS.issuperset(map(type, arguments)):
            kernel(grid, (threads,), arguments, shared, self._raw_stream, together)
        else:
            _packing(len(arguments)).pack_into(self._words, 0, *arguments)
            x, y, z = (*grid, 1, 1)[:3]
            shape = x, y, z, threads, 1, 1, shared, self.stream, self._pointers
            if together:
                driver.launchCooperativeKernel(kernel.ptr, *shape)
            else:
                driver.launchKernel(kernel.ptr, *shape, 0)

    def new_zeroed(self, name: str, size: int) -> int:
        """Return the address of new bytes that are 0, and keep it as `zeroed[name]`."""
        with cupy.cuda.Device(self.device):
            address: int = runtime.malloc(size)  # not of a pool, whose memory other streams may use
            runtime.memsetAsync(address, 0, size, self.stream)
        self.zeroed[name] = address
        return address

    def grow(self, name: str, size: int) -> int:
        """Return the address of at least so many bytes, which later launches use again."""
        address, room = self._grown.get(name, (0, 0))
        if room >= size:
            return address
        self._grown.pop(name, None)
        with cupy.cuda.Device(self.device):
            runtime.free(address)  # waits for those that use it
            try:
                address = int(runtime.malloc(size))
            except runtime.CUDARuntimeError:
                cupy.get_default_memory_pool().free_all_blocks()
                address = int(runtime.malloc(size))
        self._grown[name] = address, size
        return address

    def is_captured(self) -> bool:
        """Whether launches become part of a CUDA graph now."""
        return self.may_be_captured and bool(runtime.streamIsCapturing(self.stream))

    def check_not_captured(self, what: str) -> None:
        """Raise MethodUnavailable in a capture, which would break what waits for the device."""
        if self.is_captured():
            raise MethodUnavailable(
                f"{what} waits for the device, and a CUDA graph cannot capture a wait: leave it "
                "out, or call it before the capture"
            )

    @contextmanager
    def _pause_capture(self) -> Iterator[None]:
        """Allow this thread calls, such as loading a kernel, that are no part of a capture."""
        if not self.is_captured():
            yield
            return
        exchange = ctypes.CDLL("libcuda.so.1").cuThreadExchangeStreamCaptureMode
        mode = ctypes.c_int(runtime.streamCaptureModeRelaxed)
        exchange(ctypes.byref(mode))
        try:
            yield
        finally:
            exchange(ctypes.byref(mode))


def launcher_of(dtype: KeyType, device: int, stream: int) -> Launcher:
    """Return this thread's launcher for a type of key, on a stream of a device."""
    key = dtype, device, stream
    if key not in this_thread.launchers:
        if (device, stream) not in this_thread.leases:
            this_thread.leases[device, stream] = Lease(device, stream)
        this_thread.launchers[key] = Launcher(*key, this_thread.leases[device, stream])
    return this_thread.launchers[key]


@cache
def _packing(words: int) -> struct.Struct:
    return struct.Struct(f"{words}q")


def _allow_shared(kernel: int, shared: int) -> None:
    """Allow a kernel the largest dynamic shared memory that it has needed so far."""
    with _allowing:  # otherwise another thread could set a smaller size later
        if _shared.get(kernel, 0) < shared:
            attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            driver.funcSetAttribute(kernel, attribute, shared)
            _shared[kernel] = shared
