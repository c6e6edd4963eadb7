"""What holds for each piece: small, alone, accessible, and at work in a notebook's frame."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from shadersort.drawing.networks import network
from shadersort.web.piece import Piece
from shadersort.web.pieces import network_piece, quad_piece, shader_piece
from tests.web.pieces.conftest import Open
from tests.web.quiet import assert_accessible, run_first

PIECES: dict[str, Callable[[], Piece]] = {
    "quad": quad_piece,
    "network": network_piece,
    "shader": shader_piece,
}

OTHERS: dict[str, Callable[[], Piece]] = {
    "network of 2": lambda: network_piece(2),
    "network of 8": lambda: network_piece(8, network("pbsn", 8)),
    "network of 16": lambda: network_piece(16, [(0, 1)]),
    "keep": lambda: shader_piece("keep"),
    "comparator": lambda: shader_piece("comparator"),
}
"""Other sizes of them."""


NOTHING_HIDDEN = "document.documentElement.scrollHeight <= document.documentElement.clientHeight"


@pytest.fixture
def driver() -> str:
    """One driver is enough: what is drawn is not looked at."""
    return "llvmpipe"


@pytest.mark.parametrize("name", PIECES)
def test_it_is_small_and_loads_nothing(name: str) -> None:
    page = PIECES[name]().page
    assert len(page.encode()) < 60_000
    assert "src=" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("name", PIECES)
def test_it_is_accessible(opened: Open, name: str) -> None:
    page = opened(PIECES[name]())
    assert_accessible(page)
    if name != "quad":
        page.locator("textarea").fill("0-1 2-9 oops")
        expect(page.locator(".error, .errors li").first).to_contain_text("“")
        assert_accessible(page)


@pytest.mark.parametrize("name", [*PIECES, *OTHERS])
def test_in_a_frame_of_a_notebook(opened: Open, name: str) -> None:
    """The frame may run scripts, and no more; all of the piece is seen without scrolling."""
    piece = {**PIECES, **OTHERS}[name]()
    page = opened(Piece("a notebook", f"<!doctype html><title>notebook</title>{piece.frame}"))
    page.set_viewport_size({"width": 850, "height": 1300})
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading")).to_have_text(piece.title)
    expect(frame.get_by_role("status")).not_to_be_empty()
    inside = page.locator("iframe").element_handle().content_frame()
    assert inside
    inside.wait_for_function(NOTHING_HIDDEN)  # the frame takes its height from a message


def test_a_frame_in_a_page_of_another_encoding(opened: Open) -> None:
    """Chromium guesses the encoding of a page that says none, and not always as UTF-8."""
    piece = Piece("2 × 3", "<!doctype html><title>2 × 3</title><p>2 × 3 → 6</p>")
    around = opened(Piece("a page", f'<!doctype html><meta charset="windows-1252">{piece.frame}'))
    inside = around.frame_locator("iframe")
    expect(inside.locator("p")).to_have_text("2 × 3 → 6")
    assert around.locator("iframe").get_attribute("title") == "2 × 3"


def test_the_text_of_a_network_is_copied_or_selected(opened: Open) -> None:
    """Also in a frame, which has fewer rights."""
    piece = network_piece()
    page = opened(Piece("a notebook", f"<!doctype html><title>notebook</title>{piece.frame}"))
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Copy").click()
    expect(frame.locator(".said").first).to_contain_text("The text is")
    selected = frame.locator("textarea").evaluate("() => getSelection().toString()")
    assert selected == "0-1 2-3 0-2 1-3"


@pytest.mark.parametrize("name", ["quad", "shader"])
def test_without_webgl(opened: Open, name: str) -> None:
    page = opened(PIECES[name]())
    run_first(page, "HTMLCanvasElement.prototype.getContext = () => null;")
    page.reload()
    expect(page.locator(".error, .verdict")).to_contain_text("This browser has no WebGL 2")
