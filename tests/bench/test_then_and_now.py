"""The page "Then and now" is current, and its factors follow from the records."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from bench.papers import load
from bench.report.svg import description_of
from bench.shared.record import RECORDS
from bench.then_and_now.__main__ import main
from bench.then_and_now.comparisons import Comparison, Group, groups
from bench.then_and_now.page import PICTURE, page
from bench.then_and_now.picture import BARS, described, drawn, lengths
from tests.bench.helpers import run

DOCS = Path(__file__).parents[2] / "docs"
CURRENT = "run python -m bench.then_and_now"


@pytest.fixture(scope="module")
def found() -> tuple[Group, ...]:
    return tuple(groups())


def rows(name: str, **of: Any) -> list[dict[str, Any]]:
    """The rows of a record, as its file has them."""
    content = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return [row for row in content["rows"] if of.items() <= row.items()]


def the(found: tuple[Group, ...], title: str, name: str) -> Comparison:
    (each,) = (
        each
        for group in found
        if group.title.startswith(title)
        for each in group.comparisons
        if each.name == name
    )
    return each


def test_the_page_is_what_the_records_say(found: tuple[Group, ...]) -> None:
    assert (DOCS / "then-and-now.md").read_text(encoding="utf-8") == page(found), CURRENT
    text = (DOCS / PICTURE).read_text(encoding="utf-8")
    assert description_of(text) == described(found), CURRENT


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    run(main, f"--docs={tmp_path}")
    assert (tmp_path / "then-and-now.md").read_bytes() == (DOCS / "then-and-now.md").read_bytes()
    assert (tmp_path / PICTURE).exists()


def test_the_product_of_the_factors_is_the_speed_up(found: tuple[Group, ...]) -> None:
    for each in (each for group in found for each in group.comparisons):
        factors = each.factors
        assert factors.algorithm is not None
        product = factors.bandwidth * factors.algorithm * factors.rest
        assert math.isclose(product, each.then / each.now)
        assert math.isclose(factors.total, each.then / each.now)
        assert math.isclose(factors.algorithm, each.moved[0] / each.moved[1])


def test_printed_factors_multiply_to_the_printed_speed_up() -> None:
    """A reader who multiplies the three figures of a line gets the first one, but for rounding."""
    lines = re.findall(r"^\| .+ → .+ \|$", (DOCS / "then-and-now.md").read_text(), re.MULTILINE)
    tables = [line for line in lines if "times as fast" not in line]
    assert len(tables) == 14
    for line in tables:
        total, *factors = (float(each.replace(",", "")) for each in line.split("|")[4:8])
        assert math.isclose(total, math.prod(factors), rel_tol=0.02), line


def test_a_sort_of_2005_by_hand(found: tuple[Group, ...]) -> None:
    """The network for 2^21 texels has 21 · 21 steps.

    MIN and MAX each draw half of the texels; they read two and write one. Then all are copied:
    one is read and one written. A texel has two bytes for each of its four keys.
    """
    each = the(found, "Sorting by", "pbsn, blend")
    (row,) = rows("sort-nvidia-h200", keys=1 << 23, dtype="float16", network="pbsn", method="blend")
    assert each.now == row["program_ms"]
    assert each.moved == (441 * (3 + 2) * 2, 441 * (3 + 2) * 2)
    assert math.isclose(each.factors.bandwidth, 4800 / 35.2)
    assert each.factors.algorithm == 1
    assert math.isclose(each.factors.rest, each.then / row["program_ms"] / (4800 / 35.2))


def test_a_fragment_shader_by_hand(found: tuple[Group, ...]) -> None:
    """231 steps, each of which reads two texels and writes one."""
    each = the(found, "Sorting by", "bitonic, fragment")
    assert each.moved[1] == 231 * 3 * 2


def test_a_selection_by_hand(found: tuple[Group, ...]) -> None:
    each = the(found, "Selection: Alabi", "bucket")
    of = {"n": 1 << 29, "dtype": "float32", "distribution": "uniform"}
    of |= {"method": "bucket", "statistic": "mean"}
    printed, ours = (
        rows("reproduce-nvidia-h200", table="alabi-2012-3", of=of, variant=variant)[0]["measured"]
        for variant in ("as printed", "improved")
    )
    assert (each.then, each.now) == (load("alabi-2012-3").value(**of), ours)
    assert math.isclose(each.moved[0] / each.moved[1], printed / ours)
    (read,) = rows(
        "modern-nvidia-h200",
        what="max",
        n=1 << 28,
        dtype="float32",
        group="peer",
        distribution="uniform",
    )
    assert math.isclose(each.moved[1], ours / (2 * read["ms"]))
    assert math.isclose(each.factors.bandwidth, 4800 / 144)


def test_a_stream_by_hand(found: tuple[Group, ...]) -> None:
    each = the(found, "Sorting the windows", "pbsn, compute")
    (row,) = rows(
        "streams-figures-nvidia-h200",
        workload="quantiles",
        method="QuantileSummary",
        epsilon=1e-4,
        sorter="pbsn-compute",
    )
    assert math.isclose(each.now, 1e-3 * 1e8 / row["mvalues_per_s"] * row["sort_share"])
    assert each.moved[0] == 20 * 20 * (3 + 2) * 2  # windows of 640,000 are padded to 2^20


def test_bars_share_a_linear_axis(found: tuple[Group, ...]) -> None:
    figure = drawn(found)
    assert len(figure.axes) == len(found)
    for ax, group in zip(figure.axes, found, strict=True):
        assert ax.get_xscale() == "linear"
        assert ax.get_xlim()[0] == 0
        bars = [[bar.get_width() for bar in some] for some in ax.containers]
        assert bars == [list(each) for each in zip(*map(lengths, group.comparisons), strict=True)]
        assert ax.get_xlim()[1] > max(max(some) for some in bars)
    assert [each.get_text() for each in figure.legends[0].get_texts()] == list(BARS)
