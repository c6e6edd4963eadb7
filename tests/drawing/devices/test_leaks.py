"""Nothing of OpenGL is left behind: not by sorts, not by errors, not by devices."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from ctypes.util import find_library
from pathlib import Path

import moderngl
import numpy as np
import pytest

import shadersort as ss
from shadersort import Device, Texture, open_device
from shadersort.drawing.compile import compile
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.networks import network
from shadersort.errors import DidNotConverge, OutOfDeviceMemory, UnsupportedKeys
from shadersort.lessons.exercises.shaders.compiling import one_pass
from shadersort.names import DeviceKind

KINDS = ("Texture", "Buffer", "Framebuffer", "Program", "VertexArray", "Query")
NAMES = 3000
"""Object names looked at: drivers hand out small numbers first."""


@pytest.fixture
def egl() -> Iterator[Device]:
    """A device of its own: names are handed out from the first on, and not again."""
    with open_device("egl") as device:
        yield device


@pytest.fixture
def window(display: None) -> Iterator[Device]:
    with open_device("window") as device:
        yield device


@pytest.fixture
def gpu() -> Iterator[Device]:
    with open_device("auto") as device:
        assert device.hardware, f"no GPU here: {device!r}"
        yield device


def living_objects(device: OpenGLDevice) -> dict[str, int]:
    """Count the OpenGL objects of each kind that live in the device's context."""
    library = ctypes.CDLL(find_library("GL"))
    counts = {}
    with device._active():
        for kind in KINDS:
            is_alive = getattr(library, f"glIs{kind}")
            is_alive.restype = ctypes.c_ubyte
            counts[kind] = sum(is_alive(name) for name in range(1, NAMES))
    return counts


def check(device: Device, use: Callable[[], object]) -> None:
    """Assert that a second use leaves as many objects as the first."""
    assert isinstance(device, OpenGLDevice)
    use()
    before = living_objects(device)
    assert before["Program"] > 0
    use()
    assert living_objects(device) == before
    assert not device.textures
    with device.upload(np.zeros((1, 1, 4), np.float32)):
        assert living_objects(device) != before, "names are beyond those that are looked at"


def test_objects_are_counted(egl: Device) -> None:
    """The check can fail: a texture that lives is seen. The buffers of the first upload stay."""
    assert isinstance(egl, OpenGLDevice)
    egl.upload(np.zeros((2, 2, 4), np.float32)).release()
    before = living_objects(egl)
    with egl.upload(np.zeros((2, 2, 4), np.float32)):
        during = living_objects(egl)
        assert during["Texture"] == before["Texture"] + 1
        assert during["Framebuffer"] == before["Framebuffer"] + 1
    assert living_objects(egl) == before


def test_no_room_on_the_device(egl: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(egl, OpenGLDevice)
    before, texels = living_objects(egl), np.zeros((2, 2, 4), np.float32)
    codes = iter(["GL_NO_ERROR", "GL_OUT_OF_MEMORY"])  # before and after making the texture
    monkeypatch.setattr(type(egl.gl), "error", property(lambda gl: next(codes)))
    with pytest.raises(OutOfDeviceMemory, match="texture of 64 bytes: GL_OUT_OF_MEMORY"):
        egl.upload(texels)

    def refuse(*arguments: object, **options: object) -> None:
        raise moderngl.Error("cannot create texture")

    monkeypatch.undo()
    monkeypatch.setattr(egl.gl, "texture", refuse)
    with pytest.raises(OutOfDeviceMemory, match="cannot create texture"):
        egl.upload(texels)
    monkeypatch.undo()
    assert living_objects(egl) == before


def test_many_sorts(opengl: Device) -> None:
    keys = np.random.default_rng(0).random(256).astype(np.float32)

    def sort_often() -> None:
        for _ in range(20):
            ss.sort(keys, network="bitonic", method="fragment", device=opengl)

    check(opengl, sort_often)


def test_many_selections(opengl: Device) -> None:
    """Textures are released, and queries used again: no more after the first selections."""
    keys = np.random.default_rng(0).random(256).astype(np.float32)

    def select_often() -> None:
        for method in ("bitwise", "cutting-plane", "sort-choose"):
            for k in range(5):
                ss.select(keys, k, method=method, device=opengl)
        with pytest.raises(DidNotConverge):
            ss.select(keys, 100, method="bisection", iterations=1, device=opengl)
        with pytest.raises(UnsupportedKeys):
            ss.select(np.zeros(64), 0, device=opengl)

    check(opengl, select_often)


@pytest.mark.slow
def test_questions_that_fail(opengl: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(opengl, OpenGLDevice)
    keys = np.arange(100, dtype=np.float32)

    def fail() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(OpenGLDevice, "_sent", interrupt)
            with pytest.raises(KeyboardInterrupt):
                ss.median(keys, method="bitwise", device=opengl)

    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    ss.median(keys, device=opengl)
    check(opengl, fail)
    assert ss.median(keys, device=opengl) == 49.5


@pytest.mark.slow
def test_errors(opengl: Device) -> None:
    def fail() -> None:
        with pytest.raises(UnsupportedKeys):
            ss.sort(np.zeros(64, np.int32), device=opengl)

        def interrupt(index: int, buffers: Mapping[str, Texture]) -> None:
            raise KeyboardInterrupt

        program = compile(network("pbsn", 64), 8, 8, "blend")
        with pytest.raises(KeyboardInterrupt):
            opengl.run(program, np.zeros((8, 8, 4), np.float32), interrupt)

    ss.sort(np.zeros(64, np.float32), device=opengl)
    check(opengl, fail)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["egl", "window"])
def test_devices_themselves(kind: DeviceKind, display: None) -> None:
    """Open files, and so drivers' resources, do not grow with the devices opened and closed."""

    def open_and_sort() -> None:
        with open_device(kind) as device:
            ss.sort(np.zeros(64, np.float32), device=device)

    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    for _ in range(3):
        open_and_sort()
    before = open_files()
    for _ in range(5):
        open_and_sort()
    assert open_files() <= before + 1


TEXT = """\
uniform sampler2D keys;
out vec4 color;
void main() { color = texelFetch(keys, ivec2(gl_FragCoord.yx), 0); }
"""


def test_texts_of_others_leave_nothing(egl: OpenGLDevice) -> None:
    """A text in place of a file draws once, and is forgotten, whether it compiles or not."""
    texels = np.arange(64, dtype=np.float32).reshape(4, 4, 4)

    def use() -> None:
        program = one_pass(4, 4)
        drawn = egl.run_text(TEXT, program, texels)
        np.testing.assert_array_equal(drawn, texels.swapaxes(0, 1))
        np.testing.assert_array_equal(egl.run(program, texels), texels)

    check(egl, use)
    program = one_pass(4, 4)
    with pytest.raises(
        moderngl.Error, match="syntax error"
    ):  # moderngl keeps an empty program then
        egl.run_text(TEXT.replace(", 0", ",, 0"), program, texels)
    np.testing.assert_array_equal(egl.run(program, texels), texels)
