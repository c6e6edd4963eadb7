"""OpenGL contexts, with a display or without.

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
from typing import Any, Self

import moderngl

from shadersort.drawing.devices.abandoned import release_abandoned
from shadersort.drawing.devices.egl import CurrentEGL, egl_library, library_path
from shadersort.drawing.devices.processes import check_can_open, is_forked
from shadersort.drawing.signals import held_signals
from shadersort.errors import DeviceUnavailable

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
    """The context of a caller that was current before any of ours."""

    def __init__(self) -> None:
        self._window = None
        if glfw := sys.modules.get("glfw"):  # a caller that never imported it has no GLFW window
            with _silent(glfw):
                self._window = glfw.get_current_context()
            if self._window:
                glfw.make_context_current(None)
        self._egl = CurrentEGL()

    def restore(self) -> None:
        """Make it current again."""
        if self._window:
            sys.modules["glfw"].make_context_current(self._window)
        else:
            self._egl.restore()


@contextmanager
def _making() -> Iterator[None]:
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
        with _making():
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


class _Loader:
    """Finds OpenGL's functions for moderngl in the current GLFW context, on any platform."""

    def load_opengl_function(self, name: str) -> int:
        import glfw

        return ctypes.cast(glfw.get_proc_address(name), ctypes.c_void_p).value or 0

    def release(self) -> None:
        """Nothing of its own to release: the window owns the context."""


class WindowContext(Context):
    """A context of the window system (GLX, WGL, CGL, Wayland), by a GLFW window.

    The window is hidden unless `visible`. GLFW stays initialised until the process ends:
    terminating it would destroy the windows of a host program too.
    """

    has_window = True

    def __init__(self, *, visible: bool = False, size: tuple[int, int] = (512, 512)) -> None:
        if sys.platform == "darwin" and threading.current_thread() is not threading.main_thread():
            raise DeviceUnavailable("macOS opens windows on the main thread only: open it there")
        super().__init__()
        with _making():
            self.glfw = glfw = _initialized_glfw()
            for version in VERSIONS:
                self.window = _window(glfw, version, visible, size)
                if self.window:
                    break
            else:
                raise DeviceUnavailable(
                    f"no window with an OpenGL {VERSIONS[-1] / 100:.1f} context: "
                    f"{_glfw_error(glfw)}"
                )
            try:
                self._bind()
                moderngl.init_context(loader=_Loader())
                self.gl = moderngl.get_context()
                self._unbind()
            except BaseException:
                glfw.destroy_window(self.window)
                raise

    def _bind(self) -> None:
        self.glfw.make_context_current(self.window)

    def _unbind(self) -> None:
        self.glfw.make_context_current(None)

    def address(self, name: str) -> int:
        """Return where a function of OpenGL lies in memory; 0 if it is missing."""
        return _Loader().load_opengl_function(name)

    def release(self) -> None:
        """Destroy the window, and with it the context."""
        self.gl.release()
        del self.gl
        self.glfw.destroy_window(self.window)


def _window(glfw: Any, version: int, visible: bool, size: tuple[int, int]) -> Any:
    """Return a window with a context of this version, or None; window hints are left as new."""
    glfw.default_window_hints()
    for hint, value in (
        (glfw.CONTEXT_VERSION_MAJOR, version // 100),
        (glfw.CONTEXT_VERSION_MINOR, version // 10 % 10),
        (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE),
        (glfw.OPENGL_FORWARD_COMPAT, True),
        (glfw.VISIBLE, visible),
    ):
        glfw.window_hint(hint, value)
    with _silent(glfw):
        window = glfw.create_window(*size, "shadersort", None, None)
    glfw.default_window_hints()
    return window


@contextmanager
def _silent(glfw: Any) -> Iterator[None]:
    """Let GLFW note its errors without a warning: `_glfw_error` has them.

    `warnings.catch_warnings` would change what warnings do in all threads.
    """
    with _reporting:
        before, glfw.ERROR_REPORTING = glfw.ERROR_REPORTING, "ignore"
        try:
            yield
        finally:
            glfw.ERROR_REPORTING = before


def _initialized_glfw() -> Any:
    """Return the glfw module, initialised, or say why there is no window system."""
    try:
        import glfw
    except ImportError as error:
        raise DeviceUnavailable(f"the GLFW library cannot be loaded: {error}") from error
    with _silent(glfw):
        if not glfw.init():
            raise DeviceUnavailable(
                f"no window system: {_glfw_error(glfw)}. Start one (or Xvfb), or use device 'egl'"
            )
    return glfw


def _glfw_error(glfw: Any) -> str:
    """Return GLFW's own words for what went wrong last."""
    _, description = glfw.get_error()
    return description.decode() if description else "no reason given"
