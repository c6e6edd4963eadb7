"""Every table of the papers is measured again, on few keys, and the record is printed."""

import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern
from bench.papers import TABLES, load
from bench.reproduce import __main__ as reproduce
from bench.reproduce.cells import HOW, RANKS, Line, Wanted, _ranks, lines
from bench.reproduce.phases import BUCKETS, CUTTING_PLANE
from bench.reproduce.timing import Bench
from bench.shared.data import exists, make
from bench.shared.machines import Host
from shadersort.errors import DtypeUnavailable, TooManyKeys, UnknownDataSet
from shadersort.keys import datasets
from shadersort.selection import METHODS
from tests.bench.helpers import options_of, run

FAST = "--device numpy --largest 300 --sizes 2 --ranks 2 --repeats 1 "


def test_every_table_is_measured() -> None:
    assert set(HOW) == set(TABLES)
    options = options_of(reproduce.main, FAST + "--distribution normal")
    found: dict[str, list[Line]] = {}
    for row in reproduce.measurements(Host(), options):
        found.setdefault(row["table"], []).append(Line.of_row(row))
    assert list(found) == list(TABLES)
    for name, some in found.items():
        assert all((line.measured is None) <= bool(line.why) for line in some), name
        assert any(line.measured is not None for line in some)
        assert all(line.n == 300 for line in some if line.measured is not None)
        papers = {str(cell.of): cell.value for cell in load(name).cells()}
        assert all(papers[str(line.of)] == line.paper for line in some)


def test_sizes_are_spread_from_the_smallest_to_the_largest() -> None:
    table = load("beliakov-2011-1")
    sizes = [cell.of["n"] for cell in table.cells(method="bisection")]
    assert Wanted(3, 1 << 30, 1, ()).chosen(table) == {sizes[0], sizes[4], sizes[-1]}
    assert Wanted(99, 1 << 30, 1, ()).chosen(table) == set(sizes)
    assert Wanted(2, 1 << 20, 1, ()).chosen(table) == {1 << 13, 1 << 19}
    assert Wanted(3, 100, 1, ()).chosen(table) == {1 << 13}
    assert Wanted(3, 100, 1, ()).at(1 << 13) == 100


def test_of_fewer_keys_the_time_of_a_key_is_compared() -> None:
    line = Line({"n": 1000}, "ms", paper=10.0, measured=2.0, n=100)
    assert line.ratio == pytest.approx(0.5)
    assert Line({"n": 1000}, "ratio", paper=10.0, measured=2.0, n=100).ratio == 5
    assert Line({"n": 1000}, "ms", paper=10.0).ratio is None


def test_parts_add_up_to_about_the_whole() -> None:
    bench = Bench(Host(), 2)
    parts = bench.parts("cutting-plane", CUTTING_PLANE, "normal", "float32", 5000)
    assert set(parts) == {"iterations", "compaction", "sort"}
    phases = bench.parts("bucket", BUCKETS, "normal", "float32", 50_000, ranks=11)
    named = {cell.of["phase"] for cell in load("blanchard-2015-2").cells()}
    assert set(phases) <= named
    assert {"create-buckets", "assign", "reduce"} <= set(phases)
    assert all(ms > 0 for ms in [*parts.values(), *phases.values()])


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modern, "select", lambda keys, k, method: keys[0])
    with pytest.raises(AssertionError, match="a wrong answer is not timed: radix"):
        Bench(Host(), 1).one("radix", "uniform", "float32", 1000, 500)


def test_each_figure_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Host(), 1)
    first = bench.one("radix", "uniform", "float32", 1000, 500)
    monkeypatch.setattr(modern, "select", None)
    assert bench.one("radix", "uniform", "float32", 1000, 500) == first


def test_what_refuses_so_many_keys_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(keys: Any, k: int, method: str) -> None:
        raise TooManyKeys("too many for one thread")

    monkeypatch.setattr(modern, "select", refuse)
    found = lines(Bench(Host(), 1), load("beliakov-2011-1"), Wanted(1, 300, 1, ("uniform",)))
    refused = [line for line in found if line.why == "too many for one thread"]
    assert "quickselect-serial" in {line.of["method"] for line in refused}
    assert all((line.measured, line.n, line.ratio) == (None, None, None) for line in refused)


def test_bucket_is_compared_with_a_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Host(), 1)

    def ms(method: str, distribution: str, dtype: str, n: int, count: int) -> float:
        return 10.0 if method == "sort-choose" else 0.01 * count

    monkeypatch.setattr(bench, "many", ms)
    found = lines(bench, load("blanchard-2015-1"), Wanted(1, 300, 1, ()))
    assert all(900 < (line.measured or 0) <= 1000 for line in found)


def test_memory_in_units_of_the_keys() -> None:
    """NumPy sorts a copy: two arrays, and little else."""
    found = Bench(Host(), 1).memory("sort-choose", "uniform", "float64", 1 << 18)
    assert found == pytest.approx(2, abs=0.02)


def test_a_record_is_written_and_printed(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    chosen = "--table alabi-2012-9 --table beliakov-2011-1 --distribution uniform"
    printed = run(reproduce.main, f"{FAST} {chosen} --output {path}")
    record = json.loads(path.read_text())
    assert {row["table"] for row in record["rows"]} == {"alabi-2012-9", "beliakov-2011-1"}
    assert {"date", "commit", "versions", "device", "host"} <= set(record)
    assert run(reproduce.main, f"--read {path}") == printed
    assert "Beliakov 2011, table I: mean time to find the median of float32" in printed
    assert "at 300, ratio of a key; 1 of 9 data sets" in printed
    assert "at 300; 2 of 25 ranks" in printed
    assert "'some' is not a number of keys" in run(reproduce.main, "--largest some", code=2)


def test_data_have_the_names_and_the_look_of_the_data_sets() -> None:
    n = 30_001
    for name, dtype in product(datasets.DATASETS, ("float32", "float64", "int32", "uint64")):
        if not exists(name, dtype):
            with pytest.raises(DtypeUnavailable):
                make(np, name, 10, dtype=dtype)
            continue
        keys, same = (make(np, name, n, dtype=dtype, seed=3) for _ in range(2))
        np.testing.assert_array_equal(keys, same)
        assert (keys.dtype, keys.size) == (dtype, n)
        reference = datasets.make(name, n, dtype=dtype, seed=3)
        spread = float(np.subtract(*np.quantile(reference.astype(float), [0.8, 0.2])))
        for share in (0.1, 0.25, 0.75, 0.9):  # a mixture may have its gap at the median
            one, other = (np.quantile(some.astype(float), share) for some in (keys, reference))
            assert math.isclose(one, other, rel_tol=0.06, abs_tol=0.06 * spread), (name, share)
    with pytest.raises(UnknownDataSet, match="use 'uniform'"):
        make(np, "anything", 10)


def test_ranks_are_the_papers() -> None:
    every = _ranks(1000, RANKS)
    assert len(every) == RANKS == 25
    assert every[:4] == [1, 9, 24, 49]
    assert every[-3:] == [974, 989, 998]


def test_methods_of_the_tables_are_those_that_there_are() -> None:
    cells = [cell.of for name in TABLES for cell in load(name).cells()]
    named = {of[key] for of in cells for key in of if key in ("method", "faster")}
    assert named - {"bucket-multi"} <= set(METHODS)
