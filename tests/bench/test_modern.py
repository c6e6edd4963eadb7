"""The benchmark of the modern track, run on NumPy here: it checks, measures, refuses and tells."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import modern
from bench.modern import __main__ as benchmark
from bench.modern.calls import Call, Calls
from bench.modern.limits import ADVERSARIES, MOST, Limit, limits, table
from bench.shared.machines import Host, a_card
from bench.shared.record import Row, begun, recorded, write
from shadersort.errors import DeviceUnavailable
from tests.bench.helpers import options_of, run


def rows_of(words: str = "") -> list[Row]:
    few = "--n 3000 --dtype float32 --dtype int64 --repeats 1 "
    return list(benchmark.measurements(Host(), options_of(benchmark.main, few + words)))


def test_everything_is_measured() -> None:
    rows = rows_of()
    assert all(row["ms"] is None or row["ms"] > 0 for row in rows)
    assert all(row["why"] for row in rows if row["ms"] is None)
    plain = [row for row in rows if (row["dtype"], row["distribution"]) == ("float32", "normal")]
    assert [row["what"] for row in plain if row["group"] == "method"] == [
        name for name in modern.METHODS if name != "quickselect-serial"
    ]
    assert {(row["group"], row["what"]) for row in plain} >= set(MOST)
    had = {row["distribution"] for row in rows if row["dtype"] == "float32"}
    assert had == {"uniform", "normal", *ADVERSARIES}
    integers = {row["distribution"] for row in rows if row["dtype"] == "int64"}
    assert integers == {"uniform", "ones", "ones-and-twos", "sorted"}
    assert rows[-1]["what"] == "quickselect-serial"
    for row in rows:
        if row["what"] == "max":
            assert row["reads"] == 1


def test_only_what_was_asked_for() -> None:
    rows = rows_of("--method radix --distribution cauchy --no-adversaries")
    assert {row["what"] for row in rows if row["group"] == "method"} == {"radix"}
    assert {row["distribution"] for row in rows} == {"cauchy"}
    assert {row["dtype"] for row in rows} == {"float32"}


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Calls(Host(), "uniform", "float32", 1000, 0.5)
    monkeypatch.setattr(modern, "select", lambda keys, k, method: keys[0])
    with pytest.raises(AssertionError, match="a wrong answer is not timed: radix"):
        list(some.methods(["radix"]))
    monkeypatch.setattr(modern, "multiselect", lambda keys, ks, method: keys[ks])
    with pytest.raises(AssertionError, match="101 ranks"):
        list(some.many())
    some.data.ordered = some.data.ordered[::-1].copy()
    with pytest.raises(AssertionError, match="extent"):
        list(some.primitives())
    with pytest.raises(AssertionError, match="partition"):
        Calls.checked(some, "peer", "partition", lambda: 3, lambda found: found == 4)


def test_a_turn_that_is_disturbed_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Calls(Host(), "uniform", "float32", 1000, 0.5)
    read, sort = tuple(some.peers())[:2]
    took = {read.run: [2.0, 9.0, 2.0], sort.run: [900.0]}  # a long call is measured once
    monkeypatch.setattr(Host, "ms", lambda self, call, repeats: took[call].pop(0))
    refused = Call("method", "one", None, "too many keys")
    rows = list(some.rows((read, sort, refused), repeats=5, turns=3))
    assert [(row["ms"], row["reads"]) for row in rows] == [(2, 1), (900, 450), (None, None)]
    assert [row.get("why") for row in rows] == [None, None, "too many keys"]


def a_row(what: str, ms: float, distribution: str = "uniform", group: str = "method") -> Row:
    of = {"n": 1 << 26, "dtype": "float32", "distribution": distribution}
    return {**of, "group": group, "what": what, "ms": ms, "reads": ms / 0.1}


def test_limits() -> None:
    rows = [
        a_row("radix", 0.5),
        a_row("bucket", 0.71, "normal"),
        a_row("golden", 99.0),
        a_row("101 ranks", 0.7, group="many"),
        a_row("sort", 2.0, "ones", "peer"),
        a_row("radix", 1.6, "ones"),
        a_row("bucket", 2.5, "ones"),
    ]
    rows += [{**a_row("randomized", 1.0), "ms": None, "reads": None, "why": "some reason"}]
    where = "ones, float32, n = 67,108,864"
    assert list(limits(rows))[3:] == [
        Limit("adversaries: radix, × its uniform time", where, 3, 3.2),
        Limit("adversaries: radix, × sorting", where, 1.2, 0.8),
        Limit("adversaries: bucket, × sorting", where, 1.2, 1.25),
    ]
    assert [limit.met for limit in limits(rows)] == [True, False, False, False, True, False]
    lines = "\n".join(table(rows))
    assert "method: randomized, reads" in lines
    assert lines.count("not measured") == len(MOST) - 3


def test_a_record_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    device = {"kind": "cuda", "renderer": "A card", "driver": "580", "cuda_runtime": 13000}
    rows = [a_row("max", 0.1, group="peer"), a_row("radix", 0.43)]
    rows += [{**a_row("golden", 1.0), "ms": None, "reads": None, "why": "it gave up"}]
    write(path, begun("modern", device) | {"rows": rows})
    assert json.loads(path.read_text())["device"] == device
    printed = run(benchmark.main, f"--read {path}")
    assert "A card 580\npython" in printed
    assert "n 67,108,864  float32  uniform  method  radix  ms 0.43  reads 4.3\n" in printed
    assert "it gave up" in printed
    (limit,) = [line for line in printed.splitlines() if line.startswith("method: radix")]
    assert limit.split()[3:6] == ["7", "4.3", "yes"]


def test_rows_are_recorded_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is written when some time has passed, and when the rows end or break off."""
    path, clock = tmp_path / "record.json", iter([0.0, 0.0, 0.4, 1.1, 1.1])
    monkeypatch.setattr("bench.shared.record.monotonic", lambda: next(clock))

    def rows() -> Iterator[Row]:
        yield from ({"ms": ms} for ms in (1, 2, 3))
        raise KeyboardInterrupt

    some = recorded(begun("modern"), rows(), path)
    for count, _ in zip((1, 1, 3), some, strict=False):
        assert len(json.loads(path.read_text())["rows"]) == count
    with pytest.raises(KeyboardInterrupt):
        next(some)
    assert len(json.loads(path.read_text())["rows"]) == 3


def test_the_rows_measured_before_an_interruption_are_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    some = recorded(begun("modern"), [{"ms": 1}, {"ms": 2}, {"ms": 3}], path)
    assert [next(some), next(some)] == [{"ms": 1}, {"ms": 2}]
    some.close()
    assert len(json.loads(path.read_text())["rows"]) == 2


def test_without_cupy_or_a_gpu_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "needs CuPy: pip install" in run(benchmark.main, "", code=1)

    class CuPy:
        class cuda:  # noqa: N801
            is_available = staticmethod(lambda: False)

    monkeypatch.setitem(sys.modules, "cupy", CuPy)
    with pytest.raises(DeviceUnavailable, match="this needs a GPU"):
        a_card()


@pytest.mark.gpu
def test_on_a_gpu() -> None:
    card = a_card()
    described = card.described()
    assert described["kind"] == "cuda"
    assert described["driver"]
    options = options_of(benchmark.main, "--n 2^18 --repeats 2")
    rows = list(benchmark.measurements(card, options))
    assert {row["dtype"] for row in rows} == {"float32", "float64"}
    assert all(row["ms"] > 0 for row in rows if row["group"] in ("peer", "primitive", "many"))


@pytest.mark.gpu
def test_memory_and_time_on_a_gpu() -> None:
    card = a_card()
    xp = card.xp
    held = xp.zeros(1 << 22, np.uint8)
    assert card.peak(lambda: None) == 0
    assert card.peak(lambda: xp.zeros(1 << 20, np.uint8)) == 1 << 20
    twice = card.peak(lambda: (xp.zeros(1 << 20, np.uint8), xp.zeros(1 << 20, np.uint8)))
    assert twice == 2 << 20
    assert card.ms(lambda: held.fill(1), 5) > 0
