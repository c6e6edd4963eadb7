"""OpenGL contexts: how a machine lends its graphics, with a display or without.

A context is active only inside a `with` block, so that several may live in one thread.
"""

import ctypes
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes.util import find_library
from types import TracebackType
from typing import Any, Protocol, Self

import moderngl

from shadersort.errors import DeviceUnavailable

__all__ = ["Context", "EGLContext", "WindowContext"]

REQUIRED = 330
"""OpenGL 3.3 core: integer textures, float blending, instanced quads, texelFetch."""

CPU_RENDERERS = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer")
"""What drivers that draw on the CPU call themselves."""


class Context(Protocol):
    """An OpenGL context; entering it makes it the current one."""

    gl: moderngl.Context

    def __enter__(self) -> Self:
        """Make the context current."""

    def __exit__(self, *error: Any) -> None:
        """Make it no longer current."""

    def release(self) -> None:
        """Destroy the context."""


def is_hardware(gl: moderngl.Context) -> bool:
    """Whether a GPU draws, by what the driver calls itself."""
    renderer = gl.info["GL_RENDERER"].lower()
    return not any(name in renderer for name in CPU_RENDERERS)


def egl_device_count() -> int:
    """Count the devices that EGL can enumerate: 0 where there is no EGL, or one that cannot."""
    library = find_library("EGL")
    if library is None:
        return 0
    try:
        address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(
            ("eglGetProcAddress", ctypes.CDLL(library))
        )(b"eglQueryDevicesEXT")
    except (OSError, AttributeError):
        return 0
    if not address:
        return 0
    int_pointer = ctypes.POINTER(ctypes.c_int)
    query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, int_pointer)(address)
    count = ctypes.c_int(0)
    return count.value if query(0, None, ctypes.byref(count)) else 0


class EGLContext:
    """A context by EGL, on the EGL device of this index; needs no display."""

    def __init__(self, index: int = 0) -> None:
        for library, package in (("EGL", "libegl1"), ("GL", "libgl1")):
            if find_library(library) is None:
                raise DeviceUnavailable(
                    f"lib{library} is missing: on Debian or Ubuntu, "
                    f"'apt install {package} libgl1-mesa-dri'; elsewhere, install the graphics "
                    "driver or Mesa. The software device needs neither"
                )
        try:
            settings: dict[str, Any] = {"backend": "egl", "device_index": index}
            self.gl = moderngl.create_context(require=REQUIRED, standalone=True, **settings)
        except Exception as error:  # moderngl and glcontext raise plain Exception
            raise DeviceUnavailable(f"EGL device {index} gives no context: {error}") from error
        self.__exit__()

    def __enter__(self) -> Self:
        self.gl.mglo.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.gl.mglo.__exit__(None, None, None)

    def release(self) -> None:
        """Destroy the context."""
        self.gl.release()


class _Loader:
    """Finds OpenGL's functions for moderngl in the current GLFW context, on any platform."""

    def load_opengl_function(self, name: str) -> int:
        import glfw

        return ctypes.cast(glfw.get_proc_address(name), ctypes.c_void_p).value or 0

    def release(self) -> None:
        """Nothing of its own to release: the window owns the context."""


class WindowContext:
    """A context of the window system (GLX, WGL, CGL, Wayland), by a GLFW window.

    The window is hidden unless `visible`.
    """

    _open = 0

    def __init__(self, *, visible: bool = False, size: tuple[int, int] = (512, 512)) -> None:
        self._glfw = _initialized_glfw()
        glfw = self._glfw
        try:
            for hint, value in (
                (glfw.CONTEXT_VERSION_MAJOR, REQUIRED // 100),
                (glfw.CONTEXT_VERSION_MINOR, REQUIRED // 10 % 10),
                (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE),
                (glfw.OPENGL_FORWARD_COMPAT, True),
                (glfw.VISIBLE, visible),
            ):
                glfw.window_hint(hint, value)
            with _without_warnings():
                self.window = glfw.create_window(*size, "shadersort", None, None)
            if not self.window:
                raise DeviceUnavailable(
                    f"no window with an OpenGL {REQUIRED / 100:.1f} context: {_glfw_error(glfw)}"
                )
        except BaseException:
            if not WindowContext._open:
                glfw.terminate()
            raise
        WindowContext._open += 1
        with self:
            moderngl.init_context(loader=_Loader())
            self.gl = moderngl.get_context()

    def __enter__(self) -> Self:
        self._before = self._glfw.get_current_context()
        self._glfw.make_context_current(self.window)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        at: TracebackType | None = None,
    ) -> None:
        self._glfw.make_context_current(self._before)

    def release(self) -> None:
        """Destroy the window, and with it the context."""
        self.gl.release()
        self._glfw.destroy_window(self.window)
        WindowContext._open -= 1
        if not WindowContext._open:
            self._glfw.terminate()


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Keep GLFW from warning of what then becomes an error, with the same words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _initialized_glfw() -> Any:
    """Return the glfw module, initialised, or say why there is no window system."""
    with _without_warnings():
        try:
            import glfw
        except ImportError as error:
            raise DeviceUnavailable(f"the GLFW library cannot be loaded: {error}") from error
        if not glfw.init():
            raise DeviceUnavailable(
                f"no window system: {_glfw_error(glfw)}. Start one (or Xvfb), or use device 'egl'"
            )
    return glfw


def _glfw_error(glfw: Any) -> str:
    """Return GLFW's own words for what went wrong last."""
    _, description = glfw.get_error()
    return description.decode() if description else "no reason given"
