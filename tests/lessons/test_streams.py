"""Series of streams in lessons 7 to 9: each is named by what sorted, and nothing else is said."""

from typing import Any

import pytest

from scripts.lessons.source import lessons
from shadersort.lessons import record, subplots
from shadersort.lessons.frequent import pictures as of_counts
from shadersort.lessons.quantiles import pictures as of_quantiles
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.series import PAPERS, label_of
from shadersort.lessons.sliding.paper_figures import FIGURES, show_figures

OF = {"workload": "quantiles", "dtype": "float16", "keys": 10**8}
LABELS = {
    "numpy": "NumPy, 16 threads, float16",
    "pbsn-blend": "pbsn, blend, float16, NVIDIA H200",
    "pbsn-compute": "pbsn, compute, float16, NVIDIA H200",
    "bitonic-compute": "bitonic, compute, float16, NVIDIA H200",
    "cuda": "CUDA, float16, NVIDIA H200",
}


def row(sorter: str, speed: float, **more: Any) -> dict[str, Any]:
    return {
        **OF,
        "sorter": sorter,
        "mvalues_per_s": speed,
        "epsilon": 0.01,
        "sort_share": 0.5,
    } | more


def a_record(device: str, cpu: str, *rows: dict[str, Any]) -> Record:
    described = {"opengl": "4.3.0 NVIDIA", "hardware": True}
    return Record("x", device, "2026-11-22", "…", rows, described, {"cpu": cpu, "cores": 2})


CPU = a_record("AMD EPYC", "AMD EPYC", row("numpy", 100))
OLD = a_record("NVIDIA H200", "Xeon", row("textures", 50), row("cuda", 10_000))
NEW = a_record(
    "NVIDIA H200",
    "Xeon",
    *(row(each, 1000 / at, label=LABELS[each]) for at, each in enumerate(LABELS, start=1)),
    row("numpy", 1, label=f"as printed, {LABELS['numpy']}"),
)


def test_textures_of_an_old_record_are_compute_shaders_and_nothing_is_called_blend() -> None:
    found = streams.series(OLD, CPU, **OF)
    assert list(found) == ["NumPy, 2 threads, float16", "pbsn, compute, float16", "CUDA, float16"]
    assert streams.of_drawing(found) == "it was not measured here"
    assert streams.of_cuda(found) == "100"
    assert streams.machines(OLD, CPU).endswith("NumPy on AMD EPYC, 2 cores, recorded 2026-11-22")


def test_a_host_that_was_measured_is_the_one_drawn_beside_its_gpu() -> None:
    found = streams.series(NEW, CPU, **OF)
    assert list(found) == [label.replace(", NVIDIA H200", "") for label in LABELS.values()]
    assert streams.machines(NEW, CPU) == "NVIDIA H200 and Xeon, 2 cores, recorded 2026-11-22"
    assert streams.of_drawing(found) == "it takes 2.0 times as long as NumPy"


def test_each_line_has_the_label_of_its_rows_and_a_look_of_its_own() -> None:
    found = streams.series(NEW, CPU, **OF)
    _, (ax,) = subplots()
    streams.draw_seconds(ax, found)
    named = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
    assert [line.get_label() for line in named] == list(found)
    assert len({(line.get_color(), line.get_marker()) for line in named}) == len(found)
    assert ax.xaxis.get_inverted()


def test_seconds_are_told_for_each_error() -> None:
    shown = streams.seconds_table(streams.series(NEW, CPU, **OF), "seconds")
    assert shown.head == ("", "ε = 0.01")
    assert shown.rows[:2] == (
        ("NumPy, 16 threads, float16", "0.1"),
        ("pbsn, blend, float16", "0.2"),
    )


def test_the_paper_s_way_is_shown_beside_numpy_where_it_was_measured() -> None:
    shown = list(of_counts.figure_6())
    assert len(shown) == 2
    assert shown[0].startswith("NumPy")
    drawn = streams.named(of_counts.figure_5(), PAPERS)
    assert shown[1] == drawn or drawn is None


@pytest.mark.parametrize("figure", [of_quantiles.show_seconds, show_figures])
def test_recorded_lines_are_named_by_the_sorters_of_the_records(figure: Any) -> None:
    records = [of_quantiles.GPU, of_quantiles.CPU, of_counts.CPU, record(FIGURES[0].cpu.name)]
    labels = {
        label_of(row, each).replace(f", {each.device}", "")
        for each in [*records, record("streams-sliding-nvidia-h200")]
        for row in each.rows
    }
    peers = {"np.sort of the windows, one thread", "KLL, k=200, one thread"}
    for ax in figure().axes:
        named = {str(line.get_label()) for line in ax.lines} - peers
        assert {name for name in named if not name.startswith("_")} <= labels


def test_no_lesson_says_how_much_faster_than_drawing_something_is_without_a_number() -> None:
    for lesson in lessons():
        assert "hundred times" not in " ".join(lesson.text.split()), lesson.name
