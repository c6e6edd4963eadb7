"""OpenGL contexts, and those of EGL, which need no display.

A context is active only inside a `with` block. Blocks nest, in any order of contexts. A caller's
EGL or GLFW context that was current before the outermost block is current again after it. The
caller holds signals back meanwhile: a handler that raises would leave the wrong context current.
"""

import ctypes
import os
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes.util import find_library
from functools import cache
from typing import Any, Self

import moderngl

from shadersort.drawing.devices.processes import check_can_open, is_forked, release_abandoned
from shadersort.drawing.signals import held_signals
from shadersort.errors import DeviceUnavailable

DRAW, READ = 0x3059, 0x305A
"""EGL's names of the surfaces of a context."""

VERSIONS = (430, 330)
"""OpenGL core versions to ask for, in this order. 3.3 has all that drawing needs: integer textures,
float blending, instanced quads, texelFetch. 4.3 adds compute shaders."""

CPU_RENDERERS = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software", "basic render", "gdi")
"""Parts of the names of drivers that draw on the CPU."""

_opening = threading.RLock()
"""Held while a context is made, because moderngl and GLFW have global state."""
_reporting = threading.RLock()
"""Held while GLFW reports its errors to nobody, which is a setting of the whole module."""

_threads = threading.local()


def is_hardware(gl: moderngl.Context) -> bool:
    """Whether a GPU draws, by the name of the driver."""
    renderer = gl.info["GL_RENDERER"].lower()
    return not any(name in renderer for name in CPU_RENDERERS)


class Context(ABC):
    """An OpenGL context; entering it makes it the current one of this thread."""

    gl: moderngl.Context
    window: Any = None
    """The GLFW window whose context this is, if there is one."""
    has_window = False
    """Whether only the main thread may destroy it, as GLFW says of windows."""

    def __init__(self) -> None:
        self.process = os.getpid()

    def __enter__(self) -> Self:
        active = _active_contexts()
        if active:
            active[-1]._unbind()
        else:
            _threads.before = _Before()
        active.append(self)
        self._bind()
        return self

    def __exit__(self, *error: object) -> None:
        if is_forked(self.process):  # a child forked in a block leaves it, too
            return
        active = _active_contexts()
        active.pop()
        self._unbind()
        if active:
            active[-1]._bind()
        else:
            _threads.before.restore()

    @abstractmethod
    def _bind(self) -> None:
        """Make it current; no context is current before."""

    @abstractmethod
    def _unbind(self) -> None:
        """Leave no context current."""

    @abstractmethod
    def address(self, name: str) -> int:
        """Return where a function of OpenGL lies in memory; 0 if it is missing."""

    @abstractmethod
    def release(self) -> None:
        """Destroy the context. It is not active then."""


def _forget_contexts() -> None:
    """Let a forked child begin anew: it cannot use its parent's contexts."""
    global _opening, _reporting
    _opening, _reporting = threading.RLock(), threading.RLock()
    _threads.active = []


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_contexts)


def _active_contexts() -> list[Context]:
    """Return the contexts that this thread is inside of, the outermost first."""
    if not hasattr(_threads, "active"):
        _threads.active = []
    active: list[Context] = _threads.active
    return active


class _Before:
    """The EGL or GLFW context of a caller that was current before any of ours."""

    def __init__(self) -> None:
        self._window = self._context = None
        glfw: Any = sys.modules.get("glfw")
        egl = egl_library()
        if hasattr(glfw, "get_current_context"):  # else nobody has imported it, and has a window
            with silent(glfw):
                self._window = glfw.get_current_context()
            if self._window:
                glfw.make_context_current(None)
        if egl and (context := egl.eglGetCurrentContext()):
            surfaces = egl.eglGetCurrentSurface(DRAW), egl.eglGetCurrentSurface(READ)
            self._context = egl.eglGetCurrentDisplay(), *surfaces, context

    def restore(self) -> None:
        """Make it current again, if there was one."""
        if self._window:
            sys.modules["glfw"].make_context_current(self._window)
        elif self._context:
            egl_library().eglMakeCurrent(*self._context)


@contextmanager
def silent(glfw: Any) -> Iterator[None]:
    """Let GLFW note its errors without a warning: `get_error` has them.

    `warnings.catch_warnings` would change what warnings do in all threads.
    """
    with _reporting:
        before, glfw.ERROR_REPORTING = glfw.ERROR_REPORTING, "ignore"
        try:
            yield
        finally:
            glfw.ERROR_REPORTING = before


@contextmanager
def making() -> Iterator[None]:
    """Let the block make a context; afterwards make the previous context current again."""
    check_can_open()
    with held_signals, _opening:
        release_abandoned()
        active = _active_contexts()
        before = None if active else _Before()
        if active:
            active[-1]._unbind()
        default = moderngl._store.default_context  # type: ignore[attr-defined]
        try:
            yield
        finally:
            moderngl._store.default_context = default  # type: ignore[attr-defined]
            if before:
                before.restore()
            else:
                active[-1]._bind()


class EGLContext(Context):
    """A context by EGL, on the EGL device of this index; needs no display."""

    def __init__(self, index: int = 0) -> None:
        settings: dict[str, Any] = {"backend": "egl", "device_index": index}
        for library, package in (("EGL", "libegl1"), ("GL", "libgl1")):
            settings[f"lib{library.lower()}"] = path = library_path(library)
            if path is None:
                raise DeviceUnavailable(
                    f"lib{library} is missing: on Debian or Ubuntu, "
                    f"'apt install {package} libgl1-mesa-dri'; elsewhere, install the graphics "
                    "driver or Mesa. The software device needs neither"
                )
        super().__init__()
        with making():
            for version in VERSIONS:
                try:
                    self.gl = moderngl.create_context(version, standalone=True, **settings)
                    break
                except Exception as error:  # moderngl and glcontext raise plain Exception
                    if version == VERSIONS[-1]:
                        raise DeviceUnavailable(
                            f"EGL device {index} gives no context: {error}"
                        ) from error
            self._unbind()

    def _bind(self) -> None:
        self.gl.mglo.__enter__()

    def _unbind(self) -> None:
        self.gl.mglo.__exit__(None, None, None)

    def address(self, name: str) -> int:
        """Return where a function of OpenGL lies in memory; 0 if it is missing."""
        return egl_library().eglGetProcAddress(name.encode()) or 0

    def release(self) -> None:
        """Destroy the context."""
        self.gl.release()
        del self.gl


library_path = cache(find_library)
"""Returns what a library is loaded by, or None if it is missing: a search starts a process."""


def egl_library() -> Any:
    """Load libEGL; return None if it is missing, or something else has that name."""
    path = library_path("EGL")
    return path and _loaded_egl(path)


@cache
def _loaded_egl(path: str) -> Any:
    """Load libEGL from a path, once; return None if it is something else."""
    try:
        library = ctypes.CDLL(path)
        for name in ("ProcAddress", "CurrentSurface", "CurrentContext", "CurrentDisplay"):
            getattr(library, f"eglGet{name}").restype = ctypes.c_void_p
        library.eglMakeCurrent.argtypes = [ctypes.c_void_p] * 4
    except (OSError, AttributeError):
        return None
    return library
