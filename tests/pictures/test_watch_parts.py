"""What `watch` is made of, where no window is needed: layout, letters, colours, controls."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import colormaps

from shadersort.drawing.compile import METHODS
from shadersort.drawing.networks import NETWORKS
from shadersort.palette import CIVIDIS, rgb
from shadersort.pictures.strips import PANELS, ROLE_NAMES
from shadersort.pictures.watch.controls import FASTEST, HELP, SPEEDS, Controls, Wish
from shadersort.pictures.watch.layout import FOOTER, HEADER, NAME, lay_out
from shadersort.pictures.watch.paper import font, printable
from shadersort.pictures.watch.screen import LEAST_SIZE, SIZE
from shadersort.pictures.watch.view import in_texels, outline_of

SIDES = st.integers(0, 9).map(lambda power: 1 << power)


@given(
    st.tuples(st.integers(LEAST_SIZE[0], 4000), st.integers(LEAST_SIZE[1], 3000)),
    SIDES,
    st.booleans(),
    st.sampled_from([2, 5]),
    st.sampled_from([1, 2]),
)
def test_panels_lie_in_the_window(
    size: tuple[int, int], width: int, taller: bool, count: int, unit: int
) -> None:
    window, texture = (size[0] * unit, size[1] * unit), (width, width * (2 if taller else 1))
    layout = lay_out(window, texture, count, unit)
    assert len(layout.panels) == count
    assert len({(box.width, box.height) for box in layout.panels}) == 1
    for box in layout.panels:
        assert 0 <= box.left < box.left + box.width <= window[0]
        assert (HEADER + NAME) * unit <= box.top
        assert box.top + box.height <= window[1] - FOOTER * unit
        assert box.width == max(1, int(width * layout.pixels_per_texel))
    for one, other in pairwise(sorted(layout.panels, key=lambda box: (box.top, box.left))):
        beside = one.top == other.top and one.left + one.width < other.left
        assert beside or one.top + one.height + NAME * unit <= other.top
    if layout.pixels_per_texel >= 2:
        assert layout.pixels_per_texel == int(layout.pixels_per_texel)


@given(st.tuples(st.integers(0, 300), st.integers(0, 300)), SIDES, st.sampled_from([2, 5]))
def test_windows_of_any_size_have_panels(size: tuple[int, int], width: int, count: int) -> None:
    for box in lay_out(size, (width, width), count, unit=1).panels:
        assert min(box.width, box.height) >= 1


def test_panels_fill_the_window() -> None:
    boxes = lay_out(SIZE, (32, 32), count=5, unit=1).panels
    assert boxes[0].width == 256
    doubled = lay_out((SIZE[0] * 2, SIZE[1] * 2), (32, 32), count=5, unit=2).panels
    assert doubled[0].width >= 2 * boxes[0].width


def test_every_letter_of_the_window_is_in_the_font() -> None:
    texts = [*PANELS, *ROLE_NAMES.values(), *NETWORKS, *METHODS, "0123456789 · : ( ) , . – / -"]
    missing = bytes(font(20).getmask("\uffff"))
    for letter in set("".join(texts)) - {" "}:
        assert bytes(font(20).getmask(printable(letter))) not in (b"", missing), letter


def test_colours_are_those_of_cividis() -> None:
    stops = np.array([rgb(colour) for colour in CIVIDIS])
    exact = colormaps["cividis"](np.linspace(0, 1, len(stops)))[:, :3]
    np.testing.assert_allclose(stops, exact, atol=0.5 / 255)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 4096, 4097, 10_000])
def test_values_are_packed_in_order(count: int) -> None:
    values = np.arange(count, dtype=np.float32)
    texels = in_texels(values)
    np.testing.assert_array_equal(texels.reshape(-1)[:count], values)
    assert np.all(np.isinf(texels.reshape(-1)[count:]))
    assert texels.size < count + 4 * texels.shape[1]


def test_outlines_leave_the_middle_of_a_texel() -> None:
    for pixels in range(1, 300):
        line, cased = outline_of(float(pixels), unit=1)
        assert 0 <= line <= cased < 0.5


def controls() -> Controls:
    return Controls("pbsn", "blend", ["blend", "fragment"], speed=20.0)


def test_speeds_have_ends() -> None:
    chosen = controls()
    for _ in SPEEDS:
        chosen.press("up")
    assert chosen.speed == FASTEST == math.inf
    for _ in range(2 * len(SPEEDS)):
        chosen.press("down")
    assert chosen.speed == 1
    chosen.speed = 0.25
    chosen.press("down")
    assert chosen.speed == 0.25


@given(
    st.lists(st.sampled_from(["space", "n", "up", "tab", "m", "c", "1", "3", "4", "0", "", "é"]))
)
def test_no_key_quits_but_those_that_do(keys: list[str]) -> None:
    chosen = controls()
    for key in keys:
        chosen.press(key)
        assert chosen.wish in (None, Wish.RESTART)
        assert chosen.network in NETWORKS
        assert chosen.method in chosen.methods
        assert chosen.channels in ((0, 1, 2, 3), (0,), (1,), (2,), (3,))
    chosen.press("q")
    assert chosen.take_wish() is Wish.QUIT
    assert (chosen.wish, chosen.steps) == (None, 0)


def test_the_help_names_every_network() -> None:
    meanings = dict(HELP)
    assert meanings["1, 2, 3"] == "network: pbsn, bitonic, odd-even-merge"
