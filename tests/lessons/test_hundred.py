"""Lesson 13: its buckets divide keys, its pictures use measured shares, and it times a GPU."""

import numpy as np
import pytest

import modern
from shadersort.lessons import record
from shadersort.lessons.hundred.pictures import edges_of, pivots_of
from shadersort.lessons.hundred.times import table_of_times, times
from shadersort.lessons.shared.reproduced import variant_of
from shadersort.lessons.shared.tables import short


@pytest.mark.parametrize("intervals", [1, 2, 16])
def test_buckets_of_a_sample_cover_it_and_grow(intervals: int) -> None:
    sample = np.random.default_rng(0).standard_normal(1024)
    pivots = pivots_of(sample, intervals)
    edges = edges_of(pivots, 64)
    assert edges.size == 65
    assert (edges[0], edges[-1]) == (sample.min(), sample.max())
    assert (np.diff(edges) > 0).all()
    inside = np.histogram(sample, pivots)[0]
    assert np.ptp(inside) <= 2


def test_both_ways_are_timed_where_a_gpu_would_be() -> None:
    found = times(np, lambda: None, modern.multiselect, 5000, [5, 11], turns=1)
    assert set(found) == {"sort-choose", "bucket-multi"}
    assert all(set(some) == {5, 11} and min(some.values()) > 0 for some in found.values())


def test_times_are_those_of_one_problem_size() -> None:
    recorded = record("reproduce-nvidia-h200")
    shown = table_of_times(recorded)
    rows = recorded.where(table="blanchard-2015-5")
    assert {name.split(", ")[-1] for name, *_ in shown.rows} == {
        "in the paper",
        *map(variant_of, rows),
    }
    (one,) = [
        row
        for row in rows
        if row["of"].items()
        >= {"n": 1 << 28, "ranks": 101, "method": "bucket-multi", "distribution": "uniform"}.items()
        and row["of"]["dtype"] == "float32"
        and variant_of(row) == "improved"
    ]
    column = shown.head.index("101 ranks")
    told = {name: cells[column - 1] for name, *cells in shown.rows}
    assert told["bucketMultiSelect, in the paper"] == short(one["paper"])
    assert told["bucketMultiSelect, improved"] == short(one["measured"])
