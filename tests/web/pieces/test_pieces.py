"""What holds for each piece: small, alone, accessible, and at work in a notebook's frame."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from shadersort.web.piece import Piece
from shadersort.web.pieces import network_piece, quad_piece, shader_piece
from tests.web.pieces.conftest import Open
from tests.web.quiet import assert_accessible, run_first

PIECES: dict[str, Callable[[], Piece]] = {
    "quad": quad_piece,
    "network": network_piece,
    "shader": shader_piece,
}


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
    if name == "shader":
        page.locator("textarea").fill("oops")
        expect(page.locator(".errors li").first).to_contain_text("“")
        assert_accessible(page)


@pytest.mark.parametrize("name", ["quad", "shader"])
def test_without_webgl(opened: Open, name: str) -> None:
    page = opened(PIECES[name]())
    run_first(page, "HTMLCanvasElement.prototype.getContext = () => null;")
    page.reload()
    expect(page.locator(".error, .verdict")).to_contain_text("This browser has no WebGL 2")
