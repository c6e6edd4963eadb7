"""The benchmarks of rows check every answer, and name every call."""

from typing import Any

import numpy as np
import pytest

from bench import rows, rows_grid
from bench.rows_grid import OURS, READ, Question, are_first, are_keys
from bench.rows_table import in_words, of_data, of_shapes
from bench.shared.machines import opened
from bench.shared.record import Record
from tests.bench.helpers import options_of

KEYS = np.array([[3, 1, 2, 3, 0, 3], [5, 5, 5, 5, 5, 5]], "f4")

gpu = pytest.mark.gpu


@pytest.mark.parametrize("axis", [0, 1])
def test_keys_of_a_rank_are_checked(axis: int) -> None:
    keys = KEYS if axis else KEYS.T
    for count in range(1, 7):
        right = np.sort(KEYS, axis=1)[:, count - 1]
        assert are_keys(np, keys, right, count, axis)
        assert not are_keys(np, keys, right + np.array([0, 1]), count, axis)
        assert not are_keys(np, keys, right - np.array([0.5, 0]), count, axis)
    assert not are_keys(np, keys, np.array([3, 5]), 3, axis)


@pytest.mark.parametrize("axis", [0, 1])
def test_first_keys_are_checked(axis: int) -> None:
    keys = KEYS if axis else KEYS.T

    def answer(places: Any) -> tuple[Any, Any]:
        places = np.array(places)
        values = np.take_along_axis(KEYS, places, 1)
        return (values, places) if axis else (values.T, places.T)

    def right(places: Any, count: int = 4) -> bool:
        return are_first(np, keys, answer(places), count, axis)

    assert right([[0, 3, 5, 2], [0, 1, 2, 3]])
    assert not right([[0, 3, 5, 2], [0, 1, 2, 4]])  # an equal key, not the first
    assert not right([[0, 3, 5, 2], [0, 2, 1, 3]])  # equal keys out of order
    assert not right([[0, 3, 5, 1], [0, 1, 2, 3]])  # a key left out
    assert not right([[2, 0, 3, 5], [0, 1, 2, 3]])  # out of order
    assert not right([[0, 3, 5, 2], [0, 1, 2, 3]], 3)
    values, places = answer([[0, 3, 5, 2], [0, 1, 2, 3]])
    assert not are_first(np, keys, (values + 1, places), 4, axis)


def test_a_wrong_answer_ends_the_benchmark() -> None:
    with pytest.raises(AssertionError, match="select 2 of"):
        Question("select", 2, 1).check(np, KEYS, np.array([9, 9]))


@gpu
def test_the_grid() -> None:
    machine = opened("cuda")
    options = options_of(rows_grid.main, "--keys 2^12 --rows 2^4 --rows 2^8 --repeats 1")
    found = list(rows_grid.measurements(machine, options))
    shapes = {(row["dtype"], row["rows"], row["length"], row["axis"]) for row in found}
    assert len(shapes) == 2 * 2 * 2
    for dtype, count, length, axis in shapes:
        of = [row for row in found if (row["dtype"], row["rows"]) == (dtype, count)]
        asked = {row["what"] for row in of}
        assert {f"select {length // 2}", "topk 1"} <= asked
        for what in asked:
            calls = {row["call"] for row in of if (row["what"], row["axis"]) == (what, axis)}
            assert {OURS, READ, "torch.topk", "torch.sort"} <= calls
            assert ("cupy.partition" in calls) == (dtype == "float32")


@gpu
def test_rows() -> None:
    machine = opened("cuda")
    options = options_of(rows.main, "--quick --turns 1 --repeats 1")
    found = list(rows.measurements(machine, options))
    assert {row["data"] for row in found} >= {"normal", "1% NaN", "geometric", "constant"}
    assert {"median", "nanmedian", "top 10", "top 64", "median, torch"} <= {
        row["what"] for row in found
    }


def test_the_table_of_shapes() -> None:
    shape = {"dtype": "float32", "rows": 16, "length": 256, "axis": 1, "reads": 1.26}
    made = [
        shape | {"what": what, "call": call, "ms": ms}
        for what, calls in {
            "select 128": {OURS: 2.0, READ: 1.0, "torch.topk": 5.0, "torch.sort": 6.0},
            "topk 1": {OURS: 4.0, READ: 1.0, "torch.topk": 2.0},
        }.items()
        for call, ms in calls.items()
    ]
    record = Record("a card", "a day", tuple(made))
    read, _, head, _, line, _, other, _, last, _ = of_shapes(record)
    words = in_words(record)
    assert read == "R is one read of the keys: `torch.amax` of all keys."
    assert head == "| float32, a card | along | select 1 | select 64 | select half |"
    assert line == "| 2^4\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}2^8 | rows | – | – | 1.26 R, 2.5× |"
    assert other == "| float32, a card | along | topk 1 | topk 64 | topk half |"
    assert last.endswith("| rows | 1.26 R, 0.5× | – | – |")
    assert words.startswith("a card, a day: of 2 cells 1 are faster than every other call, and")
    assert f"{1 / 1.5:.2f} of" in words


def test_the_tables_of_data() -> None:
    shape = {"rows": 1024, "length": 64, "axis": 1, "data": "sorted"}
    calls = {"max": 1.0, "median": 2.0, "median, torch": 30.0, "median, cupy": 5.0}
    made = tuple(
        shape | {"what": what, "ms": ms, "reads": ms / calls["max"]} for what, ms in calls.items()
    )
    head, _, line, space = of_data(Record("a card", "a day", made))
    assert head == "| 2^10 rows of 2^6, a card, a day | median |"
    assert (line, space) == ("| sorted | 2 R, 2.5× |", "")
