"""OpenGL contexts of the window system, by windows of GLFW."""

import ctypes
import sys
import threading
from types import SimpleNamespace
from typing import Any

import moderngl

from shadersort.drawing.devices.contexts import VERSIONS, Context, making, silent
from shadersort.errors import DeviceUnavailable


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
        with making():
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
                loader = SimpleNamespace(load_opengl_function=self.address, release=lambda: None)
                moderngl.init_context(loader=loader)
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
        return ctypes.cast(self.glfw.get_proc_address(name), ctypes.c_void_p).value or 0

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
    with silent(glfw):
        window = glfw.create_window(*size, "shadersort", None, None)
    glfw.default_window_hints()
    return window


def _initialized_glfw() -> Any:
    """Return the glfw module, initialised, or say why there is no window system."""
    try:
        import glfw
    except ImportError as error:
        raise DeviceUnavailable(f"the GLFW library cannot be loaded: {error}") from error
    with silent(glfw):
        if not glfw.init():
            raise DeviceUnavailable(
                f"no window system: {_glfw_error(glfw)}. Start one (or Xvfb), or use device 'egl'"
            )
    return glfw


def _glfw_error(glfw: Any) -> str:
    """Return GLFW's own words for what went wrong last."""
    _, description = glfw.get_error()
    return description.decode() if description else "no reason given"
