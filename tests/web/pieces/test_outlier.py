"""A point to drag: the recorded lines, and the page that shows them."""

from itertools import product
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from shadersort.web.pieces.outlier import ACROSS, POINTS, UP, USUAL, outlier_piece
from tests.web.browser import data_of
from tests.web.conftest import Open

PIECE = outlier_piece()
DATA = data_of(PIECE)
DRAGGED = len(POINTS)


def at(x: float, y: float) -> dict[str, Any]:
    found: dict[str, Any] = DATA["fits"][UP.index(y)][ACROSS.index(x)]
    return found


def test_lines_are_those_of_numpy() -> None:
    for dragged in product(ACROSS[::2], UP[::6]):
        points, found = np.array([*POINTS, dragged]), at(*dragged)
        kept = np.delete(points, found["left out"], axis=0)
        for name, (x, y) in {"least squares": points.T, "least trimmed squares": kept.T}.items():
            np.testing.assert_allclose(found[name], np.polyfit(x, y, 1), atol=1e-4)


def slopes(page: Page) -> list[str]:
    cells = page.get_by_role("region", name="Both lines").locator("tr td:nth-child(2)")
    return cells.all_inner_texts()


def slopes_at(x: float, y: float) -> list[str]:
    found = at(x, y)
    names = ("least squares", "least trimmed squares")
    return [f"{found[name][0]:.2f}".replace("-", "−") for name in names]


def test_sliders_move_the_point(opened: Open) -> None:
    page = opened(PIECE)
    assert slopes(page) == slopes_at(*USUAL)
    expect(page.get_by_role("status")).to_contain_text("weight 13 and length 8.5")
    expect(page.get_by_role("status")).to_contain_text("keeps it")
    page.get_by_label("Weight").press("End")
    page.get_by_label("Length").press("Home")
    expect(page.get_by_role("status")).to_contain_text("weight 14 and length 0")
    expect(page.get_by_role("status")).to_contain_text("leaves it out")
    assert slopes(page) == slopes_at(14, 0)
    page.get_by_role("button", name="Put it back").click()
    assert slopes(page) == slopes_at(*USUAL)
