"""The model of `docs/scale.md` is held to what selections over parts send; the page is current."""

from pathlib import Path

import numpy as np
import pytest

from bench.report.svg import description_of
from bench.scale_model import Cluster, Problem, divided, rounds
from bench.scale_page import PICTURE, main, page
from bench.scale_picture import described, drawn
from bench.scale_points import KEYS, WORKERS, Point, counted, points
from bench.scale_table import beside, on_gpus
from bench.shared.record import Library, begun, write
from tests.bench.helpers import run

DOCS = Path(__file__).parents[2] / "docs"
CURRENT = "run python -m bench.scale_page"

EXACT = ("sample", "histogram", "filter", "extent", "digits")
"""Rounds whose bytes the model knows exactly; those of candidates depend on the keys."""


@pytest.fixture(scope="module")
def found() -> tuple[Point, ...]:
    return tuple(points())


DEEP = (
    Problem(100_001, 4, edges=2, most=2, counters=256),
    Problem(300_001, 3, edges=2, most=2, counters=32),
    Problem(300_001, 3, edges=2, most=200, counters=512),
    Problem(300_001, 64, edges=2, most=10, counters=1024),
)
"""Problems with more candidates than may come together."""


@pytest.mark.parametrize("problem", DEEP)
def test_the_model_knows_deep_divisions(problem: Problem) -> None:
    assert problem.candidates > problem.most
    assert_fits(counted(problem))


def test_the_model_knows_the_bytes(found: tuple[Point, ...]) -> None:
    for point in found:
        assert_fits(point)
        assert len(point.rounds) == 3


def test_few_keys_are_sent_at_once() -> None:
    point = counted(Problem(1001, 4))
    assert point.rounds[0].received == next(rounds(point.problem)).received == 8008


def assert_fits(point: Point) -> None:
    """Assert that each round has the name and the bytes of the model."""
    expected = list(rounds(point.problem))
    assert [each.name for each in point.rounds] == [each.name for each in expected]
    for ours, theirs in zip(point.rounds, expected, strict=True):
        if ours.name in EXACT:
            assert (ours.sent, ours.received) == (theirs.sent, theirs.received), ours.name
        else:
            candidates = theirs.received / point.problem.itemsize
            assert ours.received / point.problem.itemsize <= 4 * candidates + 20
            assert ours.received / point.problem.itemsize >= candidates / 4 - 20
            assert ours.sent == theirs.sent


def test_costs_follow_from_the_rounds() -> None:
    cluster = Cluster()
    for keys in KEYS:
        for workers in WORKERS:
            problem = Problem(keys, workers)
            some = list(rounds(problem))
            reads = sum(each.reads for each in some)
            seconds = cluster.seconds(problem)
            assert seconds >= reads * cluster.read_once(problem)
            assert len(some) == 3 if problem.candidates <= problem.most else len(some) >= 6
            assert len(some) == 3 or len(some) == 4 + 2 * divided(problem)[0]
            assert seconds > Cluster(reads=2e9).seconds(problem)


def test_the_page_is_what_the_model_says(found: tuple[Point, ...]) -> None:
    assert (DOCS / "scale.md").read_text(encoding="utf-8") == page(found), CURRENT
    text = (DOCS / PICTURE).read_text(encoding="utf-8")
    assert description_of(text) == described(found), CURRENT


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    run(main, f"--docs={tmp_path}")
    assert (tmp_path / "scale.md").read_bytes() == (DOCS / "scale.md").read_bytes()
    assert (tmp_path / PICTURE).exists()


def test_the_picture_has_every_counted_point_of_its_curves(found: tuple[Point, ...]) -> None:
    travelling, lasting = drawn(found).axes
    (counted_ones,) = (line for line in travelling.lines if line.get_label() == "counted")
    shown = [point.problem.keys for point in found if point.problem.workers in (4, 100, 10_000)]
    assert np.asarray(counted_ones.get_xdata()).tolist() == shown
    assert len(lasting.lines) == 2 * len(KEYS)


def test_tables_come_from_records(tmp_path: Path) -> None:
    library = Library(tmp_path)
    assert list(beside(library)) == list(on_gpus(library)) == []
    file = {"of": "disk", "form": "npy", "size_bytes": 2 * 10**9}
    ours = {"what": "ours", "seconds": 0.5, "own_mb": 80.0, "error": 0.0}
    rows = [
        file | {"what": "round: counting", "seconds": 0.4, "gb_per_s": 5.0, "of_reading": 0.75},
        file | {"what": "read once", "seconds": 0.25},
        file | {"what": "read once", "seconds": 0.2, "of": "cache"},
        file | ours,
        file | {"what": "xarray, quantile", "why": "MemoryError"},
    ]
    command = {"command": "python -m bench.files --hold 5GiB --turns 1"}
    write(tmp_path / "files-numpy.json", begun("files") | command | {"rows": rows})
    text = "\n".join(beside(library))
    assert "Meanwhile 5GiB of other memory was in use" in text
    assert "| 2 GB, .npy | **ours** | 0.5 | 80 MB | 0 |" in text
    assert "| 2 GB, .npy | xarray, quantile | – | – | MemoryError |" in text
    assert "| 2 GB, .npy | the disk | 8 | – | – | 5 (counting) | 75% |" in text


def test_a_table_of_one_gpu_says_so(tmp_path: Path) -> None:
    path = tmp_path / "parts-nvidia-h200.json"
    row = {"keys": 99, "what": "max", "ms": 2.5, "reads": 1.0, "of_one": 1.987, "parts": 2}
    write(path, begun("parts") | {"rows": [row | {"devices": 1}]})
    assert "Only one GPU was there" in next(on_gpus(Library(tmp_path)))
    write(path, begun("parts") | {"rows": [row | {"devices": 1}, row | {"devices": 2}]})
    lines = list(on_gpus(Library(tmp_path)))
    assert "| 2 | 2 | 99 | max | 2.5 | 1.00 | 1.99× |" in lines
    assert not any("Only one" in line for line in lines)
