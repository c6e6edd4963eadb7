"""Nothing of OpenGL is left behind: not by sorts, not by errors, not by devices."""

import ctypes
from collections.abc import Callable, Iterator
from ctypes.util import find_library

import moderngl
import numpy as np
import pytest

import shadersort as ss
from shadersort import Device, open_device
from shadersort.drawing.compile import compile
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.networks import network
from shadersort.errors import DidNotConverge, OutOfDeviceMemory, UnsupportedKeys
from shadersort.lessons.exercises.shader_runner import one_pass
from tests.conftest import EVERY_OPENGL

KINDS = ("Texture", "Buffer", "Framebuffer", "Program", "VertexArray", "Query")
NAMES = 3000
"""Object names looked at: drivers hand out small numbers first."""


@pytest.fixture
def egl() -> Iterator[Device]:
    """A device of its own: names are handed out from the first on, and not again."""
    with open_device("egl") as device:
        yield device


@pytest.fixture(params=EVERY_OPENGL)
def opengl(request: pytest.FixtureRequest) -> Iterator[Device]:
    kind = {"gpu": "auto"}.get(request.param, request.param)
    if kind == "window":
        request.getfixturevalue("display")
    with open_device(kind) as device:
        assert device.hardware or request.param != "gpu", f"no GPU here: {device!r}"
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


def test_sorts_and_selections(opengl: Device) -> None:
    """Textures are released, and queries used again: no more after the first selections."""
    keys = np.random.default_rng(0).random(256).astype(np.float32)

    def use() -> None:
        for k in range(5):
            ss.sort(keys, network="bitonic", method="fragment", device=opengl)
            for method in ("bitwise", "cutting-plane", "sort-choose"):
                ss.select(keys, k, method=method, device=opengl)

    check(opengl, use)


def test_errors(opengl: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.arange(100, dtype=np.float32)
    program = compile(network("pbsn", 64), 8, 8, "blend")

    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    def fail() -> None:
        with pytest.raises(DidNotConverge):
            ss.select(keys, 30, method="bisection", iterations=1, device=opengl)
        with pytest.raises(UnsupportedKeys):
            ss.select(np.zeros(64), 0, device=opengl)
        with pytest.raises(UnsupportedKeys):
            ss.sort(np.zeros(64, np.int32), device=opengl)
        with pytest.raises(KeyboardInterrupt):
            opengl.run(program, np.zeros((8, 8, 4), np.float32), interrupt)
        with monkeypatch.context() as patch:
            patch.setattr(OpenGLDevice, "_sent", interrupt)
            with pytest.raises(KeyboardInterrupt):
                ss.median(keys, method="bitwise", device=opengl)

    ss.sort(keys, device=opengl)
    ss.median(keys, method="bitwise", device=opengl)
    check(opengl, fail)
    assert ss.median(keys, device=opengl) == 49.5


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
