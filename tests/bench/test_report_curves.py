"""The figures of curves have every curve, each named by what ran."""

from collections import Counter
from pathlib import Path

import pytest

from bench import curves
from bench.report import alabi_2012_figures, blanchard_2015_figures
from bench.report.__main__ import CURVES
from bench.report.curves import LINES, Times
from bench.report.parts import Part
from bench.report.plot import Curve
from bench.shared.record import Record, load
from tests.bench.helpers import run


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """A record with every curve, measured here on few keys."""
    folder: Path = tmp_path_factory.mktemp("records")
    words = f"--device numpy --largest 4096 --ranks 3 --repeats 1 --output {folder / 'here.json'}"
    run(curves.main, words)
    return load("here", folder)


@pytest.fixture(scope="module")
def parts(record: Record) -> dict[tuple[str, str], Part]:
    made = [*alabi_2012_figures.parts(record), *blanchard_2015_figures.parts(record)]
    return {(part.paper.split()[0], part.name): part for part in made}


def labels(part: Part, title: str = "") -> set[str]:
    """The labels of the measured curves of some plots."""
    some = (each for plot in part.plots if title in plot.title for each in plot.curves)
    return {each.label for each in some if each.line != "dotted"}


def test_every_figure_is_there(parts: dict[tuple[str, str], Part]) -> None:
    wanted = {("Alabi", f"Figure {number}") for number in range(1, 13)}
    assert set(parts) == wanted | {("Blanchard", f"Figure {number}") for number in range(1, 6)}


def test_every_series_is_named_by_what_ran(record: Record) -> None:
    """A label begins with that of a trace, the line is that of its variant, and comes once.

    So it is with a record made here, and with that of the report.
    """
    for each in (record, load(CURVES)):
        made = [*alabi_2012_figures.parts(each), *blanchard_2015_figures.parts(each)[:-1]]
        variants = {row["label"]: row["variant"] for row in each.rows if row["ms"]}
        for plot in (plot for part in made for plot in part.plots):
            assert max(Counter(curve.label for curve in plot.curves).values()) == 1, plot.title
            for curve in plot.curves:
                _named_by_what_ran(curve, variants)


def _named_by_what_ran(curve: Curve, variants: dict[str, str]) -> None:
    if curve.line == "dotted":
        assert ", paper" in curve.label
        return
    ran = [label for label in variants if f"{curve.label}, ".startswith(f"{label}, ")]
    assert len(ran) == 1, curve.label
    assert LINES[variants[ran[0]]] == curve.line


@pytest.mark.parametrize(
    ("number", "methods"),
    [
        *((number, {"sort-choose", "radix", "bucket"}) for number in (1, 2, 4, 7, 8, 9, 10)),
        *((number, {"radix", "bucket"}) for number in (3, 5, 6)),
        (11, {"sort-choose", "radix", "bucket", "cutting-plane", "randomized"}),
        (12, {"bucket", "randomized"}),
    ],
)
def test_figures_of_alabi_have_every_method_in_both_variants(
    parts: dict[tuple[str, str], Part], number: int, methods: set[str]
) -> None:
    found = {", ".join(each.split(", ")[:2]) for each in labels(parts["Alabi", f"Figure {number}"])}
    assert found == {f"{m}, {v}" for m in methods for v in ("as printed", "improved")}


def test_figures_have_every_type_and_distribution(parts: dict[tuple[str, str], Part]) -> None:
    titles = {place: {plot.title for plot in part.plots} for place, part in parts.items()}
    five = {"uniform, uint32"} | {
        f"{n}, {t}" for n in ("uniform", "normal") for t in ("float32", "float64")
    }
    assert titles["Alabi", "Figure 2"] == five
    assert titles["Alabi", "Figure 11"] == five - {"uniform, uint32"}
    for number in (2, 3, 4):
        wanted = five | {"half-normal, float32", "cauchy, float32"}
        assert titles["Blanchard", f"Figure {number}"] == wanted
    assert len(titles["Alabi", "Figure 6"]) == 4
    assert all("float64" in title for title in titles["Alabi", "Figure 6"])


def test_the_paper_s_points_are_drawn_where_its_text_has_them(
    parts: dict[tuple[str, str], Part],
) -> None:
    for number in (1, 2, 3, 4, 11, 12):
        plots = parts["Alabi", f"Figure {number}"].plots
        assert any(each.line == "dotted" for plot in plots for each in plot.curves)
    numbers = parts["Alabi", "Figure 1"].plots[0].curves[0]
    assert numbers.label == "sort-choose, paper"
    assert numbers.points[-1] == (1 << 29, 1171.17)


def test_figure_3_has_least_mean_and_longest_times(parts: dict[tuple[str, str], Part]) -> None:
    found = labels(parts["Alabi", "Figure 3"], "radix")
    ends = ("least", "mean", "longest")
    assert found == {f"radix, {v}, {e}" for v in ("as printed", "improved") for e in ends}


def test_the_cpu_stands_beside_the_gpu(parts: dict[tuple[str, str], Part]) -> None:
    assert "quickselect, improved, NumPy on the host" in labels(parts["Blanchard", "Figure 4"])
    found = labels(parts["Blanchard", "Figure 1"])
    assert "sort-choose, as printed, uniform" in found
    assert sum("clustered" in each for each in found) == 2


def test_a_row_of_several_ranks_is_a_row_for_each() -> None:
    of = {"curve": "methods", "n": 100, "method": "radix", "variant": "improved", "label": "a"}
    rows = ({**of, "ms": 2.0, "each": [1.0, 2.0, 3.0], "faults": {"AnswerRefuted": 2}},)
    times = Times(Record("X", "2026-01-02", rows))
    assert [row["ms"] for row in times.where()] == [1.0, 2.0, 3.0]
    assert [row["share"] for row in times.where()] == [0.99, 0.51, 0.02]
    assert times.ms(100) == 2.0
    assert times.ranks() == "One vector of each size, 3 ranks."
    fewer = {**rows[0], "method": "sort-choose", "each": [1.0]}
    adversaries = {**fewer, "curve": "adversaries"}
    told = Times(Record("X", "2026-01-02", (*rows, fewer, adversaries))).ranks()
    assert told == "One vector of each size, 3 ranks; 1 for adversaries and sort-choose."
    assert times.faults() == "Timed with a fault, over all curves: a, 2 answers: AnswerRefuted."
