"""The papers' tables: sums and ratios hold in the data. `test_claims.py` has the texts' claims."""

from typing import Any

import numpy as np
import pytest

from bench.papers import TABLES, Table, load
from shadersort.keys.datasets import DATASETS

BELIAKOV = ["beliakov-2011-1", "beliakov-2011-2"]
TIMES = [f"alabi-2012-{number}" for number in range(2, 7)]
EMPTY = {**dict.fromkeys(BELIAKOV, 7), "alabi-2012-7": 4, "alabi-2012-9": 2}
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def value(table: Table, **of: Any) -> float:
    found = table.value(**of)
    assert found is not None
    return found


def mean(table: Table, method: str, n: int) -> float:
    return value(table, method=method, n=n, statistic="mean")


def test_every_table_that_was_to_be_there() -> None:
    numbers = {"beliakov-2011": 2, "alabi-2012": 9, "blanchard-2015": 5}
    expected = [f"{paper}-{i}" for paper, last in numbers.items() for i in range(1, last + 1)]
    assert set(TABLES) == set(expected)
    for name in TABLES:
        assert load(name).table == ROMAN[int(name.rsplit("-", 1)[1]) - 1]


def test_each_cell_is_a_number_and_is_of_one_thing() -> None:
    for table in map(load, TABLES):
        cells = list(table.cells())
        assert len({tuple(sorted(cell.of.items())) for cell in cells}) == len(cells)
        assert sum(cell.value is None for cell in cells) == EMPTY.get(table.name, 0)
        assert all(cell.value >= 0 for cell in cells if cell.value is not None)
        assert all([table.fact, table.unit, table.device])
        for cell in cells:
            assert cell.of.get("distribution", "uniform") in DATASETS
            assert cell.of.get("data", "power") in DATASETS
            np.dtype(cell.of.get("dtype", "float32"))
            assert cell.of.get("n", 1) >= 1


def test_a_cell_that_is_not_there_or_not_alone() -> None:
    for n, found in ((3, "0 cells"), (1 << 17, "9 cells")):
        with pytest.raises(KeyError, match=found):
            load("alabi-2012-2").value(n=n)


def test_beliakovs_totals_are_the_sums_of_their_parts() -> None:
    parts = {"quickselect": "copy algorithm", "cutting-plane": "iterations compaction sort"}
    for table in map(load, BELIAKOV):
        for method, its in parts.items():
            for total in table.cells(method=method, part="total"):
                if total.value is not None:
                    n = total.of["n"]
                    added = sum(value(table, method=method, part=part, n=n) for part in its.split())
                    assert added == pytest.approx(total.value, abs=0.021)


def test_alabis_speed_ups_are_ratios_of_the_means() -> None:
    ratios = load("alabi-2012-7")
    for times in map(load, TIMES):
        of = {key: times.columns[0][key] for key in ("dtype", "distribution")}
        misprinted = of == {"dtype": "float64", "distribution": "normal"}
        for n in {cell.of["n"] for cell in times.cells()}:
            methods = ("sort-choose", "radix", "bucket")
            sorting, radix, bucket = (mean(times, each, n) for each in methods)
            printed = value(ratios, faster="bucket", n=n, **of)
            assert printed == pytest.approx(sorting / bucket, abs=4e-4)
            printed = value(ratios, faster="radix", n=n, **of)
            ratio = radix / bucket if misprinted else sorting / radix
            assert printed == pytest.approx(ratio, abs=4e-4), "the note names the wrong column"


def test_blanchards_phases_add_up_to_his_times() -> None:
    phases, times = load("blanchard-2015-2"), load("blanchard-2015-5")
    compared = 0
    for row in phases.rows:
        of = dict(zip(phases.index, row, strict=False))
        for cell in times.cells(distribution="uniform", method="bucket-multi", **of):
            assert sum(row[3:]) == pytest.approx(cell.value, rel=0.01)
            compared += 1
    assert compared == 12
