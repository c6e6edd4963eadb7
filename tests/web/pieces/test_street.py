"""Houses on a street: the recorded steps of cutting planes, and the page that shows them."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from shadersort.web.pieces.street import HOUSES, PLACES, record_search, street_piece
from tests.web.conftest import Open

DATA = {"places": [record_search(HOUSES, float(place)) for place in PLACES]}
PIECE = street_piece()
VARIANTS = ("as printed", "improved")


def at(place: float) -> dict[str, Any]:
    found: dict[str, Any] = DATA["places"][PLACES.index(place)]
    return found


def caption(page: Page) -> str:
    return page.locator(".caption").inner_text()


def house(page: Page) -> Any:
    return page.get_by_role("slider", name="The house that you drag")


def to_place(page: Page, place: float) -> None:
    house(page).fill(str(PLACES.index(place)))


@pytest.mark.parametrize("variant", VARIANTS)
def test_proved_answers_are_the_median(variant: str) -> None:
    for recorded in DATA["places"]:
        keys = np.array([*HOUSES, recorded["place"]])
        assert recorded["median"] == np.sort(keys)[len(keys) // 2]
        if recorded[variant]["proved"]:
            assert recorded[variant]["answer"] == recorded["median"]


def test_only_as_printed_is_refuted() -> None:
    assert all(recorded["improved"]["proved"] for recorded in DATA["places"])
    refuted = [each["place"] for each in DATA["places"] if not each["as printed"]["proved"]]
    assert {place for place in refuted if place < 1e17} == {10}  # two houses at the median
    assert {1e18, 1e19, 1e20} <= set(refuted)
    assert at(10**9)["as printed"]["proved"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_lines_touch_from_below_and_hold_the_median(variant: str) -> None:
    for recorded in DATA["places"]:
        heights = dict(recorded["corners"])
        for step in recorded[variant]["steps"]:
            for line in (step.left, step.right):
                for place in HOUSES:
                    assert line.height + line.slope * place <= heights[place] + 1e-6
            if recorded[variant]["proved"]:
                assert step.left.place <= recorded["median"] <= step.right.place


def test_steps_are_the_recorded_ones(opened: Open) -> None:
    page = opened(PIECE)
    for place in (0, 60, 600, 10**9, 10**20):
        to_place(page, place)
        for variant in VARIANTS:
            assert_steps(page, place, variant)


EACH_STEP = """
(slider) => Array.from({ length: Number(slider.max) + 1 }, (_, step) => {
    slider.value = step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const told = document.querySelector("svg[data-pivot]").getAttribute("data-pivot");
    return [told, document.querySelector(".caption").innerText];
})
"""
"""Moves the slider to each step; returns the pivot and the caption there."""


def assert_steps(page: Page, place: int, variant: str) -> None:
    page.get_by_label("as printed in 2011" if variant == "as printed" else "improved").check()
    steps = at(place)[variant]["steps"]
    slider = page.get_by_role("slider", name="Step", exact=True)
    assert slider.get_attribute("max") == str(len(steps) - 1)
    for step, (told, words) in zip(steps, slider.evaluate(EACH_STEP), strict=True):
        assert told == "null" if step.pivot is None else float(str(told)) == step.pivot
        if step.counts:
            below, equal, above = step.counts
            assert f"{below} below, {equal} equal, {above} above" in words
    assert ("proved" if at(place)[variant]["proved"] else "refuted") in caption(page)
    expect(page.get_by_role("region", name="Steps").locator("tr")).to_have_count(
        len(steps) + 1 + (at(place)[variant]["left_out"] > 0)
    )


def rows(page: Page) -> list[list[str]]:
    table = page.get_by_role("region", name="Both variants").locator("tr").all()
    return [row.locator("th, td").all_inner_texts() for row in table[1:]]


def test_the_house_moves_by_keys(opened: Open) -> None:
    page = opened(PIECE)
    to_place(page, 60)
    house(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text("The house stands at 58: the mean is 16.73")
    page.keyboard.press("End")
    assert house(page).input_value() == str(len(PLACES) - 1)
    assert rows(page) == [
        ["as printed", "100", "103", "0, refuted"],
        ["improved", "4", "8", "10, proved"],
    ]
    assert "multiple of 16384" in page.locator(".why").inner_text()
