"""What holds for every device: the same passes leave the same texels."""

import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import glfw
import moderngl
import numpy as np
import pytest

from shadersort import Device, Texture, errors, open_device
from shadersort.drawing.compile import compile
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import NETWORKS, network
from shadersort.drawing.passes import Pass, Record
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad, Quads
from shadersort.keys.types import Keys
from shadersort.names import DeviceKind, SortMethod
from tests.conftest import opengl_without_window
from tests.helpers import METHODS_AND_TYPES, bits

SHAPES: list[tuple[int, int, int, Record]] = [
    *((1, 1, 1, 1), (4, 8, 1, 1), (16, 2, 4, 1), (8, 24, 1, 1)),
    *((8, 24, 4, 1), (4, 8, 1, 2), (8, 24, 2, 2)),
]
"""Width, height, lists that are merged, and channels of a record."""


def texels(width: int, height: int, dtype: str, seed: int = 0) -> Keys:
    """Keys that every device keeps: no NaN, no −0.0, no denormal; ties, limits and infinities."""
    rng = np.random.default_rng(seed)
    shape = (height, width, 4)
    if np.dtype(dtype).kind != "f":
        info = np.iinfo(dtype)
        keys = rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
        return np.where(rng.random(shape) < 0.1, info.max, keys).astype(dtype)
    limits = np.finfo(dtype)
    special = np.array([0, 1, -1, limits.max, limits.min, limits.tiny, np.inf, -np.inf], dtype)
    keys = rng.standard_normal(shape).astype(dtype)
    return np.where(rng.random(shape) < 0.2, rng.choice(special, shape), keys)


def after_each_pass(device: Device, program: Program, keys: Keys) -> list[Keys]:
    """The texels of the target after every pass."""
    seen = []

    def observe(index: int, buffers: Mapping[str, Texture]) -> None:
        seen.append(buffers[program.passes[index].target].read())

    result = device.run(program, keys, observe)
    if seen:
        np.testing.assert_array_equal(bits(result), bits(seen[-1]))
    return seen


@opengl_without_window
@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_TYPES)
@pytest.mark.parametrize("name", NETWORKS)
def test_the_same_texels_after_every_pass(
    opengl: Device, software: Device, name: str, method: SortMethod, dtype: str
) -> None:
    for width, height, lists, record in SHAPES:
        if record == 2 and method == "blend":
            continue
        count = width * height & -(width * height)
        wires = merging(network(name, count), lists)
        program = compile(wires, width, height, method, record)
        keys = texels(width, height, dtype)
        expected = after_each_pass(software, program, keys)
        found = after_each_pass(opengl, program, keys)
        assert len(expected) == len(found) == len(program.passes)
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            where = f"{width} × {height} texels of {lists} lists of {record}, pass {index}"
            np.testing.assert_array_equal(bits(one), bits(other), err_msg=where)


def test_texels_survive_the_journey(device: Device) -> None:
    """Every bit pattern comes back as it was, from textures larger than a transfer's band too."""
    for dtype, width, height in (("float16", 256, 64), ("float32", 33, 17), ("uint32", 1024, 700)):
        size = np.dtype(dtype).itemsize
        count = width * height * 4
        patterns = np.arange(count, dtype=f"u{size}") * np.array(2654435761).astype(f"u{size}")
        keys = patterns.view(dtype).reshape(height, width, 4)
        with device.upload(keys) as texture:
            np.testing.assert_array_equal(bits(texture.read()), bits(keys))
        with device.upload(keys[::-1, ::-1]) as texture:  # strided
            np.testing.assert_array_equal(bits(texture.read()), bits(keys[::-1, ::-1]))


def test_blending_leaves_what_no_quad_covers(device: Device) -> None:
    """A hand-made program: the left half of a copy becomes the minimum with the right half."""
    whole, left = Quads(Quad(0, 0, 4, 2, 0, 0, 4, 2)), Quads(Quad(0, 0, 2, 2, 4, 2, 2, 0))
    passes = (
        Pass("copy", "texture", "frame", (whole,)),
        Pass("copy", "texture", "frame", (left,), "min"),
    )
    program = Program(network("pbsn", 8), "blend", 4, 2, passes, "frame")
    keys = np.arange(32, dtype=np.float32)[::-1].reshape(2, 4, 4).copy()
    found = device.run(program, keys)
    np.testing.assert_array_equal(found[:, 2:], keys[:, 2:])
    np.testing.assert_array_equal(found[:, :2], np.minimum(keys[:, :2], keys[::-1, :1:-1]))


def test_what_a_device_refuses(device: Device) -> None:
    program = compile(network("pbsn", 4), 2, 2, "blend")
    says = "int32 keys cannot be sorted by method 'blend'"
    with pytest.raises(errors.UnsupportedKeys, match=says):
        device.run(program, np.zeros((2, 2, 4), np.int32))
    with pytest.raises(ValueError, match="draws 2 × 2 texels, the texture has 4 × 4"):
        device.run(program, texels(4, 4, "float32"))
    side = device.max_texture_size
    with pytest.raises(errors.TooManyKeys, match=f"larger than the {side} × {side}"):
        device.upload(np.zeros((1, side + 1, 4), np.float16))
    for shape in ((4,), (2, 2), (2, 2, 3), (0, 2, 4)):
        with pytest.raises(ValueError, match=r"\(height, width, 4\)"):
            device.upload(np.zeros(shape, np.float32))
    with pytest.raises(errors.UnsupportedKeys, match="not float64"):
        device.upload(np.zeros((1, 1, 4)))


@pytest.mark.parametrize("kind", ["software", "egl", "window"])
def test_a_closed_device_says_so(kind: DeviceKind, display: None) -> None:
    device = open_device(kind)
    device.close()
    device.close()
    assert "closed" in repr(device)
    for use in (device.__enter__, lambda: device.upload(texels(1, 1, "float32"))):
        with pytest.raises(errors.DeviceClosed, match="open another"):
            use()


@pytest.mark.slow
def test_devices_nest(egl: Device, window: Device, software: Device) -> None:
    """A device that is used, opened and closed while another draws leaves the other its context."""
    program, keys = compile(network("pbsn", 64), 8, 8, "blend"), texels(8, 8, "float32")
    expected = software.run(program, keys)
    for outer in (egl, window, software):
        for inner in (egl, window, software):

            def observe(index: int, buffers: Mapping[str, Texture], inner: Device = inner) -> None:
                if index in (5, 50):
                    np.testing.assert_array_equal(inner.run(program, keys), expected)
                    kind = cast(DeviceKind, inner.kind)
                    with open_device(kind) as another:
                        np.testing.assert_array_equal(another.run(program, keys), expected)

            np.testing.assert_array_equal(outer.run(program, keys, observe), expected)


@pytest.mark.slow
def test_a_caller_keeps_its_own_context(display: None, window: Device) -> None:
    """Contexts of the caller's, by EGL or GLFW, are current again after ours were used."""
    own = moderngl.create_context(standalone=True, backend="egl")  # type: ignore[arg-type]
    buffer = own.buffer(b"mine")
    with open_device("egl") as device:
        device.run(compile(network("pbsn", 4), 2, 2, "blend"), texels(2, 2, "float32"))
        assert buffer.read() == b"mine"
        assert moderngl.get_context() is own
    assert buffer.read() == b"mine"
    own.mglo.__exit__(None, None, None)
    own.release()

    glfw.default_window_hints()
    glfw.window_hint(glfw.VISIBLE, False)
    host = glfw.create_window(32, 32, "host", None, None)
    glfw.make_context_current(host)
    for kind in ("egl", "window"):
        with open_device(kind) as device:
            device.run(compile(network("pbsn", 4), 2, 2, "blend"), texels(2, 2, "float32"))
    assert glfw.get_current_context()
    glfw.make_context_current(None)  # type: ignore[arg-type]
    glfw.destroy_window(host)


def test_textures_of_others_and_released_ones_are_refused(egl: Device, software: Device) -> None:
    program, keys = compile(network("pbsn", 4), 2, 2, "blend"), texels(2, 2, "float32")
    for device, other in ((egl, software), (software, egl)):
        texture = other.upload(keys)
        with pytest.raises(ValueError, match="of another device"):
            device.execute(program, texture)
        texture.release()
        texture.release()
        for use in (texture.read, lambda: other.execute(program, texture)):  # noqa: B023
            with pytest.raises(errors.DeviceClosed, match="released"):
                use()


def test_programs_are_verified_before_they_run(device: Device) -> None:
    beyond = Pass("copy", "texture", "frame", (Quads(Quad(0, 0, 4, 2, 1, 0, 5, 2)),))
    program = Program(network("pbsn", 8), "blend", 4, 2, (beyond,), "frame")
    with pytest.raises(errors.BadProgram, match="pass 0: texture coordinates out of bounds"):
        device.run(program, texels(4, 2, "float32"))


def test_errors_of_opengl_are_not_swallowed(egl: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(egl, OpenGLDevice)
    monkeypatch.setattr(type(egl.gl), "error", "GL_INVALID_OPERATION")
    with pytest.raises(errors.DeviceUnusable, match="failed at drawing: GL_INVALID_OPERATION"):
        egl.finish()


def test_the_software_opengl_device_is_here_and_used() -> None:
    """CI has no GPU: there EGL must find Mesa's llvmpipe, or the tests prove nothing of OpenGL."""
    with open_device("egl") as device:
        assert device.kind == "egl"
        if os.environ.get("CI"):
            assert "llvmpipe" in device.renderer


@pytest.mark.filterwarnings("error")
def test_threads_may_open_devices_at_once() -> None:
    """GLFW is asked for a caller's context each time, and warns while it is not initialised."""
    program, keys = compile(network("pbsn", 4), 2, 2, "blend"), texels(2, 2, "float32")
    together = threading.Barrier(6)

    def use(number: int) -> Keys:
        together.wait()
        with open_device("egl") as device:
            return device.run(program, keys)

    with ThreadPoolExecutor(6) as pool:
        first, *others = pool.map(use, range(6))
    for other in others:
        np.testing.assert_array_equal(first, other)
