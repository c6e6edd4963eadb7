"""Houses on a street: the recorded steps of cutting planes, and the page that shows them."""

from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from shadersort.web.pieces.street import HOUSES, PLACES, record_search, street_piece
from tests.web.conftest import Open

RECORDED = {place: record_search(HOUSES, float(place)) for place in PLACES}
VARIANTS = ("as printed", "improved")
HOUSE = "The house that you drag"


@pytest.mark.parametrize("variant", VARIANTS)
def test_proved_answers_are_the_median(variant: str) -> None:
    """Lines touch the objective from below, and hold the median."""
    for place, recorded in RECORDED.items():
        keys, heights = np.array([*HOUSES, place]), dict(recorded["corners"])
        assert recorded["median"] == np.sort(keys)[len(keys) // 2]
        proved = recorded[variant]["proved"]
        assert not proved or recorded[variant]["answer"] == recorded["median"]
        for step in recorded[variant]["steps"]:
            for line, house in product((step.left, step.right), HOUSES):
                assert line.height + line.slope * house <= heights[house] + 1e-6
            assert not proved or step.left.place <= recorded["median"] <= step.right.place


def test_only_as_printed_is_refuted() -> None:
    assert all(recorded["improved"]["proved"] for recorded in RECORDED.values())
    refuted = {place for place, each in RECORDED.items() if not each["as printed"]["proved"]}
    assert {place for place in refuted if place < 1e17} == {10}  # two houses at the median
    assert {1e18, 1e19, 1e20} <= refuted
    assert 10**9 not in refuted


EACH_STEP = """
(slider) => Array.from({ length: Number(slider.max) + 1 }, (_, step) => {
    slider.value = step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const told = document.querySelector("svg[data-pivot]").getAttribute("data-pivot");
    return [told, document.querySelector(".caption").innerText];
})
"""
"""Moves the slider to each step; returns the pivot and the caption there."""


def test_steps_are_the_recorded_ones(opened: Open) -> None:
    page = opened(street_piece())
    for place, variant in product((0, 60, 600, 10**9, 10**20), VARIANTS):
        page.get_by_role("slider", name=HOUSE).fill(str(PLACES.index(place)))
        assert_steps(page, place, variant)


def assert_steps(page: Page, place: int, variant: str) -> None:
    recorded = RECORDED[place][variant]
    steps = recorded["steps"]
    page.get_by_label("as printed in 2011" if variant == "as printed" else "improved").check()
    slider = page.get_by_role("slider", name="Step", exact=True)
    assert slider.get_attribute("max") == str(len(steps) - 1)
    for step, (told, words) in zip(steps, slider.evaluate(EACH_STEP), strict=True):
        assert told == "null" if step.pivot is None else float(str(told)) == step.pivot
        if step.counts:
            below, equal, above = step.counts
            assert f"{below} below, {equal} equal, {above} above" in words
    expect(page.locator(".caption")).to_contain_text("proved" if recorded["proved"] else "refuted")
    expect(page.get_by_role("region", name="Steps").locator("tr")).to_have_count(
        len(steps) + 1 + (recorded["left_out"] > 0)
    )


def test_the_house_moves_by_keys(opened: Open) -> None:
    page = opened(street_piece())
    house = page.get_by_role("slider", name=HOUSE)
    house.fill(str(PLACES.index(60)))
    house.press("ArrowLeft")
    expect(page.get_by_role("status")).to_contain_text("The house stands at 58: the mean is 16.73")
    house.press("End")
    assert house.input_value() == str(len(PLACES) - 1)
    cells = page.get_by_role("region", name="Both variants").locator("tr:not(:first-child) > *")
    assert cells.all_inner_texts() == [
        *("as printed", "100", "103", "0, refuted"),
        *("improved", "4", "8", "10, proved"),
    ]
    assert "multiple of 16384" in page.locator(".why").inner_text()
