"""The OpenGL context in which lessons draw and measure, in a child process."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from shadersort.drawing.devices.contexts import Context, EGLContext, is_hardware
from shadersort.drawing.devices.opening import egl_device_count
from shadersort.drawing.devices.window import WindowContext
from shadersort.errors import DeviceUnavailable


@cache
def context() -> Context:
    """Return the context that has compute shaders, if one has, and then that of a GPU.

    Raises
    ------
    DeviceUnavailable
        This machine has no OpenGL.
    """
    found = sorted(_contexts(), key=_rank)
    if not found:
        raise DeviceUnavailable("there is no OpenGL here: install Mesa's llvmpipe")
    for each in found[:-1]:
        each.release()
    return found[-1]


def _rank(found: Context) -> tuple[int, bool]:
    with found:  # outside, moderngl finds no name of a driver, and keeps that
        return found.gl.version_code, is_hardware(found.gl)


def _contexts() -> Iterator[Context]:
    """Yield a context of each EGL device, and of the window system only where EGL has none."""
    any_egl = False
    for index in range(max(1, egl_device_count())):
        with suppress(DeviceUnavailable):
            yield EGLContext(index)
            any_egl = True
    if not any_egl:
        with suppress(DeviceUnavailable):
            yield WindowContext()
