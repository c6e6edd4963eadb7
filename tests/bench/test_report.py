"""The report has every table and figure, is made of records alone, and is current."""

import doctest
import json
import math
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from bench.papers import TABLES, load
from bench.report import __main__ as report
from bench.report import anchors, axes, layout, pages, series, speed_ups
from bench.report import parts as parts_module
from bench.report import plot as plot_module
from bench.report import svg as svg_module
from bench.report.curves import curve
from bench.report.pages import PICTURES, html, markdown
from bench.report.parts import Part
from bench.report.plot import Curve, Plot, described
from bench.report.svg import description_of, svg
from bench.report.tables import Measured, measured, table_part
from bench.shared import record
from bench.shared import words as words_module
from bench.shared.versions import VARIANTS
from bench.shared.words import about
from shadersort.palette import LOOKS, VIOLET
from tests.bench.helpers import run

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = {"Govindaraju et al. 2005": 9, "Beliakov 2011": 5}
FIGURES |= {"Alabi et al. 2012": 12, "Blanchard et al. 2015": 5}

RECORD = record.load(report.RECORDED)


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    return report.parts([measured(RECORD)], record.Library())


def test_the_pages_are_what_the_records_say(parts: list[Part]) -> None:
    for name, text in (("reproduced.md", markdown(parts)), ("reproduced.html", html(parts))):
        assert (DOCS / name).read_text(encoding="utf-8") == text, "run python -m bench.report"


def test_the_figures_are_drawn_from_what_the_records_say(parts: list[Part]) -> None:
    """Not the bytes are compared, which depend on matplotlib's version, but the points drawn."""
    figures = {name: plots for part in parts for name, plots in part.files.items()}
    for name, plots in figures.items():
        text = (DOCS / name).read_text(encoding="utf-8")
        assert description_of(text) == described(plots), "run python -m bench.report"
        assert len(text) < 400_000
    assert {f"figures/{path.name}" for path in (DOCS / "figures").iterdir()} == set(figures)


def test_every_table_and_every_figure_is_there(parts: list[Part]) -> None:
    named = [(part.paper, part.name) for part in parts] + [(a, b) for a, b, _ in PICTURES]
    found = set(named)
    wanted = {(paper, f"Figure {n}") for paper, most in FIGURES.items() for n in range(1, most + 1)}
    wanted |= {(load(name).paper, f"Table {load(name).table}") for name in TABLES}
    wanted |= {(paper, "Claims in words") for paper in FIGURES}
    wanted |= {(load(name).paper, speed_ups.NAME) for name in TABLES}
    wanted |= {(paper, "Adversaries") for paper in ("Beliakov 2011", "Alabi et al. 2012")}
    assert found == wanted
    assert len(named) == len(found)


def test_every_part_has_its_sentence_and_something_to_see(parts: list[Part]) -> None:
    assert len({part.changed for part in parts}) == len(parts)
    for part in parts:
        assert re.fullmatch(r"[^.]+(\.\w[^.]*)*\.", part.changed), f"one sentence: {part.changed}"
        assert part.grids or part.plots
        assert part.notes
        assert all(plot.curves for plot in part.plots)
        for grid in part.grids:
            assert {len(row) for row in grid.rows} == {len(grid.head)}


def test_every_cell_has_the_papers_figure_and_ours_where_it_was_measured() -> None:
    name = "alabi-2012-3"
    (grid,) = table_part(name, [measured(RECORD)]).grids
    variants = measured(RECORD).variants(name)
    at = next(place for place, row in enumerate(grid.rows) if row[0] == "2^29")
    assert grid.rows[at][:2] == ["2^29", "paper"]
    assert grid.rows[at][9] == "156.8"
    cell = next(load(name).cells(n=1 << 29, method="bucket", statistic="mean"))
    for variant, row in zip(variants, grid.rows[at + 1 :], strict=False):
        line = measured(RECORD).of(name, cell, variant)
        assert line
        assert line.measured
        assert line.ratio
        assert row[:2] == ["", variant]
        assert row[9] == f"{line.measured:.4g} ({about(line.ratio)}×)"


def test_speed_ups_are_products_of_what_was_measured() -> None:
    for part in speed_ups.parts(measured(RECORD)):
        (grid,) = part.grids
        assert len(grid.rows) >= 8
        for row in grid.rows:
            total, *factors = (float(cell.replace(",", "")) for cell in row[6:] if cell != "–")
            assert math.prod(factors) == pytest.approx(total, rel=0.01)
    (row,) = [row for row in grid.rows if row[1:3] == ["2^28", "bucket-multi, float32, uniform"]]
    of: Any = {"method": "bucket-multi", "n": 1 << 28, "distribution": "uniform", "ranks": 101}
    printed, ours = (
        measured(RECORD).lines_of("blanchard-2015-5", variant, dtype="float32", **of)[0]
        for variant in VARIANTS
    )
    assert printed.measured
    assert ours.measured
    assert float(row[8]) == pytest.approx(printed.measured / ours.measured, rel=0.001)


def test_a_second_record_has_rows_of_its_own() -> None:
    table = load("beliakov-2011-1")
    cell = next(table.cells())
    row = {"table": table.name, "of": cell.of, "unit": "ms", "paper": cell.value, "why": ""}
    here = record.Record("NumPy", "2026-01-02", ({**row, "measured": 2.0, "n": 4096},))
    records = [measured(RECORD), measured(here)]
    part = table_part(table.name, records)
    labels = [each[2] for each in part.grids[0].rows if each[2] != "paper"]
    assert labels.count("improved, NumPy, 2026-01-02") == 1
    mine = next(each for each in part.grids[0].rows if each[2].endswith("NumPy, 2026-01-02"))
    assert mine[3] == "2 (0.068× at 2^12)"
    assert any("1 of 89 cells" in note for note in part.notes)


def test_both_variants_have_a_row() -> None:
    table = load("alabi-2012-2")
    cell = next(table.cells())
    row = {"table": table.name, "of": cell.of, "unit": "ms", "paper": cell.value, "n": 1 << 17}
    rows = [{**row, "variant": v, "measured": m} for v, m in (("as printed", 4.0), ("improved", 2))]
    found = measured(record.Record("X", "2026-01-02", tuple(rows)))
    (grid,) = table_part(table.name, [found]).grids
    assert [each[1] for each in grid.rows[:3]] == ["paper", "as printed", "improved"]
    assert [each[2] for each in grid.rows[1:3]] == ["4 (0.21×)", "2 (0.42×)"]
    assert grid.rows[3][0] == "2^19"


def test_an_empty_cell_stays_empty() -> None:
    (grid,) = table_part("beliakov-2011-1", [Measured("nothing", {})]).grids
    row = next(row for row in grid.rows if row[0] == "bisection")
    assert row[-1] == ""
    assert {each[2] for each in grid.rows} == {"paper"}


def test_lines_without_a_ratio_show_none() -> None:
    table = load("blanchard-2015-2")
    cell = next(table.cells(phase="initialization"))
    row = {"table": table.name, "of": cell.of, "unit": "ms", "paper": 4.3, "n": 1 << 26}
    found = measured(record.Record("X", "2026-01-02", ({**row, "measured": 0.0},)))
    rows = table_part("blanchard-2015-2", [found]).grids[0].rows
    assert [each[4] for each in rows[:2]] == ["4.32", "0"]


def test_examples() -> None:
    for module in (anchors, axes, layout, parts_module, plot_module, series, words_module):
        found = doctest.testmod(module)
        assert found.attempted
        assert not found.failed


def texts(*plots: Plot) -> list[str]:
    return [text for text in ElementTree.fromstring(svg(plots)).itertext() if text.strip()]


def test_a_plot_says_what_it_is_and_is_drawn_alike_again() -> None:
    some = [Curve("radix", [(1, 10), (1000, 20)], "radix"), Curve("a < b", [(1, 5)], "", "dashed")]
    plot = Plot("title", "keys", "ms", some)
    drawn = svg([plot])
    assert drawn == svg([plot])
    assert description_of(drawn) == described([plot])
    assert {"title", "keys", "ms", "radix", "a < b", "1", "10", "100", "1,000"} <= {*texts(plot)}
    assert drawn.count("stroke-dasharray") > 0
    assert "a &lt; b" in drawn


def test_plots_of_a_figure_share_what_is_the_same() -> None:
    """A row has one y label, equal curves have one legend, and equal axes have equal ends."""
    low, high = ([Curve("radix", [(1, y), (10, 2 * y)], "radix")] for y in (1, 100))
    two = [Plot("low", "keys", "ms", low), Plot("high", "keys", "ms", high)]
    told = texts(*two)
    assert (told.count("ms"), told.count("keys"), told.count("radix")) == (1, 2, 1)
    assert told.count("0.1") == told.count("1,000") == 0
    assert told.count("100") == 2
    assert texts(*two, *two).count("ms") == 2
    other = Plot("other", "keys", "share", [Curve("bucket", [(1, 1)], "bucket")])
    told = texts(two[0], other)
    assert all(told.count(text) == 1 for text in ("ms", "share", "radix", "bucket"))


def test_text_of_a_figure_is_as_large_as_the_page_s() -> None:
    (size,) = re.findall(r"body { font: (\d+)px", pages.STYLE)
    assert int(size) <= layout.TEXT
    (width,) = re.findall(r"max-width: (\d+)px", pages.STYLE)
    assert int(width) == layout.WIDTH


def test_a_curve_may_have_its_method_s_colour_and_another_marker() -> None:
    assert LOOKS["radix"] == (VIOLET, "o")
    assert svg_module.look_of("radix s", 0) == (VIOLET, "s")
    assert VIOLET in svg([Plot("times", "keys", "ms", [Curve("a", [(1, 2), (10, 3)], "radix s")])])


def test_linear_axes_and_large_numbers_have_ticks() -> None:
    told = texts(Plot("t", "x", "y", [Curve("c", [(-200, 0.0), (200, 1.0)])], ""))
    assert {"-200", "0", "200", "0.2", "1"} <= set(told)
    told = texts(Plot("t", "x", "y", [Curve("c", [(1 << 24, 1e-5), (1 << 28, 1e-2)])]))
    assert {"2·10⁷", "10⁸", "10⁻⁵"} <= set(told)
    assert texts(Plot("t", "x", "y", [Curve("c", [(2, 2)])], ""))


def test_the_contents_lead_to_every_part(parts: list[Part]) -> None:
    page, text = html(parts), markdown(parts)
    links = [unquote(link) for link in re.findall(r'href="#([^"]+)"', page)]
    assert len(links) == len(parts) + len({part.paper for part in parts})
    assert links == re.findall(r"\]\(#([^)]+)\)", text)
    anchors = re.findall(r'<h\d id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    assert [each for each in anchors if each in links] == links


def test_curves_are_of_rows() -> None:
    values: Any = ("a", 2, 3.0), ("a", 1, 1.0), ("b", 1, 5.0), ("a", 2, 5.0), ("a", 3, None)
    rows = [dict(zip(("m", "n", "ms"), each, strict=True)) for each in values]
    of_a = [row for row in rows if row["m"] == "a"]
    assert curve("a", of_a, "n", "ms").points == [(1, 1.0), (2, 4.0)]
    assert curve("a", of_a, "n", "ms", of=max).points == [(1, 1.0), (2, 5.0)]


def test_a_record_says_where_and_when_it_was_made(tmp_path: Path) -> None:
    content = {"device": {}, "host": {"cpu": "X", "cores": 3}, "date": "2026-01-02T", "rows": []}
    for device, label in (({}, "NumPy on X, 3 cores"), ({"renderer": "Y/Z"}, "Y")):
        (tmp_path / "one.json").write_text(json.dumps({**content, "device": device}))
        assert record.load("one", tmp_path).label == f"{label}, 2026-01-02"


def test_what_was_measured_here_is_written_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "svg", described)  # drawing takes long
    records, docs, build = (tmp_path / name for name in ("records", "docs", "build"))
    shutil.copytree(record.RECORDS, records, ignore=shutil.ignore_patterns("*-here.json"))
    words = f"--docs {docs} --records {records} --build {build} --here"
    assert "reproduce-here.json is missing" in run(report.main, words, code=2)
    assert (docs / "reproduced.md").exists()
    assert not build.exists()
    table = (records / f"{report.RECORDED}.json").read_text()
    (records / "reproduce-gpu-here.json").write_text(table)
    hostile = json.loads((records / "adversaries-nvidia-h200.json").read_text())
    (records / "adversaries-here.json").write_text(json.dumps({**hostile, "date": "2031-05-06T"}))
    run(report.main, words)
    once, twice = ((folder / "reproduced.html").read_text() for folder in (docs, build))
    label = measured(RECORD).label
    assert f"<td>improved, {label}" in twice
    assert f"<td>improved, {label}" not in once
    assert "2031-05-06" in twice
    assert "2031-05-06" not in once


@pytest.mark.parametrize("count", [1, 2, 3])
def test_long_labels_and_titles_stay_inside(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    drawn: list[Figure] = []
    save = Figure.savefig

    def noted(self: Figure, *args: Any, **said: Any) -> None:
        drawn.append(self)
        save(self, *args, **said)

    monkeypatch.setattr(Figure, "savefig", noted)
    for words in (1, 2, 4):
        label = " ".join(["words"] * words)
        curves = [Curve(label, [(1, 2), (10, 3)], str(look)) for look in range(3)]
        own = [Curve("own", [(1, 2)])]
        title = " ".join(["words"] * 3 * words)
        svg([Plot(title, "x", "y", curves + own[:number]) for number in range(count)])
        figure = drawn[-1]
        legends = [legend.get_window_extent() for legend in figure.legends]
        titles = [each.get_title(loc="left") for each in figure.axes]
        assert titles == [title] * count
        boxes = [each.get_tightbbox() for each in figure.axes]
        for extent in (*legends, *boxes):
            assert extent
            assert extent.x0 >= 0, words
            assert extent.x1 <= figure.bbox.width, words
            assert extent.y0 >= 0, words
            assert extent.y1 <= figure.bbox.height, words
        assert not any(box and box.overlaps(legend) for box in boxes for legend in legends)
