"""The quad to drag: what is drawn is what the software device draws, wherever it is dragged."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import shadersort as ss
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.methods.blending import copy
from shadersort.drawing.networks import network
from shadersort.drawing.passes import FRAME, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.verify import verify
from shadersort.errors import KeysNotFlat, NotFinite
from shadersort.keys.types import Keys
from shadersort.web.pieces.quad import permuted_keys, presets, quad_piece
from tests.web.conftest import Open, both_drivers

HIDE = """
const get = WebGL2RenderingContext.prototype.getExtension;
WebGL2RenderingContext.prototype.getExtension = function (name) {
    return %s.includes(name) ? null : get.call(this, name);
};
"""
"""As a script that runs first, it hides some extensions of a browser."""

ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


def shown(page: Page, view: int) -> Keys:
    """The keys of a grid, as they are written."""
    cells = page.locator(".grid").nth(view).locator("g[role=img] text").all_text_contents()
    return np.array([float(cell.replace("−", "-")) for cell in cells], np.float32)


def the_pass(page: Page) -> Pass:
    """The pass, as the page writes it in Python."""
    found = eval(page.locator("pre code").inner_text(), {"ss": ss})
    assert isinstance(found, Pass)
    return found


def drawn(keys: Keys, *passes: Pass) -> Keys:
    """The frame after passes over a copy of the texture."""
    height, width = keys.shape[:2]
    start = copy("texture", FRAME, width, height)
    program = Program(network("pbsn", 1), "blend", width, height, (start, *passes), FRAME)
    verify(program)  # no stretched texture, nothing out of bounds
    texels = np.repeat(keys[..., np.newaxis], 4, axis=2) if keys.ndim == 2 else keys
    with SoftwareDevice() as device:
        return device.run(program, texels)


def assert_drawn(page: Page, keys: Keys, *before: Pass) -> None:
    expected = drawn(keys, *before, the_pass(page))
    np.testing.assert_array_equal(shown(page, 2), expected[..., 0].ravel())


@both_drivers
def test_presets(opened: Open) -> None:
    page, keys = opened(quad_piece()), permuted_keys(4)
    for preset in presets(4, 4):
        page.get_by_role("button", name=preset["name"], exact=True).click()
        expect(page.get_by_role("status")).to_contain_text(preset["told"])
        assert_drawn(page, keys)
    np.testing.assert_array_equal(shown(page, 0), keys.ravel())
    np.testing.assert_array_equal(shown(page, 1), keys.ravel())


def test_any_keys_pressed_on_any_handle(opened: Open) -> None:
    """A quad never stretches its texture, and stays inside; the frame is the software device's."""
    page, keys = opened(quad_piece()), permuted_keys(4)
    random = np.random.default_rng(0)
    handles = page.locator(".handle")
    assert handles.count() == 10
    mirrored = set()
    for _ in range(40):
        blend = str(random.choice(["no blending", "MIN", "MAX"]))
        page.get_by_role("radio", name=blend).check()
        handles.nth(int(random.integers(10))).focus()
        page.keyboard.press(str(random.choice(ARROWS)))
        assert_drawn(page, keys)
        quad = the_pass(page).quads[0].quad
        mirrored.add((quad.s0 > quad.s1, quad.t0 > quad.t1))
    assert len(mirrored) > 1


def drag(page: Page, name: str, *moves: tuple[float, float]) -> None:
    """Drag a handle from its centre to places relative to it, in texels of the frame."""
    texel = page.locator(".grid").nth(2).locator("g[role=img] rect").first.bounding_box()
    box = page.get_by_role("button", name=name).bounding_box()
    assert box
    assert texel
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for across, down in moves:
        page.mouse.move(x + across * texel["width"], y + down * texel["width"], steps=4)
    page.mouse.up()


def test_a_pointer_drags_a_corner_and_the_quad(opened: Open) -> None:
    page = opened(quad_piece(preset="copy a corner"))
    drag(page, "corner C on the frame", (0.3, 0.4), (1.2, 9))
    assert the_pass(page).quads[0].quad == ss.Quad(0, 0, 3, 4, 1, 0, 4, 4)
    drag(page, "The quad on the texture", (-1, 0))
    assert the_pass(page).quads[0].quad == ss.Quad(0, 0, 3, 4, 0, 0, 3, 4)


def test_a_quad_is_drawn_over_another(opened: Open) -> None:
    page, first = opened(quad_piece()), None
    for name in ("MIN of the first half", "Draw the next quad over this", "MAX of the second half"):
        page.get_by_role("button", name=name, exact=True).click()
        first = first or the_pass(page)
    assert first
    assert_drawn(page, permuted_keys(4), first)


@both_drivers
def test_four_channels(opened: Open) -> None:
    keys = np.random.default_rng(0).normal(size=(2, 8, 4)).round(1).astype(np.float32)
    page = opened(quad_piece(keys))
    each = the_pass(page)
    for number, channel in enumerate(("red", "green", "blue", "alpha")):
        page.get_by_label("Channel").select_option(channel)
        expected = drawn(keys, each)[..., number].ravel()
        np.testing.assert_array_equal(shown(page, 2), expected)


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        (["EXT_float_blend"], "textures hold 16-bit floats"),
        (["EXT_color_buffer_float", "EXT_color_buffer_half_float"], "cannot draw into textures"),
    ],
)
def test_fallbacks_are_told(opened: Open, hidden: list[str], said: str) -> None:
    page = opened(quad_piece())
    page.add_init_script(HIDE % hidden)
    page.reload()
    expect(page.locator("main")).to_contain_text(said)
    if len(hidden) == 1:
        assert_drawn(page, permuted_keys(4))


def test_bad_keys() -> None:
    for shape in ((4, 3), (16,), (4, 4, 3)):
        with pytest.raises(KeysNotFlat):
            quad_piece(np.zeros(shape))
    with pytest.raises(NotFinite):
        quad_piece(np.full((4, 4), np.nan))
