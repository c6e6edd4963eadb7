"""What holds for each piece: small, alone, and accessible."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import expect

from shadersort.web import pieces
from shadersort.web.piece import Piece
from tests.web.browser import assert_accessible
from tests.web.conftest import Open

PIECES: dict[str, Callable[[], Piece]] = {
    "quad": pieces.quad_piece,
    "network": pieces.network_piece,
    "shader": pieces.shader_piece,
    "sort": lambda: pieces.sort_piece([3, 1, 2, np.nan]),
    "stream": lambda: pieces.stream_piece(window=2),
    "street": pieces.street_piece,
    "outlier": pieces.outlier_piece,
}


@pytest.mark.parametrize("name", PIECES)
def test_it_is_small_and_loads_nothing(name: str) -> None:
    page = PIECES[name]().page
    assert len(page.encode()) < 220_000
    assert "src=" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("name", PIECES)
def test_it_is_accessible(opened: Open, name: str) -> None:
    page = opened(PIECES[name]())
    for closed in page.locator("details:not([open]) > summary").all():
        closed.click()
    assert_accessible(page)
    text = page.locator("textarea:not([readonly])")
    if text.count():
        text.fill("0-1 oops")
        expect(page.locator(".error, .errors li").first).to_contain_text("“")
        assert_accessible(page)


@pytest.mark.parametrize("name", ["quad", "shader", "sort"])
def test_without_webgl(opened: Open, name: str) -> None:
    page = opened(PIECES[name]())
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null;")
    page.reload()
    expect(page.locator(".error, .verdict")).to_contain_text("This browser has no WebGL 2")
