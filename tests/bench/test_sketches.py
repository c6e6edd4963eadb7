"""Sketches are measured on ten streams, held to what they promise, and told in tables."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from bench.shared.record import Row, begun, load, read, write
from bench.sketches import __main__ as sketches
from bench.sketches import table
from bench.sketches.contestant import (
    ALWAYS,
    AT_ONCE,
    BY_HISTOGRAM,
    BY_VALUE,
    COUNT,
    IN_PARTS,
    MOSTLY,
    NO_PROMISE,
    RANK,
    TAIL,
    VALUE,
    Contestant,
    Promise,
    Ran,
)
from bench.sketches.data import STREAMS
from bench.sketches.errors import Truth, checked, kept
from bench.sketches.ours import TAIL_ERROR, ours
from bench.sketches.peers import NEAR, PEERS, REQ_SIZE, missing, peers
from tests.bench.helpers import options_of

N = 5000


def measured(words: str) -> list[Row]:
    return list(sketches.measurements(options_of(sketches.main, words)))


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return measured(f"--keys {N} --turns 1 --data sorted --data normal")


def test_there_are_ten_streams() -> None:
    made = {name: make(N) for name, make in STREAMS.items()}
    assert len(made) == 10
    for stream in made.values():
        assert stream.shape == (N,)
        assert stream.dtype == np.float32
        assert np.isfinite(stream).all()
    ordered = made["sorted"]
    for name in ("reversed", "zig-zag inwards", "zig-zag outwards", "saw-tooth"):
        assert np.array_equal(np.sort(made[name]), ordered), name
    assert np.array_equal(made["reversed"], ordered[::-1])
    assert np.count_nonzero(np.diff(made["saw-tooth"]) < 0) == 999
    assert np.unique(made["ten values"]).size == 10


@pytest.mark.parametrize("n", [2, 3, 7, 8])
def test_a_zig_zag_takes_the_ends_by_turns(n: int) -> None:
    ordered, inwards = (STREAMS[name](n) for name in ("sorted", "zig-zag inwards"))
    expected = [ordered[-1 - at // 2] if at % 2 else ordered[at // 2] for at in range(n)]
    assert inwards.tolist() == expected
    assert STREAMS["zig-zag outwards"](n).tolist() == expected[::-1]


def test_every_summary_is_measured_in_every_way(rows: list[Row]) -> None:
    names = {each.name for each in ours("numpy")}
    for data in ("sorted", "normal"):
        found = {
            (row["method"], row["fed"], row["sorter"])
            for row in rows
            if row.get("data") == data and row["sorter"]
        }
        assert found == {
            (name, fed, sorter)
            for name in names
            for fed in (AT_ONCE, IN_PARTS)
            for sorter in sketches.SORTERS
        }
    for row in rows:
        if row.get("sorter"):
            assert row["sure"] == ALWAYS
            assert row[row["promised"]] <= row["promise"]
            assert row["mvalues_per_s"] > 0
            assert row["bytes"] > 100


def test_labels_come_from_what_ran(rows: list[Row]) -> None:
    of = {(row["method"], row["sorter"]): row["label"] for row in rows if "label" in row}
    assert (
        of["QuantileSummary(0.01)", "numpy-1"] == "QuantileSummary, list, NumPy, 1 thread, float32"
    )
    buckets = of["QuantileSummary(0.01), exponential histogram", "numpy-1"]
    assert buckets.startswith("QuantileSummary, exponential-histogram, ")
    assert of["QuantileSummary(0.01).compact()", "numpy-1"].startswith("CompactQuantiles, ")


def test_peers_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not list(peers())
    every = [name for names in PEERS.values() for name in names]
    assert list(missing()) == every
    assert missing()["DDSketch"] == "ddsketch is not installed"
    told = [row for row in measured("--keys 2000 --turns 1 --data sorted") if "why" in row]
    assert [row["method"] for row in told] == every


@pytest.mark.parametrize("library", PEERS)
def test_peers_keep_what_they_promise(library: str) -> None:
    pytest.importorskip(library)
    stream = STREAMS["log-normal"](N)
    truth = Truth(stream)
    names = PEERS[library]
    found = [each for each in peers() if each.name.startswith(names)]
    assert found
    for each in found:
        for fed in each.feeds:
            ran = each.run(fed, stream)
            assert len(each.to_bytes(ran.answers)) > 50
            assert each.label(ran)
            row = checked(each, ran, truth)
            assert row[COUNT if each.counts else RANK] < 0.05


def test_req_is_as_small_as_its_bound_allows() -> None:
    datasketches = pytest.importorskip("datasketches")
    bounds = []
    for size in (REQ_SIZE, REQ_SIZE - 2):
        sketch = datasketches.req_floats_sketch(size, True)
        sketch.update(STREAMS["normal"](100_000))
        bounds.append((sketch.get_rank_upper_bound(NEAR, 3) - NEAR) / (1 - NEAR))
    assert bounds[0] <= TAIL_ERROR < bounds[1]


def fake(answer: object, promise: Promise, *, counts: bool = False) -> Contestant:
    """A sketch whose answers are known."""
    return Contestant(
        name="fake",
        make=list,
        feeds={AT_ONCE: lambda sketch, stream: sketch.append(stream)},
        promise=lambda ran: promise,
        label=lambda ran: "fake",
        to_bytes=lambda sketch: b"",
        answer=answer,  # type: ignore[arg-type]
        counts=counts,
    )


@pytest.mark.parametrize(
    ("shift", "rank", "tail"),
    [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (51, 50, 0.9), (-51, 50, 50)],
)
def test_errors_of_known_answers(shift: int, rank: int, tail: float) -> None:
    """The last of 10,000 ranks that are asked for has one value above it, the first one ten."""
    n = 10_000
    each = fake(lambda sketch, q: np.clip(np.ceil(q * n) + shift, 1, n), NO_PROMISE)
    found = Truth(np.arange(1.0, n + 1)).errors(each, None)
    assert (found[RANK], found[TAIL]) == (rank / n, tail)


def test_errors_of_values_are_shares_of_the_value() -> None:
    n = 10_000
    for first, factor, error in ((1, 1.5, 0.5), (-n, 0.5, 0.5), (-n / 2, 0, 1), (0, 1, 0)):
        values = np.arange(n) + float(first)
        each = fake(lambda s, q, v=values, f=factor: f * v[(q * n).astype(int)], NO_PROMISE)
        assert Truth(values).errors(each, None)[VALUE] == pytest.approx(error, abs=0.01)


def test_counts_are_compared_item_by_item() -> None:
    truth = Truth(np.repeat([1.0, 2.0, 5.0], [50, 30, 20]))
    each = fake(lambda sketch, items: np.array([50, 27, 22]), NO_PROMISE, counts=True)
    assert truth.errors(each, None) == {COUNT: 0.03}


def test_a_broken_promise_ends_the_benchmark() -> None:
    truth = Truth(np.arange(1.0, 1001))
    wrong = fake(lambda sketch, q: np.full(q.shape, 500.0), Promise(RANK, 0.1, ALWAYS))
    with pytest.raises(AssertionError, match="fake breaks its promise"):
        checked(wrong, Ran(None, None), truth)


def test_what_holds_mostly_may_fail_a_little() -> None:
    assert kept(Promise(RANK, 0.01, ALWAYS), {RANK: 0.01})
    assert not kept(Promise(RANK, 0.01, ALWAYS), {RANK: 0.011})
    assert kept(Promise(RANK, 0.01, MOSTLY), {RANK: 0.011})
    assert not kept(Promise(RANK, 0.01, MOSTLY), {RANK: 0.031})
    assert kept(NO_PROMISE, {RANK: 1.0})


def made_row(method: str, **more: object) -> Row:
    usual: Row = {"data": "sorted", "keys": 100, "fed": AT_ONCE, "sorter": "", "mvalues_per_s": 2.0}
    usual["label"] = "it, 1 thread"
    promise = {"bytes": 10, "promised": RANK, "promise": 0.01, "sure": MOSTLY}
    return {**usual, "method": method, **promise, RANK: 0.005, TAIL: 0.5, VALUE: 3.0, **more}


def test_tables_say_what_a_record_says(tmp_path: Path) -> None:
    ours_ = {"sorter": "numpy-1", "sure": ALWAYS}
    rows = [
        made_row(table.OURS, mvalues_per_s=30.0, **ours_),
        made_row(table.OURS, mvalues_per_s=1.0, fed=IN_PARTS, bytes=70, **ours_),
        *(
            made_row(table.OURS, mvalues_per_s=speed, fed=fed, sorter="numpy", sure=ALWAYS)
            for fed, speed in ((AT_ONCE, 50.0), (IN_PARTS, 3.0))
        ),
        made_row("KLL, k = 7", rank=0.02),
        made_row("KLL, k = 7", fed=IN_PARTS),
        made_row("odd", promised=None, promise=None, sure="none", tail=2.0, fed=BY_VALUE),
        made_row("counting", fed=BY_HISTOGRAM, promised=COUNT, count=0.004, sure=ALWAYS),
        {"method": "absent", "why": "it is not installed"},
    ]
    for kind in (RANK, TAIL, VALUE):
        del rows[7][kind]
    path = tmp_path / "sketches-numpy.json"
    write(path, begun("sketches") | {"rows": rows})
    text = " ".join("\n".join(table.tables(read(path))).split())
    ours_cells = "1% of n, deterministic | 0.5% | 0.5% | 50% | 70 |"
    assert f"| `QuantileSummary(0.01)` | {ours_cells}" in text
    assert "| KLL, k = 7 | 1% of n, 99% | 2% | 2% | 50% | 10 |" in text
    assert "| odd | none | – | 0.5% | over 100% | 10 |" in text
    assert "| counting, of histograms | 1% of n, a count, deterministic | 0.4% | | | 10 |" in text
    assert "| KLL, k = 7 | | 2 (2) | 2 (2) |" in text
    assert "| odd | | 2 (2) | |" in text
    for name in ("`QuantileSummary(0.01)`", "KLL, k = 7", "odd", "counting, of histograms"):
        assert f"| {name} | it |" in text
    assert "| `QuantileSummary(0.01)`, at once | 25 | | `QuantileSummary(0.01)`, updates" in text
    assert "updates of 1,000 | 1.5 |" in text
    assert "Of 5 results with a deterministic bound, 0 were over it." in text
    assert "Of 2 with a bound that holds with 99%, 1 were over it." in text
    assert "is 15 times as fast as KLL, k = 7" in text
    assert "and 0.5 times with updates of 1,000. It has at most 10 bytes" in text
    assert "Not measured: absent, because it is not installed." in text


def test_tables_of_sizes_say_what_a_record_says(tmp_path: Path) -> None:
    names = [
        (f"QuantileSummary({epsilon:g}){kind}", epsilon)
        for epsilon in (0.01, 0.001)
        for kind in ("", ".compact()", ", exponential histogram")
    ]
    rows = [
        made_row(
            name,
            fed=fed,
            sorter="numpy-1",
            keys=10**6,
            promise=promise,
            bytes=100 * place + len(fed),
        )
        for place, (name, promise) in enumerate(names)
        for fed in (AT_ONCE, IN_PARTS)
    ]
    rows += [
        made_row(f"KLL, k = {k}", keys=10**6, promise=promise, bytes=k)
        for k, promise in ((71, 0.0095), (707, 0.00098), (7, 0.02))
    ]
    path = tmp_path / "sketches-numpy.json"
    write(path, begun("sketches") | {"rows": rows})
    text = " ".join("\n".join(table.sizes(read(path))).split())
    assert "after 1,000,000 values of float32 with ε = 0.01" in text
    assert "at most 2,858 together" in text
    assert "| list, at once | list, updates of 1,000 | `compact()` | exponential" in text
    assert "| sorted | 7 | 16 | 107 | 207 | 71 |" in text
    assert "| sorted | 307 | 316 | 407 | 507 | 707 |" in text


def test_the_record_has_every_stream_and_every_peer() -> None:
    rows = [row for row in load("sketches-numpy").rows if "why" not in row]
    assert {row["data"] for row in rows} == set(STREAMS)
    for name in (name for names in PEERS.values() for name in names):
        assert any(row["method"].startswith(name) for row in rows), name
