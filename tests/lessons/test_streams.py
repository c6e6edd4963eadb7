"""Series of streams in lessons 7 to 9: each is named by what sorted, and nothing else is said."""

from typing import Any

import pytest

from shadersort.lessons.quantiles import pictures as of_quantiles
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import Record
from shadersort.lessons.sliding.paper_figures import FIGURES, table_of_seconds

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
