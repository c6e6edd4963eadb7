"""The stream that flows into lossy counting: its recorded states, and the page that shows them."""

from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from shadersort.keys.types import Integers
from shadersort.streams import FrequencySummary
from shadersort.web.pieces.stream import (
    BUCKETS,
    LETTERS,
    SUMMARIES,
    stream_piece,
    two_streams,
    window_states,
)
from tests.web.browser import data_of
from tests.web.conftest import Open

STREAMS = two_streams()
PIECE = stream_piece()
DATA = data_of(PIECE)
BARS = """
() => Object.fromEntries([...document.querySelectorAll("[data-item]")].map(({ dataset }) =>
    [dataset.item, [Number(dataset.f), Number(dataset.missed)]]))
"""


def manku_motwani(stream: Integers, bucket: int) -> dict[int, tuple[int, int]]:
    """Count value after value, as the paper of 2002 does."""
    held: dict[int, tuple[int, int]] = {}
    for seen, value in enumerate(stream.tolist(), start=1):
        count, missed = held.get(value, (0, -(-seen // bucket) - 1))
        held[value] = count + 1, missed
        if seen % bucket == 0:
            held = {item: two for item, two in held.items() if sum(two) > seen // bucket}
    return held


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("bucket", BUCKETS)
def test_states_are_those_of_the_papers(name: str, bucket: int) -> None:
    stream = STREAMS[name]
    improved, printed = (window_states(stream, bucket, kind) for kind in SUMMARIES.values())
    for number, (row, also) in enumerate(zip(improved, printed, strict=True), start=1):
        part = stream[: number * bucket]
        expected = manku_motwani(part, bucket)
        found = zip(row["held"], row["missed_now"], strict=True)
        assert {item: two for item, two in enumerate(found) if two[0]} == expected
        summary = FrequencySummary(1 / bucket, as_printed=True).update(part)
        assert also["held"] == summary.estimate(np.arange(len(LETTERS))).tolist()


def test_pairs_are_never_dropped_as_printed() -> None:
    rows = DATA["summaries"]["pairs, 8, as printed"]
    assert [row["dropped"] for row in rows] == [[]] * len(rows)
    assert any(row["dropped"] for row in DATA["summaries"]["pairs, 8, improved"])


@pytest.mark.parametrize("name", STREAMS)
def test_bars_are_the_recorded_entries(opened: Open, name: str) -> None:
    page = opened(PIECE)
    for bucket, variant in product(BUCKETS, SUMMARIES):
        assert_bars(page, name, bucket, variant)


def assert_bars(page: Page, name: str, bucket: int, variant: str) -> None:
    page.get_by_label(name).check()
    page.get_by_label(f"1/{bucket}", exact=True).check()
    page.get_by_label("printed" if variant == "as printed" else "Motwani").check()
    rows = DATA["summaries"][f"{name}, {bucket}, {variant}"]
    slider = page.get_by_label("Step", exact=True)
    for window in (0, 3, len(rows) - 1):
        row = rows[window]
        entries = {
            letter: [f, missed]
            for letter, f, missed in zip(LETTERS, row["merged"], row["missed"], strict=True)
            if f
        }
        slider.fill(str(4 * window + 2))
        assert page.evaluate(BARS) == entries
        told = f"window {window + 1} of {len(rows)} · merge"
        expect(page.locator(".caption")).to_contain_text(told)
        slider.fill(str(4 * window + 3))
        hatched = page.locator('[data-item][fill="url(#dropped)"]')
        found = hatched.evaluate_all("(bars) => bars.map((bar) => bar.dataset.item)")
        assert found == [LETTERS[item] for item in row["dropped"]]
        slider.fill(str(4 * window + 4))
        assert set(page.evaluate(BARS)) == {LETTERS[i] for i, f in enumerate(row["held"]) if f}


def test_a_window_is_sorted_and_becomes_a_histogram(opened: Open) -> None:
    page = opened(PIECE)
    window = STREAMS["a new favourite at half-time"][:8]
    names = ("as it came", "sorted", "histogram")
    came, ordered, counted = (page.locator(f'[aria-label^="{name}"]') for name in names)
    expect(came).to_have_text("".join(LETTERS[item] for item in window))
    expect(ordered).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(ordered).to_have_text("".join(LETTERS[item] for item in np.sort(window)))
    items, counts = np.unique(window, return_counts=True)
    expected = [f"{LETTERS[i]} × {n}" for i, n in zip(items, counts, strict=True)]
    expect(counted).to_have_text("".join(expected))
