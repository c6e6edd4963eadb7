"""Opening devices: which there are on this machine, which is the best, and which is in use."""

import atexit
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

from shadersort.drawing.cost.profiles import Profile, card
from shadersort.drawing.devices.base import Device
from shadersort.drawing.devices.probe import probe_once
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.signals import held_signals
from shadersort.errors import (
    DeviceForked,
    DeviceUnavailable,
    DeviceUnusable,
    ShadersortError,
    UnknownName,
    choices,
)
from shadersort.names import CardName, DeviceKind, DeviceName


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """The result of trying to open a device: one line of `devices()`.

    Attributes
    ----------
    usable
        Whether it opened and passed its probe.
    detail
        The name that the driver gives, or the reason why the device is not usable.
    kind, hardware, opengl, max_texture_size, computes
        As `kind`, `hardware`, `version`, `max_texture_size` and `computes` of the device; False,
        None and 0 if it is not usable.
    """

    kind: str
    usable: bool
    hardware: bool
    detail: str
    opengl: str | None = None
    max_texture_size: int = 0
    computes: bool = False

    def __str__(self) -> str:
        state = ("GPU" if self.hardware else "CPU") if self.usable else "not usable"
        return f"{self.kind:8}  {state:10}  {self.detail}"


def open_device(kind: DeviceName = "auto", *, profile: CardName | Profile | None = None) -> Device:
    """Open a device and probe it. Close it after use, or use it as a context manager.

    Parameters
    ----------
    kind
        - "egl": OpenGL without a display; a GPU if there is one, else Mesa's llvmpipe.
        - "window": OpenGL from the window system, by a hidden window.
        - "software": NumPy, on any machine.
        - "auto": the first GPU that "egl" or "window" finds, else llvmpipe, else "software".
    profile
        A card of `PROFILES` to emulate: what it could not draw raises ProfileLimit, and `sort`
        blends in the card's precision. None emulates nothing.

    Raises
    ------
    UnknownName
        No kind or no data sheet has this name; the message lists those that exist.
    DeviceUnavailable
        No such device opened; the message says what was tried and why each failed.
    DeviceForked
        OpenGL was used in this process before it was forked from another; it would hang here.

    Examples
    --------
    >>> with open_device("software") as device:
    ...     device.kind
    'software'
    >>> with open_device("software", profile="geforce-6800-ultra") as card:
    ...     card.max_texture_size
    4096
    """
    emulated = None if profile is None else card(profile)
    with held_signals:
        device = _best(kind)
    if emulated:
        device.emulate(emulated)  # after the probe, which asks what the device itself does
    return device


def _best(kind: str) -> Device:
    """Open the best device of a kind that passes its probe."""
    if kind not in (*KINDS, "auto"):
        raise UnknownName(f"no device is called {kind!r}: use {choices([*KINDS, 'auto'])}")
    kinds = KINDS if kind == "auto" else (kind,)
    failures = []
    with ExitStack() as fallback:  # closes the device that is not returned
        found: Device | None = None
        for each, opener in _openers(kinds):
            if found and each == "software":
                break
            try:
                device = opener()
            except DeviceForked:
                raise
            except ShadersortError as error:
                failures.append(f"{each}: {error}")
                continue
            if device.hardware:
                return device
            if found:
                device.close()
            else:
                found = fallback.enter_context(device)
        if found:
            fallback.pop_all()
            return found
    raise DeviceUnavailable(
        "; ".join(failures) + ". shadersort.devices() lists every device of this machine"
    )


def devices() -> list[DeviceReport]:
    """Try every device of this machine; report which work, and why the others do not.

    Examples
    --------
    >>> print(devices()[-1])  # doctest: +ELLIPSIS
    software  CPU         NumPy ...
    """
    reports = []
    for kind, opener in _openers(KINDS):
        try:
            with held_signals, opener() as it:
                facts = it.hardware, it.renderer, it.version, it.max_texture_size, it.computes
            reports.append(DeviceReport(kind, True, *facts))
        except ShadersortError as error:
            reports.append(DeviceReport(kind, False, False, str(error)))
    return reports


KINDS: tuple[DeviceKind, ...] = ("egl", "window", "software")
"""Kinds of device, in order of preference; a GPU always comes before a CPU."""


def _openers(kinds: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], Device]]]:
    """Yield the kind of each possible device, and a function that opens and probes it."""
    for kind in kinds:
        if kind == "egl":
            for index in range(max(1, egl_device_count())):
                yield kind, partial(_probed, partial(_open_opengl, kind, index=index))
        elif kind == "window":
            yield kind, partial(_probed, partial(_open_opengl, kind))
        else:
            yield kind, partial(_probed, SoftwareDevice)


def egl_device_count() -> int:
    """Count the devices that EGL can enumerate: 0 if EGL is missing or cannot enumerate."""
    if not find_spec("moderngl"):
        return 0
    from shadersort.drawing.devices.contexts import egl_library

    library = egl_library()
    address = library.eglGetProcAddress(b"eglQueryDevicesEXT") if library else None
    if not address:
        return 0
    int_pointer = ctypes.POINTER(ctypes.c_int)
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, int_pointer)(address)
    count = ctypes.c_int(0)
    return count.value if query(0, None, ctypes.byref(count)) else 0


def _open_opengl(kind: str, **options: Any) -> Device:
    """Make a device that owns a new context; if that fails, release the context."""
    if not find_spec("moderngl"):
        raise DeviceUnavailable("moderngl, which opens OpenGL, is not installed, as in browsers")
    from shadersort.drawing.devices.contexts import EGLContext  # moderngl, only if it is needed
    from shadersort.drawing.devices.opengl import OpenGLDevice
    from shadersort.drawing.devices.window import WindowContext

    context = EGLContext(**options) if kind == "egl" else WindowContext(**options)
    try:
        return OpenGLDevice(context, kind)
    except BaseException:
        context.release()
        raise


def _probed(make: Callable[[], Device]) -> Device:
    """Make a device and probe it; if the probe fails, close it and say what failed."""
    with ExitStack() as closing:
        try:
            device = closing.enter_context(make())
            probe_once(device)
        except ShadersortError:
            raise
        except Exception as error:  # any error of a driver, a compiler or a binding
            raise DeviceUnusable(f"it failed when it was tried: {error}") from error
        closing.pop_all()
        return device


_default: Device | None = None
_default_lock = threading.Lock()


def default_device() -> Device:
    """Return the device for callers that name none: the best one here, opened once a process."""
    global _default
    with _default_lock:
        if _default is None or _default.closed:
            _default = open_device("auto")
            atexit.register(_default.close)  # before the finalizers of devices that nobody closed
        return _default


def _forget_default() -> None:
    """Let a forked child open its own device: it cannot use its parent's context."""
    global _default, _default_lock
    _default, _default_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_default)


@contextmanager
def borrowed(device: Device | DeviceName | None) -> Iterator[Device]:
    """Lend a caller's device, or one opened for the time of the block, or for None the default."""
    if isinstance(device, Device):
        yield device
    elif device is None:
        yield default_device()
    else:
        with open_device(device) as opened:
            yield opened
