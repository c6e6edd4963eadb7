"""Lessons 7 to 9: entries bound the ranks of their keys; series are named by what sorted."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort import QuantileSummary
from shadersort.lessons.quantiles import entries as lesson
from shadersort.lessons.quantiles import pictures as of_quantiles
from shadersort.lessons.quantiles.pictures import worst_error
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import Record
from shadersort.lessons.sliding.paper_figures import FIGURES, table_of_seconds

VALUES = st.lists(st.integers(0, 40), min_size=1, max_size=8)


def assert_bounds(entries: lesson.Entries, values: list[int], most: int) -> None:
    """Every count lies within its bounds, and no bounds are further apart than so much."""
    points = np.arange(-1, 42)
    low, high = lesson.bounds_of(entries, points)
    true = np.searchsorted(np.sort(values), points, side="right")
    assert np.all((low <= true) & (true <= high))
    assert np.max(high - low) <= most
    assert entries.n == len(values)


@given(VALUES, VALUES, st.integers(1, 4), st.integers(1, 6))
def test_entries_bound_ranks(a: list[int], b: list[int], step: int, thinner: int) -> None:
    a, b = a * step, b * step
    one, other = lesson.sampled(np.array(a), step), lesson.sampled(np.array(b), step)
    assert_bounds(one, a, step - 1)
    union = lesson.united_entries(one, other)
    assert_bounds(union, a + b, 2 * (step - 1))
    assert_bounds(lesson.compressed(union, thinner), a + b, 2 * (step - 1) + thinner - 1)


def test_the_worst_error_of_an_exact_summary_is_none_and_of_a_wrong_one_is_found() -> None:
    stream = np.random.default_rng(0).integers(0, 50, 1_000)
    summary = QuantileSummary(0.005)
    summary.update(stream)
    assert worst_error(summary, np.sort(stream)) == 0
    shifted = np.concatenate([np.full(300, -1), np.sort(stream)[:-300]])
    assert worst_error(summary, shifted) > 200


OF = {"workload": "quantiles", "dtype": "float16", "keys": 10**8}
LABELS = {
    "numpy": "NumPy, 16 threads, float16",
    "pbsn-blend": "pbsn, blend, float16, NVIDIA H200",
    "pbsn-compute": "pbsn, compute, float16, NVIDIA H200",
    "bitonic-compute": "bitonic, compute, float16, NVIDIA H200",
    "cuda": "CUDA, float16, NVIDIA H200",
}


def row(sorter: str, speed: float, **more: Any) -> dict[str, Any]:
    measured = {"mvalues_per_s": speed, "epsilon": 0.01, "sort_share": 0.5}
    return {**OF, "sorter": sorter, **measured, **more}


RECORDED = Record(
    "x",
    "NVIDIA H200",
    "2026-11-22",
    "…",
    (
        *(row(each, 1000 / at, label=LABELS[each]) for at, each in enumerate(LABELS, start=1)),
        row("numpy", 1, method="np.sort of the windows"),  # a peer
        row("by-size", 2, label=LABELS["numpy"]),
    ),
    {"cpu": "Xeon", "cores": 16},
)


def test_series_are_named_by_what_sorted_and_what_ran_twice_is_drawn_once() -> None:
    found = streams.series(RECORDED, **OF)
    assert list(found) == [label.replace(", NVIDIA H200", "") for label in LABELS.values()]
    assert all(len(rows) == 1 for rows in found.values())
    assert streams.one(found, streams.NUMPY)[0]["sorter"] == "numpy"
    assert streams.machines(RECORDED) == "NVIDIA H200 and Xeon, 16 cores, recorded 2026-11-22"


def test_only_blending_is_called_drawing() -> None:
    found = streams.series(RECORDED, **OF)
    (drawn,) = streams.one(found, streams.BLENDED)
    assert drawn["sorter"] == "pbsn-blend"
    numpy = streams.one(found, streams.NUMPY)
    assert streams.times_as_long([drawn], numpy) == [2.0]
    without = {name: rows for name, rows in found.items() if "blend" not in name}
    with pytest.raises(ValueError, match="not enough values"):
        streams.one(without, streams.BLENDED)


def test_seconds_are_told_for_each_error() -> None:
    shown = streams.seconds_table(streams.series(RECORDED, **OF), "seconds")
    assert shown.head == ("", "ε = 0.01")
    assert shown.rows[:2] == (
        ("NumPy, 16 threads, float16", "0.1"),
        ("pbsn, blend, float16", "0.2"),
    )


def test_an_asterisk_marks_a_window_that_is_kept_whole() -> None:
    found = FIGURES[0].series(FIGURES[0].window)
    shown = table_of_seconds(FIGURES[0].number)
    cells = {name.partition("; n fixed")[0]: row for name, *row in shown.rows if "n fixed" in name}
    for label, rows in found.items():
        marked = sorted(row["epsilon"] for row in rows if row.get("sort_share") is None)
        told = zip(shown.head[1:], cells[label], strict=True)
        stars = sorted(float(head.removeprefix("ε = ")) for head, cell in told if "*" in cell)
        assert stars == marked
    assert "*" in shown.caption
    assert "*" not in of_quantiles.table_of_seconds().caption
