"""The report has every table and figure of the papers, is made of records alone, and is current."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

import pytest

from bench.papers import TABLES, load
from bench.report import __main__ as report
from bench.report import svg
from bench.report.pages import html, markdown
from bench.report.papers import adversaries, speed_ups
from bench.report.parts import Curve, Part, Plot
from bench.report.prose import sentences
from bench.report.tables import Measured, measured, table_part
from bench.shared import record
from bench.shared.words import about
from bench.sources import REPRODUCED, Sources
from tests.bench.helpers import run

FIGURES = {"Govindaraju et al. 2005": 9, "Beliakov 2011": 5}
FIGURES |= {"Alabi et al. 2012": 12, "Blanchard et al. 2015": 5}
RECORD = record.load(REPRODUCED)
OURS = measured(RECORD)


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    return report.parts([OURS], Sources())


@pytest.fixture(scope="module")
def prose() -> Mapping[str, str]:
    return sentences(Sources())


def test_every_table_and_every_figure_is_there(parts: list[Part], prose: Mapping[str, str]) -> None:
    named = [(part.paper, part.name) for part in parts]
    pictures = {
        (paper, name)
        for paper in FIGURES
        for name in re.findall(r"(Figure \d+): ", prose[paper].partition("Not measured: ")[2])
    }
    wanted = {(paper, f"Figure {n}") for paper, most in FIGURES.items() for n in range(1, most + 1)}
    wanted |= {(load(name).paper, f"Table {load(name).table}") for name in TABLES}
    wanted |= {(paper, "Claims in words") for paper in FIGURES}
    wanted |= {(load(name).paper, speed_ups.NAME) for name in TABLES}
    wanted |= {(paper, "Adversaries") for paper in ("Beliakov 2011", "Alabi et al. 2012")}
    assert set(named) | pictures == wanted
    assert len(named) + len(pictures) == len(wanted)


def test_every_part_has_its_sentence(parts: list[Part], prose: Mapping[str, str]) -> None:
    sentences = {part.changed or prose[f"{part.paper}: {part.name}"] for part in parts}
    assert len(sentences) == len(parts)
    assert not any("{" in each for each in sentences)
    for part in parts:
        assert part.grids or part.plots
        assert part.notes
        for plot in part.plots:
            assert max(Counter(curve.label for curve in plot.curves).values()) == 1, plot.title
        for grid in part.grids:
            assert {len(row) for row in grid.rows} == {len(grid.head)}


def test_sentences_are_computed_from_records(prose: Mapping[str, str]) -> None:
    """A time of the paper's table, a ratio of two times, and a count of faults."""
    of = {"n": 1 << 29, "method": "radix", "statistic": "mean"}
    rows = RECORD.where(table="alabi-2012-2", variant="improved")
    (line,) = (row for row in rows if of.items() <= row["of"].items())
    ratio = about(line["paper"] / line["measured"])
    assert f"radix {ratio} and" in prose["Alabi et al. 2012: Table II"]
    hostile = record.load(adversaries.RECORD).where(label="cutting-plane, as printed")
    faults = sum(bool(row["fault"]) for row in hostile)
    found = prose["Beliakov 2011: Adversaries"]
    assert f"counts refute {faults} of {len(hostile)} answers" in found


def test_curves_are_named_by_what_ran(parts: list[Part]) -> None:
    """The line is that of the variant; the paper's numbers are dotted where its text has them."""
    figures = [p for p in parts if p.plots and p.paper.startswith(("Alabi", "Blanchard"))]
    for part in figures:
        for curve in (curve for plot in part.plots for curve in plot.curves):
            if part.name == "Figure 5" and part.paper.startswith("Blanchard"):
                continue  # a distribution
            assert (curve.line == "dotted") == (", paper" in curve.label)
            assert (curve.line == "dashed") == (", as printed" in curve.label)
    first = next(part for part in figures if (part.paper[:5], part.name) == ("Alabi", "Figure 1"))
    numbers = first.plots[0].curves[0]
    assert numbers.label == "sort-choose, paper"
    assert numbers.points[-1] == (1 << 29, 1171.17)


def test_the_cpu_and_the_gpu_stand_in_one_plot(parts: list[Part]) -> None:
    """In each figure of a stream's speed; summaries as printed are dashed beside ours."""
    for part in (each for each in parts if each.paper.startswith("Govindaraju")):
        plots = [plot for plot in part.plots if plot.title.startswith("NVIDIA H200")]
        assert plots or part.name[-1:] not in "5789"
        for plot in plots if part.name[-1:] in "5789" else ():
            lines = {curve.label: curve.line for curve in plot.curves}
            for start in ("NumPy", "pbsn, blend, float16", "CUDA"):
                assert any(name.startswith(start) for name in lines), (plot.title, start)
            for name, line in lines.items():
                assert (line == "dashed") == name.startswith("as printed, ")


def test_an_empty_cell_stays_empty_and_a_second_record_has_rows_of_its_own() -> None:
    (grid,) = table_part("beliakov-2011-1", [Measured("nothing", {})]).grids
    assert next(row for row in grid.rows if row[0] == "bisection")[-1] == ""
    assert {each[2] for each in grid.rows} == {"paper"}
    cell = next(load("beliakov-2011-1").cells())
    row = {"table": "beliakov-2011-1", "of": cell.of, "unit": "ms", "paper": cell.value, "why": ""}
    row |= {"variant": "improved", "measured": 2.0, "n": 4096}
    part = table_part("beliakov-2011-1", [OURS, measured(record.Record("X", "2026-01-02", (row,)))])
    (mine,) = (each for each in part.grids[0].rows if each[2] == "improved, X, 2026-01-02")
    assert mine[3] == "2 (0.068× at 2^12)"


def test_the_contents_lead_to_every_part(parts: list[Part], prose: Mapping[str, str]) -> None:
    text = markdown(parts, prose, pictures=True)
    page = html(text)
    links = [unquote(link) for link in re.findall(r'href="#([^"]+)"', page)]
    assert len(links) == len(parts) + len({part.paper for part in parts})
    ids = re.findall(r'<h\d id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert [each for each in ids if each in links] == links
    assert text.count("](figures/") == 2 * sum(bool(part.plots) for part in parts)


def test_a_figure_is_drawn_with_its_legend() -> None:
    curves = [
        Curve("radix", [(1, 10), (1000, 20)], "radix"),
        Curve("a < b", [(1, 5)], "", "dashed"),
    ]
    plot = Plot("title", "keys", "ms", curves)
    drawn = svg.svg([plot, plot, Plot("linear", "x", "y", [Curve("c", [(-200, 0), (200, 1)])], "")])
    for text in ("title", "keys", "radix", "a &lt; b", "1,000", "-200"):
        assert f">{text}</text>" in drawn
    assert "stroke-dasharray" in drawn


def test_measured_here_is_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "svg", str)  # drawing takes long
    records, docs, build = (tmp_path / name for name in ("records", "docs", "build"))
    shutil.copytree(record.RECORDS, records, ignore=shutil.ignore_patterns("*-here.json"))
    words = f"--docs {docs} --records {records} --build {build} --here"
    assert "reproduce-here.json is missing" in run(report.main, words, code=2)
    shutil.copy(records / f"{REPRODUCED}.json", records / "reproduce-gpu-here.json")
    hostile = json.loads((records / f"{adversaries.RECORD}.json").read_text())
    (records / "adversaries-here.json").write_text(json.dumps({**hostile, "date": "2031-05-06T"}))
    run(report.main, words)
    text = (build / "reproduced.html").read_text()
    assert f"<td>improved, {OURS.label}" in text
    assert "2031-05-06" in text
    assert not docs.exists()
