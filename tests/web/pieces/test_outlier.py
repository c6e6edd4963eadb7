"""A point to drag: the recorded lines, and the page that shows them."""

from itertools import product
from typing import Any

import numpy as np
from playwright.sync_api import expect

from shadersort.web.pieces.outlier import ACROSS, POINTS, UP, USUAL, outlier_piece
from tests.web.browser import data_of
from tests.web.conftest import Open

PIECE = outlier_piece()
DATA = data_of(PIECE)


def lines_at(x: float, y: float) -> dict[str, Any]:
    found: dict[str, Any] = DATA["fits"][UP.index(y)][ACROSS.index(x)]
    return found


def test_lines_are_those_of_numpy() -> None:
    for dragged in product(ACROSS[::2], UP[::6]):
        points, found = np.array([*POINTS, dragged]), lines_at(*dragged)
        kept = np.delete(points, found["left out"], axis=0)
        for name, (x, y) in {"least squares": points.T, "least trimmed squares": kept.T}.items():
            np.testing.assert_allclose(found[name], np.polyfit(x, y, 1), atol=1e-4)


def test_sliders_move_the_point(opened: Open) -> None:
    page = opened(PIECE)
    slopes = page.get_by_role("region", name="Both lines").locator("tr td:nth-child(2)")
    status = page.get_by_role("status")

    def assert_shown(x: float, y: float, words: str) -> None:
        found = lines_at(x, y)
        both = [f"{found[name][0]:.2f}" for name in ("least squares", "least trimmed squares")]
        expect(status).to_contain_text(f"weight {x:g} and length {y:g}")
        expect(status).to_contain_text(words)
        assert slopes.all_inner_texts() == [each.replace("-", "−") for each in both]

    assert_shown(*USUAL, "keeps it")
    page.get_by_label("Weight").press("End")
    page.get_by_label("Length").press("Home")
    assert_shown(14, 0, "leaves it out")
    page.get_by_role("button", name="Put it back").click()
    assert_shown(*USUAL, "keeps it")
