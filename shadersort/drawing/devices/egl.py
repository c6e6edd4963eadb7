"""What moderngl does not offer: find libraries, count EGL's devices, restore a current context."""

import ctypes
from ctypes.util import find_library
from functools import cache
from typing import Any

DRAW, READ = 0x3059, 0x305A


_paths: dict[str, str] = {}


def library_path(name: str) -> str | None:
    """Return what a library is loaded by, or None if it is missing.

    Each found library is remembered, because a search starts a process.
    """
    if name not in _paths and (path := find_library(name)) is not None:
        _paths[name] = path
    return _paths.get(name)


@cache
def egl_library() -> Any:
    """Load libEGL; return None if it is missing, or something else has that name."""
    path = library_path("EGL")
    if path is None:
        return None
    try:
        library = ctypes.CDLL(path)
        library.eglGetProcAddress.restype = ctypes.c_void_p
        library.eglGetCurrentSurface.restype = ctypes.c_void_p
        library.eglGetCurrentContext.restype = ctypes.c_void_p
        library.eglGetCurrentDisplay.restype = ctypes.c_void_p
        library.eglMakeCurrent.argtypes = [ctypes.c_void_p] * 4
    except (OSError, AttributeError):
        return None
    return library


def egl_device_count() -> int:
    """Count the devices that EGL can enumerate: 0 if EGL is missing or cannot enumerate."""
    library = egl_library()
    address = library.eglGetProcAddress(b"eglQueryDevicesEXT") if library else None
    if not address:
        return 0
    int_pointer = ctypes.POINTER(ctypes.c_int)
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, int_pointer)(address)
    count = ctypes.c_int(0)
    return count.value if query(0, None, ctypes.byref(count)) else 0


class CurrentEGL:
    """The EGL context that is current in this thread, if any, to be restored later."""

    def __init__(self) -> None:
        self._library = library = egl_library()
        self._context = library.eglGetCurrentContext() if library else None
        if self._context:
            self._display = library.eglGetCurrentDisplay()
            self._draw = library.eglGetCurrentSurface(DRAW)
            self._read = library.eglGetCurrentSurface(READ)

    def restore(self) -> None:
        """Make it current again, if there was one."""
        if self._context:
            self._library.eglMakeCurrent(self._display, self._draw, self._read, self._context)
