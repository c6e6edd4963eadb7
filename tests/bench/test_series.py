"""Each series of streams is named by the object that ran, and an old record by what it tells."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.report.govindaraju_2005_streams import AS_PRINTED, _against, _told, parts
from bench.report.series import BY_SIZE, by_sorter, label_of
from bench.shared.record import Library, Record, load
from bench.streams import __main__ as streams
from bench.streams.timing import DRAWN, SORTERS
from bench.streams.timing import label_of as label_of_run
from shadersort.drawing.devices import default_device
from shadersort.streams import QuantileSummary, TextureSorter
from tests.bench.helpers import options_of, run

HERE = [name for name in SORTERS if not name.startswith("cuda")]
FEW = "--workload quantiles --keys 3000 --epsilon 0.1 --turns 1 --dtype float16 "
H200 = (
    "streams-figures-nvidia-h200",
    *(f"streams-sliding-{of}-nvidia-h200" for of in ("frequencies", "quantiles")),
)


def test_every_row_has_the_label_of_the_sorter_that_ran(tmp_path: Path) -> None:
    path = tmp_path / "here.json"
    run(streams.main, FEW + " ".join(f"--sorter {name}" for name in HERE) + f" --output {path}")
    record = load("here", tmp_path)
    ours = record.where(method="QuantileSummary")
    assert [row["sorter"] for row in ours] == HERE
    for row in ours:
        assert row["label"] == SORTERS[row["sorter"]]().label(np.dtype(np.float16))
        network, _, method = row["sorter"].rpartition("-")
        if network in ("pbsn", "bitonic", "odd-even-merge"):
            assert row["label"] == f"{network}, {method}, float16, {default_device().label}"
    told = dict(by_sorter(ours, record))
    assert {label.removesuffix(BY_SIZE) for label in told} == {row["label"] for row in ours}
    (chosen,) = [label for label in told if label.endswith(BY_SIZE)]
    assert {row["sorter"] for row in told[chosen]} == {"by-size"}
    assert "pbsn, blend, float16" in " ".join(told)


def test_a_method_that_is_chosen_is_named() -> None:
    """The label never says "auto"."""
    label = TextureSorter(device="software").label(np.dtype(np.float32))
    assert label.startswith("pbsn, fused, float32, NumPy")


def test_keys_that_are_drawn_as_others_are_named() -> None:
    sorter = TextureSorter(device="software")
    for dtype, drawn in (("float64", "float64"), ("int64", "int64"), ("int16", "float32")):
        assert sorter.label(np.dtype(dtype)).startswith(f"pbsn, fused, {drawn}, NumPy")


def test_keys_from_pinned_memory_are_named() -> None:
    summary = QuantileSummary(0.1).update(np.zeros(5, np.float32))
    label = summary.sorter.label(np.dtype(np.float32))
    assert label_of_run(summary, "numpy") == label
    assert label_of_run(summary, "cuda-host") == f"{label}, keys from pinned memory"


@pytest.mark.gpu
def test_cuda_names_its_card() -> None:
    rows = streams.measurements(options_of(streams.main, FEW + "--sorter cuda --sorter cuda-host"))
    labels = [row["label"] for row in rows if row["method"] == "QuantileSummary"]
    assert labels[0].startswith("CUDA, float16, NVIDIA")
    assert labels[1] == f"{labels[0]}, keys from pinned memory"


@pytest.mark.parametrize(
    ("described", "method"),
    [
        ({"opengl": "4.3.0 NVIDIA", "hardware": True}, "compute"),
        ({"textures": {"opengl": "4.3.0 NVIDIA", "hardware": True}}, "compute"),
        ({"opengl": "4.2", "hardware": True}, "fused"),
        ({"opengl": "4.5 (Core Profile) Mesa", "hardware": False}, "fused"),
    ],
)
def test_what_auto_was_follows_from_the_device(described: dict[str, Any], method: str) -> None:
    record = Record("X", "2026-01-02", (), described, {"cores": 3})
    row = {"sorter": "textures", "dtype": "float16"}
    assert label_of(row, record) == f"pbsn, {method}, float16, X"
    assert label_of({**row, "sorter": "cuda"}, record) == "CUDA, float16, X"
    assert label_of({**row, "sorter": "numpy"}, record) == "NumPy, 3 threads, float16"
    assert label_of({**row, "sorter": "numpy-1"}, record) == "NumPy, 1 thread, float16"


def test_the_report_says_where_the_paper_s_way_was_not_measured() -> None:
    """And no longer once a record has it."""
    new = load(H200[0])
    assert "not measured" not in " ".join(_told([new]))
    row = next(row for row in new.rows if row["sorter"] == "pbsn-compute")
    old = Record(new.device, new.date, ({**row, "sorter": "textures"},), new.described, new.host)
    assert "pbsn, compute, float16, NVIDIA H200 is compute shaders" in " ".join(_told([old]))


def test_every_curve_of_the_figures_is_named_by_a_label() -> None:
    labels = set()
    for name in (*H200, *AS_PRINTED, "streams-figures-numpy", "streams-frequencies-numpy"):
        record = load(name)
        labels |= {
            label_of(row, record).replace(f", {record.device}", "")
            for row in record.where()
            if "entries" in row
        }
    for part in parts(Library()):
        for plot in part.plots:
            names = [curve.label for curve in plot.curves]
            assert len(set(names)) == len(names)
            if part.name not in ("Figure 6", "Figure 7"):
                assert all(any(name.startswith(label) for label in labels) for name in names)


def test_every_way_to_draw_has_a_name_of_its_own() -> None:
    assert {"pbsn-blend", "bitonic-compute", "bitonic-fragment", "by-size"} <= set(DRAWN)


def test_a_row_of_a_new_sorter_needs_its_label() -> None:
    record = Record("X", "2026-01-02", ())
    with pytest.raises(ValueError, match="'pbsn-blend' has no label"):
        label_of({"sorter": "pbsn-blend", "dtype": "float16"}, record)


def test_the_cpu_and_the_gpu_stand_in_one_plot() -> None:
    """In each figure of speeds, and summaries as printed are dashed beside ours."""
    for part in parts(Library()):
        if part.name == "Figure 6":
            continue
        plots = [plot for plot in part.plots if plot.title.startswith("NVIDIA H200")]
        assert plots
        for plot in plots:
            names = [curve.label for curve in plot.curves]
            for start in ("NumPy", "pbsn, blend, float16", "pbsn, compute", "CUDA"):
                assert any(name.startswith(start) for name in names), (plot.title, start)
            dashed = {curve.label for curve in plot.curves if curve.line == "dashed"}
            assert dashed == {name for name in names if name.startswith("as printed, ")}
    printed = [each.label for part in parts(Library())[:3] for p in part.plots for each in p.curves]
    for label in ("as printed, NumPy, 16 threads, float16", "as printed, pbsn, blend, float16"):
        assert printed.count(label) == 3  # two streams of frequencies, and quantiles


def test_a_sorter_that_chooses_is_not_mixed_with_what_it_chose() -> None:
    record = load(H200[1])
    rows = record.where(window=10**6, data="uniform", shortest=1)
    found = {label: {row["sorter"] for row in some} for label, some in by_sorter(rows, record)}
    assert found["NumPy, 16 threads, float16"] == {"numpy"}
    assert found["NumPy, 16 threads, float16, chosen by size"] == {"by-size"}


def test_sentences_speak_of_blending_only_where_a_label_does() -> None:
    for part in parts(Library()):
        said = part.changed.count("by blending") + part.changed.count("drawing")
        blended = any("blend" in each.label for plot in part.plots for each in plot.curves)
        blended |= any("blend" in plot.title for plot in part.plots)
        assert blended or not said
    record = load(H200[0])
    rows = [row for row in record.where(workload="quantiles") if "entries" in row]
    old = [{**row, "sorter": "textures"} for row in rows if row["sorter"] == "pbsn-compute"]
    for row in old:
        del row["label"]
    new = [row for row in rows if row["sorter"] == "cuda"]
    assert _against([*old, *new], record).startswith("CUDA reaches ")
    assert _against([*old, *new], record).endswith("of PBSN in compute shaders")
    assert " and CUDA " in _against(rows, record)
    assert _against(rows, record).endswith("of NumPy with 16 threads")
