"""The network to build: its check is Python's, and every way to change it leaves what is meant."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Position, expect

from shadersort.drawing.networks import NETWORKS, network
from shadersort.errors import BadOption
from shadersort.keys.types import Integers
from shadersort.web.pieces.network import network_piece, steps_of
from tests.web.conftest import Open

CHECK = """
(networks) => networks.map(([comparators, wires]) =>
    [unsortedInputs(comparators, wires), columnsOf(comparators, wires)])
"""

Pairs = list[tuple[int, int]]


def outputs_of(comparators: Pairs, wires: int) -> Integers:
    """What comes out for each input of zeros and ones, one a row, in binary order."""
    keys = np.arange(1 << wires) >> np.arange(wires)[::-1, np.newaxis] & 1
    keys = keys.astype(np.uint8)
    for low, high in comparators:
        keys[low], keys[high] = np.minimum(keys[low], keys[high]), np.maximum(keys[low], keys[high])
    return keys.T


def unsorted(outputs: Integers) -> list[int]:
    """The inputs, in binary, whose outputs are not in order."""
    found: list[int] = np.flatnonzero(np.any(outputs[:, 1:] < outputs[:, :-1], axis=1)).tolist()
    return found


def some_networks() -> Iterator[tuple[Pairs, int]]:
    """Networks that sort, the same without one comparator or out of order, and random ones."""
    random = np.random.default_rng(0)
    for wires in (2, 4, 8):
        for steps in ([], *(steps_of(network(name, wires)) for name in NETWORKS)):
            whole = [pair for step in steps for pair in step]
            yield whole, wires
            yield whole[::-1], wires
            for gone in random.integers(max(1, len(whole)), size=6):
                yield whole[:gone] + whole[gone + 1 :], wires
        for count in random.integers(1, 5 * wires, size=12):
            lows = random.integers(wires - 1, size=count).tolist()
            yield [(low, int(random.integers(low + 1, wires))) for low in lows], wires


def test_the_check_is_that_of_python(opened: Open) -> None:
    networks = list(some_networks())
    found: Sequence[Any] = opened(network_piece()).evaluate(CHECK, networks)
    for (comparators, wires), (failing, columns) in zip(networks, found, strict=True):
        assert failing == unsorted(outputs_of(comparators, wires))
        for at, pair in enumerate(comparators):  # in the first column in which both wires are free
            earlier = zip(comparators[:at], columns, strict=False)
            before = [column for other, column in earlier if {*other} & {*pair}]
            assert columns[at] == max(before, default=-1) + 1


def text_of(page: Page) -> str:
    pairs = page.evaluate("main.byColumn()")
    return " ".join(f"{low}-{high}" for low, high in pairs)


def place(page: Page, wire: int, step: int) -> Position:
    """A place on a wire before a step, in pixels of the diagram."""
    x, y = page.evaluate(
        "([wire, step]) => [main.diagram.starts[step] - 16, main.diagram.y(wire)]",
        [wire, step],
    )
    return {"x": x, "y": y}


def test_clicks_add_and_remove(opened: Open) -> None:
    page = opened(network_piece(4, [(0, 1), (2, 3), (0, 2), (1, 3)]))
    diagram = page.locator(".diagram")
    expect(page.get_by_role("status")).to_contain_text("4 of 16 inputs of zeros and ones come out")
    diagram.click(position=place(page, 2, 2))
    diagram.click(position=place(page, 1, 2))
    assert text_of(page) == "0-1 2-3 0-2 1-3 1-2"
    expect(page.get_by_role("status")).to_contain_text("5 comparators in 3 steps. It sorts everyth")
    page.locator("[data-comparator='2'] .join").click(position={"x": 0, "y": 12}, force=True)
    assert text_of(page) == "0-1 2-3 1-3 1-2"
    expect(page.get_by_role("status")).to_contain_text("come out unsorted")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert text_of(page) == "0-1 2-3 0-2 1-3"
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.get_by_role("button", name="Clear").click()
    assert text_of(page) == ""
    expect(page.get_by_role("status")).to_contain_text("0 comparators in 0 steps. 11 of 16")


def test_a_mouse_drags_from_wire_to_wire(opened: Open) -> None:
    page = opened(network_piece(4, [(0, 1)]))
    box = page.locator(".diagram").bounding_box()
    assert box
    first, last = place(page, 3, 1), place(page, 1, 1)
    page.mouse.move(box["x"] + first["x"], box["y"] + first["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + last["x"], box["y"] + last["y"], steps=4)
    expect(page.locator(".preview")).to_have_count(1)
    page.mouse.up()
    assert text_of(page) == "0-1 1-3"
    expect(page.locator(".picked, .preview")).to_have_count(0)


def test_keyboard(opened: Open) -> None:
    page = opened(network_piece(4, [(0, 1), (2, 3)]))
    page.locator(".diagram").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    said = page.locator(".said").first
    for key, heard in (
        ("ArrowDown", "Wire 1, after the last step."),
        ("Home", "Wire 1, step 1: comparator 0-1."),
        ("End", "Wire 1, after the last step."),
        ("Enter", "Wire 1 is picked."),
        ("ArrowDown", "Wire 2, after the last step."),
    ):
        page.keyboard.press(key)
        expect(said).to_contain_text(heard)
    expect(page.locator(".cursor, .picked")).to_have_count(2)
    page.keyboard.press(" ")
    assert text_of(page) == "0-1 2-3 1-2"
    expect(said).to_be_empty()
    page.keyboard.press("Delete")
    assert text_of(page) == "0-1 2-3"
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    assert text_of(page) == "0-1"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".picked")).to_have_count(0)


def test_a_failing_input_runs_through_the_diagram(opened: Open) -> None:
    page = opened(network_piece())
    failing = page.locator(".failing button")
    outputs = outputs_of([(0, 1), (2, 3), (0, 2), (1, 3)], 4)
    words = [f"{i:04b} comes out as 0101" for i in unsorted(outputs)]
    assert failing.all_inner_texts() == words
    failing.nth(2).click()
    expect(failing.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(failing.nth(2)).to_be_focused()
    digits = page.locator(".digit").all_text_contents()
    assert "".join(digits) == "100101010101"
    assert page.locator(".wrong").all_text_contents() == ["1", "0"]
    swaps = page.locator(".swaps").all()
    assert [each.get_attribute("data-comparator") for each in swaps] == ["0"]


@pytest.mark.parametrize(("wires", "comparators"), [(5, None), (4, [(0, 4)]), (4, [(1, 0)])])
def test_bad_networks(wires: int, comparators: Pairs | None) -> None:
    with pytest.raises(BadOption):
        network_piece(wires, comparators)
