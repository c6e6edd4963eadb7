"""The sort as a piece: in a frame it sorts as `ss.sort`, and says what it cannot do."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import FrameLocator, Page, expect

import shadersort as ss
from shadersort.drawing.networks import NETWORKS
from shadersort.errors import (
    KeysNotFlat,
    MethodUnavailable,
    ShadersortError,
    TooManyKeys,
    UnknownMethod,
    UnknownNetwork,
    UnsupportedKeys,
)
from shadersort.keys.types import DTYPES, Keys
from shadersort.web.piece import Piece
from shadersort.web.pieces.sort import MOST_KEYS, KeyType, sort_piece, typed_keys, word_of
from shadersort.web.probes import METHODS
from tests.browser import DRIVERS
from tests.web.pieces.conftest import Open
from tests.web.quiet import assert_accessible, run_first

DEFAULT = sort_piece()
EXTREMES = [3, np.nan, -0.0, 1e-40, np.inf, 0.1, -np.inf, 7, 0, -1e-7, 6e-8]
"""Hardware may change some of these; 6e-8 is a denormal half, and 1e-40 a denormal float."""


both_drivers = pytest.mark.parametrize("driver", DRIVERS)


@pytest.fixture
def driver() -> str:
    """One driver, but where what is drawn may depend on it."""
    return "llvmpipe"


def framed(opened: Open, piece: Piece = DEFAULT) -> tuple[Page, FrameLocator]:
    """Open a piece in the frame of a notebook; return the notebook and the frame."""
    page = opened(Piece("a notebook", f"<!doctype html><title>notebook</title>{piece.frame}"))
    page.set_viewport_size({"width": 850, "height": 1300})
    return page, page.frame_locator("iframe")


def sorted_keys(frame: Any, dtype: str) -> Keys:
    words = frame.get_by_label("Sorted keys").input_value().split()
    return np.array(words, dtype)


def assert_sorted(frame: Any, keys: Keys) -> None:
    found = sorted_keys(frame, keys.dtype.name)
    expected = ss.sort(keys, method="fragment", device="software")
    assert found[found == found].tobytes() == expected[expected == expected].tobytes()
    assert np.isnan(found).tolist() == np.isnan(expected).tolist()


def some_keys(dtype: np.dtype[Any]) -> Keys:
    """Keys of any bits."""
    random = np.random.default_rng(0)
    return random.integers(0, 256, 500 * dtype.itemsize, np.uint8).view(dtype)


# ---- In Python.


def test_it_is_small_and_loads_nothing() -> None:
    assert len(DEFAULT.frame.encode()) < 220_000
    assert "src=" not in DEFAULT.page
    assert "http" not in DEFAULT.page


@pytest.mark.parametrize(
    ("given", "dtype", "expected"),
    [
        ([3, 1], None, np.array([3, 1], np.float32)),
        (np.array([0.1], np.float16), None, np.array([0.1], np.float16)),
        (np.array([-1], np.int32), None, np.array([-1], np.int32)),
        (np.array([0.1, 1e300]), None, np.array([0.1, np.inf], np.float32)),
        ([2.0, -0.0], "uint32", np.array([2, 0], np.uint32)),
        ([], None, np.array([], np.float32)),
    ],
)
def test_types_of_keys(given: Any, dtype: KeyType | None, expected: Keys) -> None:
    found = typed_keys(given, dtype)
    assert found.dtype == expected.dtype
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("error", "keys", "options", "said"),
    [
        (UnsupportedKeys, ["a"], {}, "keys of <U1 fit no texture"),
        (UnsupportedKeys, [1j], {}, "complex"),
        (UnsupportedKeys, [True], {}, "pass keys.astype"),
        (UnsupportedKeys, [2**24 + 1], {}, "float32 does not hold all of these keys"),
        (UnsupportedKeys, [0.5], {"dtype": "int32"}, "int32 does not hold all"),
        (UnsupportedKeys, [np.nan], {"dtype": "int32"}, "int32 does not hold all"),
        (UnsupportedKeys, [-1], {"dtype": "uint32"}, "uint32 does not hold all"),
        (UnsupportedKeys, [1], {"dtype": "int64"}, "a browser draws no keys of int64"),
        (
            UnsupportedKeys,
            None,
            {"dtype": "numbers"},
            "'numbers' is no type of keys: use 'float16'",
        ),
        (KeysNotFlat, [[1]], {}, "keys.ravel()"),
        (
            TooManyKeys,
            range(MOST_KEYS + 1),
            {},
            "these are 4,097 keys: the piece sorts at most 4,096",
        ),
        (UnknownNetwork, None, {"network": "bubble"}, "'bubble': use 'pbsn'"),
        (UnknownMethod, None, {"method": "quick"}, "'quick': use 'blend'"),
        (MethodUnavailable, None, {"method": "compute"}, "a browser has no compute shaders"),
    ],
)
def test_what_cannot_be_sorted_is_named(
    error: type[ShadersortError], keys: Any, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(error) as caught:
        sort_piece(keys, **options)
    assert said in str(caught.value)


# ---- In the frame of a notebook.


def test_it_begins_with_a_sort(opened: Open) -> None:
    _, frame = framed(opened)
    expect(frame.locator("h1")).to_have_text("pbsn by blend: 256 float32 keys, 8 × 8 texels")
    expect(frame.get_by_text("link to")).to_have_count(0)
    height = frame.locator("body").evaluate("(body) => body.scrollHeight")
    assert height <= DEFAULT.height
    found = sorted_keys(frame, "float32")
    assert len(found) == 256
    assert np.all(np.diff(found) >= 0)


@both_drivers
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_keys_from_python(opened: Open, dtype: np.dtype[Any]) -> None:
    """Keys of any bits are read as they were, and sorted as `ss.sort` sorts them."""
    keys = some_keys(dtype)
    if dtype.kind == "f":
        keys = np.concatenate([keys, np.array(EXTREMES, np.float32).astype(dtype)])
    _, frame = framed(opened, sort_piece(keys))
    expect(frame.locator("h1")).to_contain_text(f"{len(keys)} {dtype} keys")
    assert frame.get_by_label("My own keys").input_value() == " ".join(map(word_of, keys))
    assert_sorted(frame, keys)


@both_drivers
def test_own_keys(opened: Open) -> None:
    _, frame = framed(opened)
    frame.get_by_label("Keys", exact=True).select_option("my own keys")
    words = frame.get_by_label("My own keys")
    words.fill(" ".join(map(str, EXTREMES)))
    for dtype in ("float32", "float16"):
        frame.get_by_label("Type").select_option(dtype)
        expect(frame.locator("h1")).to_contain_text(f"{len(EXTREMES)} {dtype} keys")
        assert_sorted(frame, np.array(EXTREMES, np.float32).astype(dtype))
        expect(frame.get_by_role("status")).to_contain_text("set aside")
    words.fill("")
    expect(frame.locator("h1")).to_contain_text("0 float16 keys")
    assert frame.get_by_label("Sorted keys").input_value() == ""


def test_every_program_is_there(opened: Open) -> None:
    """All networks and methods sort as many keys as the piece takes."""
    keys = np.random.default_rng(1).permutation(MOST_KEYS).astype(np.float32)
    _, frame = framed(opened, sort_piece(keys))
    for network in NETWORKS:
        frame.get_by_label("Network").select_option(network)
        for method in METHODS:
            frame.get_by_label("Method").select_option(method)
            title = f"{network} by {method}: 4,096 float32 keys, 32 × 32 texels"
            expect(frame.locator("h1")).to_have_text(title)
            assert np.array_equal(sorted_keys(frame, "float32"), np.arange(MOST_KEYS))


def test_what_it_begins_with(opened: Open) -> None:
    piece = sort_piece([5, 3, 9, 1, 4], network="bitonic", method="kipfer", dtype="uint32")
    _, frame = framed(opened, piece)
    expect(frame.locator("h1")).to_have_text("bitonic by kipfer: 5 uint32 keys, 1 × 2 texels")
    frame.get_by_label("Keys", exact=True).select_option("reversed")
    expect(frame.locator("h1")).to_contain_text("256 uint32 keys")
    frame.get_by_label("Keys", exact=True).select_option("my own keys")
    expect(frame.locator("h1")).to_contain_text("5 uint32 keys")


def test_keyboard(opened: Open) -> None:
    page, frame = framed(opened)
    caption = frame.locator(".caption")
    expect(caption).to_contain_text("pass 0 (last 107)")
    frame.locator("body").click(position={"x": 1, "y": 1})
    for key, shown in (("ArrowRight", "pass 1 "), ("End", "pass 107 "), ("ArrowLeft", "pass 106 ")):
        page.keyboard.press(key)
        expect(caption).to_contain_text(shown)
    frame.get_by_label("red channel").focus()
    page.keyboard.press("ArrowRight")
    expect(frame.locator(".texels tr").nth(1)).to_contain_text("itself")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(frame.get_by_role("button", name="Pause")).to_be_visible()
    expect(caption).to_contain_text("pass 1 ")
    count = frame.get_by_label("How many keys")
    count.fill("64")
    count.press("Enter")
    expect(frame.locator("h1")).to_contain_text("64 float32 keys")


def test_touch(opened: Open) -> None:
    _, frame = framed(opened)
    frame.get_by_role("button", name="Last pass").tap()
    expect(frame.locator(".caption")).to_contain_text("pass 107 ")
    frame.get_by_label("red channel").tap()
    expect(frame.locator(".texels tr").nth(1)).to_contain_text("itself")


def test_the_lines_that_make_the_pass_are_lit(opened: Open) -> None:
    _, frame = framed(opened)
    frame.get_by_role("button", name="One pass forward").click()
    texts = frame.locator("code.lit").all_inner_texts()
    assert any('"min"' in text for text in texts)
    assert any("texelFetch" in text for text in texts)
    expect(frame.locator(".clocks")).to_contain_text("GeForce 6800 Ultra")


def test_an_image_is_made_small_enough(opened: Open) -> None:
    _, frame = framed(opened)
    frame.get_by_label("Keys", exact=True).select_option("the pixels of an image")
    data = io.BytesIO()
    Image.new("RGB", (100, 50), "orange").save(data, "PNG")
    image = frame.get_by_label("An image")
    image.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": data.getvalue()})
    expect(frame.locator("h1")).to_contain_text("4,096 float32 keys, 32 × 32 texels")
    assert len(sorted_keys(frame, "float32")) == MOST_KEYS


# ---- What goes wrong.


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("3 1 x", "line 1: “x” is not a number"),
        (
            " 1" * 4097,
            "These are 4,097 keys: the piece sorts at most 4,096. The page “Sort your own",
        ),
    ],
)
def test_bad_keys_are_named_and_kept(opened: Open, words: str, said: str) -> None:
    _, frame = framed(opened, sort_piece([1, 2]))
    typed = frame.get_by_label("My own keys")
    typed.fill(words)
    expect(frame.get_by_role("alert")).to_contain_text(said)
    assert typed.input_value() == words
    typed.fill("2 1 0")
    expect(frame.locator(".error")).to_be_empty()
    expect(frame.locator("h1")).to_contain_text("3 float32 keys")


def test_too_many_keys_of_a_kind(opened: Open) -> None:
    _, frame = framed(opened)
    count = frame.get_by_label("How many keys")
    for number, said in (
        ("4097", "to 4,096. The page “Sort your own keys"),
        ("0", "from 1 to 4,096."),
    ):
        count.fill(number)
        count.press("Enter")
        expect(frame.get_by_role("alert")).to_contain_text(f"“{number}” is not a number of keys")
        expect(frame.get_by_role("alert")).to_contain_text(said)
    expect(frame.locator("h1")).to_contain_text("256 float32 keys")


MISSING = {
    "WebGL 2": ("HTMLCanvasElement.prototype.getContext = () => null;", "has no WebGL 2"),
    "unpacking": ("delete window.DecompressionStream;", "This browser is too old to unpack"),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_browser_that_cannot(opened: Open, name: str) -> None:
    script, said = MISSING[name]
    page = opened(sort_piece([3, 1, 2]))
    run_first(page, script)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text(said)
    page.get_by_label("My own keys").fill("5 4")
    page.get_by_label("Network").select_option("bitonic")
    expect(page.get_by_role("alert")).to_contain_text(said)
    assert page.get_by_label("My own keys").input_value() == "5 4"
    expect(page.get_by_role("heading")).to_have_text(DEFAULT.title)
    assert_accessible(page)


def test_a_lost_context(opened: Open) -> None:
    page = opened(sort_piece([3, 1, 2, 4, 5]))
    page.get_by_role("button", name="One pass forward").click()
    page.evaluate("sortPage.sorter.gl.getExtension('WEBGL_lose_context').loseContext()")
    page.wait_for_function("!sortPage.sorter.gl.isContextLost()")
    expect(page.locator(".caption")).to_contain_text("pass 1 ")
    page.get_by_label("My own keys").fill("2 1 0")
    page.wait_for_function("document.querySelector('details textarea').value === '0 1 2'")


def test_a_context_that_comes_back_late(opened: Open) -> None:
    page = opened(sort_piece([3, 1, 2]))
    expect(page.locator("h1")).to_contain_text("3 float32 keys")
    page.evaluate(
        """const lost = sortPage.sorter.gl.getExtension("WEBGL_lose_context");
        const get = HTMLCanvasElement.prototype.getContext;
        window.gone = true;
        HTMLCanvasElement.prototype.getContext = function (kind, options) {
            return kind === "webgl2" && window.gone ? null : get.call(this, kind, options);
        };
        lost.loseContext();"""
    )
    expect(page.get_by_role("alert")).to_contain_text("has no WebGL 2")
    expect(page.get_by_role("button", name="Play")).not_to_be_visible()
    assert page.get_by_label("My own keys").input_value() == "3 1 2"
    page.evaluate("window.gone = false")
    page.get_by_label("My own keys").fill("2 1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("2 float32 keys")
    expect(page.locator(".error")).to_be_empty()


# ---- For everybody.


def test_it_is_accessible(opened: Open) -> None:
    page = opened(sort_piece([3, 1, 2, np.nan]))
    page.get_by_label("red channel").click()
    expect(page.locator(".texels tr").nth(1)).to_contain_text("itself")
    page.get_by_label("My own keys").fill("0-1")
    expect(page.get_by_role("alert")).to_contain_text("“0-1” is not a number")
    assert_accessible(page)
