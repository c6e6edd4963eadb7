"""Every table of the papers is measured again, on few keys, and the record is printed."""

import json
import math
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern
from bench.papers import TABLES, load
from bench.reproduce import __main__ as reproduce
from bench.reproduce.__main__ import HOW
from bench.reproduce.alabi_2012 import RANKS, ranks
from bench.reproduce.lines import Line, Wanted, lines, method_of
from bench.reproduce.phases import (
    BUCKETS,
    BUCKETS_AS_PRINTED,
    CUTTING_PLANE,
    Clock,
    clocked,
)
from bench.reproduce.timing import Bench, Timed
from bench.shared.data import exists, make
from bench.shared.machines import Host
from bench.shared.versions import VARIANTS, Version, versions
from shadersort.errors import DtypeUnavailable, TooManyKeys, UnknownDataSet
from shadersort.keys import datasets
from shadersort.selection import METHODS, select_many
from shadersort.selection.primitives import NumPyPrimitives
from tests.bench.helpers import options_of, run

FAST = "--device numpy --largest 300 --sizes 2 --ranks 2 --vectors 1 --repeats 1 "


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
    assert Wanted(3, 1 << 30, 1, 1, ()).chosen(table) == {sizes[0], sizes[4], sizes[-1]}
    assert Wanted(99, 1 << 30, 1, 1, ()).chosen(table) == set(sizes)
    assert Wanted(2, 1 << 20, 1, 1, ()).chosen(table) == {1 << 13, 1 << 19}
    assert Wanted(3, 100, 1, 1, ()).chosen(table) == {1 << 13}
    assert Wanted(3, 100, 1, 1, ()).at(1 << 13) == 100


def test_of_fewer_keys_the_time_of_a_key_is_compared() -> None:
    line = Line({"n": 1000}, "improved", "ms", paper=10.0, measured=2.0, n=100)
    assert line.ratio == pytest.approx(0.5)
    assert Line({"n": 1000}, "improved", "ratio", paper=10.0, measured=2.0, n=100).ratio == 5
    assert Line({"n": 1000}, "improved", "ms", paper=10.0).ratio is None


def test_parts_add_up_to_about_the_whole() -> None:
    bench = Bench(Host(), 2)
    for version in versions("cutting-plane"):
        parts, whole = bench.parts(version, CUTTING_PLANE, "normal", "float32", 5000)
        assert set(parts) == {"iterations", "compaction", "sort"}
        assert (whole.label, whole.fault) == (f"cutting-plane, {version.variant}", "")
        assert whole.ms == pytest.approx(sum(parts.values()))
    named = {cell.of["phase"] for cell in load("blanchard-2015-2").cells()}
    for version, known in zip(versions("bucket"), (BUCKETS_AS_PRINTED, BUCKETS), strict=True):
        phases, _ = bench.parts(version, known, "normal", "float32", 50_000, ranks=11)
        assert set(phases) <= named
        assert {"create-buckets", "assign", "reduce"} <= set(phases)
        assert all(ms > 0 for ms in phases.values())


def test_no_pause_before_the_sort_belongs_to_it() -> None:
    """What the host does after the extent is no part of the sort that ends the method."""
    keys = datasets.make("normal", 5000, dtype="float32")
    ranks = datasets.ranks("uniform", 5000, 11)
    ends = {"sort", "take", "ranked", "reduced_to_segments", "of_buckets"}
    for version, known in zip(versions("bucket"), (BUCKETS_AS_PRINTED, BUCKETS), strict=True):
        clock = Clock(Host())
        find: Any = (
            version.unproved if version.as_printed else partial(select_many, method="bucket")
        )
        find(clocked(NumPyPrimitives(keys), clock), ranks)
        rest = {name.removeprefix("after ") for name in clock.spent if name not in known.of}
        assert "sort" in rest or "ranked" in rest
        assert rest <= ends


def test_the_power_readings_are_selected_from_with_their_own_cutoff(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[Version] = []
    many = Bench.many

    def told(bench: Bench, version: Version, *of: Any) -> Timed:
        ran.append(version)
        return many(bench, version, *of)

    monkeypatch.setattr(Bench, "many", told)
    options = options_of(reproduce.main, FAST + "--table blanchard-2015-4")
    assert list(reproduce.measurements(Host(), options))
    asked = {each.options for each in ran if each.method == "bucket" and each.as_printed}
    assert asked == {(("alpha_1", 1200),)}
    assert {each.options for each in ran if each.method != "bucket" or not each.as_printed} == {()}


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = modern.select

    def wrong(keys: Any, k: int, return_trace: bool = False, **given: Any) -> Any:
        _, trace = right(keys, k, return_trace=True, **given)
        return (keys[0], trace) if return_trace else keys[0]

    monkeypatch.setattr(modern, "select", wrong)
    with pytest.raises(AssertionError, match=r"a wrong answer is not timed: .*radix"):
        Bench(Host(), 1).one(Version("radix"), "uniform", "float32", 1000, 500)
    with pytest.raises(AssertionError, match=r"a wrong answer is not timed: .*radix"):
        Bench(Host(), 1).over_ranks(Version("radix"), "uniform", "float32", 1000, (1, 2), 1)


def test_a_refuted_answer_is_timed_and_named() -> None:
    """The cutting plane as printed loses a key of many, at the end of its interval."""
    printed, ours = versions("cutting-plane")
    found = Bench(Host(), 1).one(printed, "discrete", "float32", 1000, 900)
    assert (found.label, found.fault) == ("cutting-plane, as printed", "AnswerRefuted")
    assert found.ms > 0
    assert not Bench(Host(), 1).one(ours, "discrete", "float32", 1000, 900).fault


class SlowAtFirst(Host):
    """NumPy, whose first call takes some seconds by the clock, as if it compiled kernels."""

    def __init__(self, slow: float) -> None:
        self.slow, self.calls = slow, 0

    def timed(self, call: Callable[[], Any]) -> tuple[float, Any]:
        self.calls += 1
        return 1e3 * self.slow if self.calls == 1 else 2.0, call()


def test_a_first_call_that_compiles_is_not_the_time() -> None:
    machine = SlowAtFirst(1.5)
    assert Bench(machine, 1).one(Version("radix"), "uniform", "float32", 1000, 500).ms == 2
    endless = SlowAtFirst(9)
    assert Bench(endless, 3).one(Version("radix"), "uniform", "float32", 1000, 500).ms == 9e3
    assert endless.calls == 1


def test_each_rank_of_each_vector_has_a_time() -> None:
    for version in versions("bucket"):
        found = Bench(Host(), 1).over_ranks(version, "normal", "float32", 1000, (1, 500, 998), 2)
        assert len(found.ms) == 6
        assert found.label == f"bucket, {version.variant}"
        assert not found.faults
    refuted = Bench(Host(), 1).over_ranks(
        versions("cutting-plane")[0], "discrete", "float32", 1000, (998, 999), vectors=3
    )
    assert refuted.faults["AnswerRefuted"] >= 3


def test_each_figure_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Host(), 1)
    first = bench.one(Version("radix"), "uniform", "float32", 1000, 500)
    monkeypatch.setattr(modern, "select", None)
    assert bench.one(Version("radix"), "uniform", "float32", 1000, 500) == first


def test_what_refuses_so_many_keys_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(keys: Any, k: int, **given: Any) -> None:
        raise TooManyKeys("too many for one thread")

    monkeypatch.setattr(modern, "select", refuse)
    of: Any = load("beliakov-2011-1"), Wanted(1, 300, 1, 1, ("uniform",)), HOW["beliakov-2011-1"]
    found = lines(Bench(Host(), 1), *of)
    refused = [line for line in found if line.why == "too many for one thread"]
    assert "quickselect-serial" in {line.of["method"] for line in refused}
    assert all((line.measured, line.n, line.ratio) == (None, None, None) for line in refused)


def test_bucket_is_compared_with_a_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Host(), 1)

    def ms(version: Version, distribution: str, dtype: str, n: int, count: int) -> Timed:
        return Timed(10.0 if version.method == "sort-choose" else 0.01 * count, "", "")

    monkeypatch.setattr(bench, "many", ms)
    table = load("blanchard-2015-1")
    found = list(lines(bench, table, Wanted(1, 300, 1, 1, ()), HOW[table.name]))
    assert [line.variant for line in found[:2]] == list(VARIANTS)
    assert all(900 < (line.measured or 0) <= 1000 for line in found)


def test_memory_in_units_of_the_keys() -> None:
    """NumPy sorts a copy: two arrays, and little else."""
    found = Bench(Host(), 1).memory(Version("sort-choose"), "uniform", "float64", 1 << 18)
    assert found.ms == pytest.approx(2, abs=0.02)
    assert Bench(Host(), 1).memory_of_sort("uniform", "float64", 1 << 18) < 1.02


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
    assert "at 300; 2 ranks where the paper took 25, 1 vector where the paper took 50" in printed
    assert "'some' is not a number of keys" in run(reproduce.main, "--largest some", code=2)


def test_an_interrupted_record_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    words = f"{FAST} --table alabi-2012-9 --table blanchard-2015-3 --output {path}"
    assert "--resume goes on" in run(reproduce.main, f"{words} --resume", code=2)
    run(reproduce.main, words)
    whole = json.loads(path.read_text())
    interrupted = {**whole, "date": "2031-05-06T", "rows": whole["rows"][:5]}
    path.write_text(json.dumps(interrupted))
    run(reproduce.main, f"{words} --resume")
    found = json.loads(path.read_text())
    assert found["rows"][:5] == whole["rows"][:5]
    assert [(row["table"], row["of"], row["variant"]) for row in found["rows"]] == [
        (row["table"], row["of"], row["variant"]) for row in whole["rows"]
    ]
    assert found["date"] == "2031-05-06T"
    path.write_text(json.dumps({**whole, "commit": "another"}))
    assert "its commit was another" in run(reproduce.main, f"{words} --resume", code=2)
    assert [each.name for each in tmp_path.iterdir()] == ["record.json"]


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
    """k counts from the largest key, and from one."""
    every = ranks(1000, RANKS)
    assert len(every) == RANKS == 25
    assert every[:4] == (998, 990, 975, 950)
    assert every[-3:] == (25, 10, 1)
    assert ranks(1000, 3) == (998, 500, 1)
    assert all(len(set(ranks(n, RANKS))) == RANKS for n in (1 << 17, 1 << 29, 1000))


def test_every_line_is_of_the_version_that_its_label_names() -> None:
    """The label comes from the trace of what ran."""
    options = options_of(reproduce.main, FAST + "--distribution normal")
    for row in reproduce.measurements(Host(), options):
        if row["label"] and row["measured"] is not None and ", " in row["label"]:
            labels = row["label"].split(" / ")
            if row["label"].startswith(("sort in place", "radix-inplace", "copy")):
                continue
            assert all(label.endswith(f", {row['variant']}") for label in labels), row


def test_methods_of_the_tables_are_those_that_there_are() -> None:
    cells = [cell.of for name in TABLES for cell in load(name).cells()]
    named = {of[key] for of in cells for key in of if key in ("method", "faster")}
    assert named - {"bucket-multi"} <= set(METHODS)
    assert {method_of(cell) for name in TABLES for cell in load(name).cells()} <= set(METHODS)
