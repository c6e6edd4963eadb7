"""Launching kernels on the caller's stream: nothing here waits for the device.

A `Launcher` belongs to one type of key, one device and one stream, as the caller's library names
them. Arguments of kernels are plain values: a Python int is passed as 64 bits (pointers, sizes,
ranks), and scalars of NumPy as what they are.

A stream may be captured into a CUDA graph. What a launch keeps between calls would then be shared
by all replays, so memory of a captured launch belongs to the graph: see `DeviceKeys.zeroed`.
"""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import cupy
import numpy as np
from cupy.cuda import driver, runtime

from modern.launching.compiling import compiled
from shadersort.errors import MethodUnavailable

KeyType = np.dtype[Any] | str
"""A type of key as the kernels know it: one of NumPy, or "bfloat16"."""

DEFAULT_STREAMS = (0, 1)
"""Addresses of the legacy stream, which no graph captures."""

SHARED_BY_DEFAULT = 4 << 10
"""Bytes of dynamic shared memory that a block has by default, beside its static memory."""

BYTES = np.dtype(np.uint8)

_local = threading.local()
_idle: dict[tuple[int, int], list["Workspace"]] = {}
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


class Workspace:
    """Memory that launches on one stream share; they run one after another."""

    def __init__(self) -> None:
        self.zeroed: dict[str, Any] = {}  # CuPy's arrays, by the name of their user


class Lease:
    """A workspace while a thread uses it; after the thread ends, another thread may get it.

    The memory is never freed, as the device may still use it. Later launches of another thread on
    the same stream run after the earlier ones.
    """

    def __init__(self, device: int, stream: int) -> None:
        self._idle = _idle.setdefault((device, stream), [])
        try:
            self.space = self._idle.pop()
        except IndexError:
            self.space = Workspace()

    def __del__(self) -> None:
        self._idle.append(self.space)


class RawStream(NamedTuple):
    """A stream by its address, as CuPy's functions take it."""

    ptr: int


class Launcher:
    """Launches kernels for one type of key on one device and stream; `launcher_of` makes it.

    Attributes
    ----------
    dtype
        The type of key that kernels are compiled for. Booleans are bytes.
    raw
        The unsigned integers of NumPy that have its size.
    processors, most_shared
        The multiprocessors of the device; the bytes of shared memory that a block may have.
    """

    def __init__(self, dtype: KeyType, device: int, stream: int, lease: Lease) -> None:
        self.dtype = np.dtype(np.uint8) if dtype == np.bool_ else dtype
        self.type_name = self.dtype if isinstance(self.dtype, str) else self.dtype.name
        self.raw = np.dtype(f"u{2 if isinstance(self.dtype, str) else self.dtype.itemsize}")
        self.device, self.stream, self._raw_stream = device, stream, RawStream(stream)
        self.architecture, self.processors, self.most_shared = limits_of(device)
        self._lease = lease  # as long as this is used, no other thread has the workspace

    def kernel(self, name: str, **macros: int) -> Any:
        """Return a kernel; it is compiled at its first use on a device."""
        key = (name, self.type_name, self.device, *macros.items())
        return _kernels.get(key) or self._load(key, macros)

    def _load(self, key: tuple[Any, ...], macros: dict[str, int]) -> Any:
        """Compile and load a kernel, also while the stream is captured."""
        code = compiled(key[0], self.type_name, self.architecture, tuple(sorted(macros.items())))
        module = cupy.cuda.function.Module()
        with uncaptured(self.stream), cupy.cuda.Device(self.device):
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

        Of these there may be as many as run at once: one for each multiprocessor is safe.
        """
        if shared > SHARED_BY_DEFAULT and _shared.get(kernel.ptr, 0) < shared:
            _allow_shared(kernel.ptr, shared)
        if runtime.getDevice() == self.device:
            kernel(grid, (threads,), arguments, shared, self._raw_stream, together)
            return
        with cupy.cuda.Device(self.device):
            kernel(grid, (threads,), arguments, shared, self._raw_stream, together)

    def zeroed(self, name: str, size: int) -> int:
        """Return the address of bytes that are 0 at first, and that launches leave as 0.

        They stay between calls. Launches that a graph captures take `DeviceKeys.zeroed`.
        """
        known = self._lease.space.zeroed
        if name not in known:
            with cupy.cuda.Device(self.device), cupy.cuda.Stream.null:
                known[name] = cupy.empty(size, np.uint8)
            runtime.memsetAsync(known[name].data.ptr, 0, size, self.stream)
        address: int = known[name].data.ptr
        return address


def launcher_of(dtype: KeyType, device: int, stream: int) -> Launcher:
    """Return this thread's launcher for a type of key, on a stream of a device."""
    launchers: dict[Any, Launcher] = _local.__dict__.setdefault("launchers", {})
    key = dtype, device, stream
    found = launchers.get(key)
    if found is None:
        leases: dict[Any, Lease] = _local.__dict__.setdefault("leases", {})
        if key[1:] not in leases:
            leases[key[1:]] = Lease(device, stream)
        found = launchers[key] = Launcher(dtype, device, stream, leases[key[1:]])
    return found


def _allow_shared(kernel: int, shared: int) -> None:
    """Allow a kernel the largest dynamic shared memory that it has needed so far."""
    with _allowing:  # otherwise another thread could set a smaller size later
        if _shared.get(kernel, 0) < shared:
            attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            driver.funcSetAttribute(kernel, attribute, shared)
            _shared[kernel] = shared


def is_captured(stream: int) -> bool:
    """Whether launches on a stream become part of a CUDA graph now."""
    return stream not in DEFAULT_STREAMS and bool(runtime.streamIsCapturing(stream))


def check_not_captured(stream: int, what: str) -> None:
    """Raise MethodUnavailable if a stream is captured, which would break what waits for it."""
    if is_captured(stream):
        raise MethodUnavailable(
            f"{what} waits for the device, and a CUDA graph cannot capture a wait: leave it out, "
            "or call it before the capture"
        )


@contextmanager
def uncaptured(stream: int) -> Iterator[None]:
    """Allow this thread calls, such as loading a kernel, that are no part of a capture."""
    if not is_captured(stream):
        yield
        return
    exchange = ctypes.CDLL("libcuda.so.1").cuThreadExchangeStreamCaptureMode
    mode = ctypes.c_int(runtime.streamCaptureModeRelaxed)
    exchange(ctypes.byref(mode))
    try:
        yield
    finally:
        exchange(ctypes.byref(mode))
