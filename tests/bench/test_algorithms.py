"""Each cell of the tables of docs/algorithms.md runs if it names a file; a dash is refused."""

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import modern
import shadersort as ss
from shadersort.drawing.networks import network
from shadersort.errors import MethodUnavailable
from shadersort.selection.method import Method
from shadersort.streams import NumPySorter, TextureSorter

PAGE = (Path(__file__).parents[2] / "docs" / "algorithms.md").read_text(encoding="utf-8")
KEYS = np.random.default_rng(1).random(256, np.float32)
RIGHT = np.sort(KEYS)
RANKS = np.arange(256)
ROWS = RIGHT.reshape(16, 16)


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the first table below a heading: their cells by their names."""
    text = PAGE.split(heading)[1]
    found = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert found
    rows = [row.strip("| ").split(" | ") for row in found[0].splitlines()[2:]]
    return {name.strip(): cells for name, *cells in rows}


def drawn(net: Any, method: Any = "blend", **more: Any) -> Callable[[ss.Device], bool]:
    def run(device: ss.Device) -> bool:
        found = ss.sort(KEYS, network=net, method=method, device=device, **more)
        return np.array_equal(found, RIGHT)

    return run


def applied(net: Any) -> bool:
    return np.array_equal(network(net, 256).apply(KEYS), RIGHT)


def external(_: ss.Device) -> bool:
    return np.array_equal(ss.external_sort(KEYS), RIGHT)


SORTS: dict[str, Callable[[ss.Device], bool]] = {
    **dict.fromkeys(["PBSN", "copying", "minimum", "one step", "merging the"], drawn("pbsn")),
    "periodic balanced": lambda device: applied("pbsn") and drawn("pbsn")(device),
    "bitonic": lambda device: applied("bitonic") and drawn("bitonic", "fragment")(device),
    "odd-even": lambda device: applied("odd-even-merge") and drawn("odd-even-merge")(device),
    "merging them": drawn("pbsn", merge="device"),
    "improved": drawn("bitonic", "kipfer"),
    "several steps": drawn("bitonic", "fused"),
    "steps in": drawn("bitonic", "compute"),
    "cost": lambda _: ss.estimate(256).seconds > 0,
    "CPU and GPU": drawn("pbsn", share=0.5),
    "records": lambda device: np.array_equal(KEYS[ss.argsort(KEYS, device=device)], RIGHT),
    "external": external,
    "whether": drawn("pbsn"),
    "keys that": lambda device: bool(
        np.isnan(ss.sort(np.array([np.nan, 1], "f4"), device=device)[1])
    ),
}
"""Rows of sorting by how they begin: by NumPy or the software device, which also draws textures."""


def row_of(name: str, known: dict[str, Any]) -> Any:
    starts = [start for start in known if name.startswith(start)]
    return known[max(starts, key=len)]


@pytest.mark.parametrize("name", table("## Sorting"))
def test_a_sort_runs(name: str, software: ss.Device) -> None:
    assert row_of(name, SORTS)(software)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("net", "start"), [("pbsn", "periodic balanced"), ("bitonic", "bitonic network")]
)
def test_a_network_with_a_file_for_cuda_runs(net: Any, start: str) -> None:
    import cupy

    (cells,) = [cells for name, cells in table("## Sorting").items() if name.startswith(start)]
    if cells[3] != "–":
        sort: Any = modern.sort
        assert (sort(cupy.asarray(KEYS), network=net).get() == RIGHT).all()


def medians_of_parts(xp: Any) -> Any:
    return modern.median(modern.Parts(xp.array_split(xp.asarray(KEYS), 4)))


def of_many(xp: Any, *, as_printed: bool = False) -> Any:
    keys = xp.asarray(KEYS)
    return modern.multiselect(keys, RANKS, method="bucket", as_printed=as_printed)


CALLS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "bucketMultiSelect (": (of_many, RIGHT),
    "bucketMultiSelect:": (of_many, RIGHT),
    "bucketMultiSelect, Alg. 5": (partial(of_many, as_printed=True), RIGHT),
    "a counter": (lambda xp: modern.multiselect(xp.asarray(KEYS, "f2"), RANKS), RIGHT),
    "[cells": (lambda xp: modern.multiselect(xp.asarray(KEYS), RANKS), RIGHT),
    "keys in parts": (medians_of_parts, np.median(KEYS)),
    "neighbouring": (medians_of_parts, np.median(KEYS)),
    "[top-k": (lambda xp: modern.topk(xp.asarray(KEYS), 3).values, RIGHT[:-4:-1]),
    "[thresholding": (lambda xp: modern.threshold(xp.asarray(KEYS), 3).max(), RIGHT[-1]),
    "NumPy's": (lambda xp: modern.quantile(xp.asarray(KEYS), 0.3), np.quantile(KEYS, 0.3)),
    "rows along": (lambda xp: modern.median(xp.asarray(ROWS), axis=1), np.median(ROWS, axis=1)),
    "the objective": (lambda xp: modern.select(xp.asarray(KEYS), 9, method="golden"), RIGHT[9]),
}
"""Rows of selection that are no method of their own: by how they begin, a call and its answer."""

ON_BOTH = ["numpy", pytest.param("cupy", marks=pytest.mark.gpu)]


TABLES = {False: table("## Selection"), True: table("The methods exactly as")}


@pytest.mark.parametrize("library", ON_BOTH)
@pytest.mark.parametrize(("as_printed", "name"), [(of, x) for of in TABLES for x in TABLES[of]])
def test_a_selection_runs_on_numpy_and_cuda(as_printed: bool, name: str, library: str) -> None:
    xp, cells = import_module(library), TABLES[as_printed][name]
    if any(name.startswith(start) for start in CALLS):
        call, expected = row_of(name, CALLS)
        found = call(xp)
        np.testing.assert_allclose(getattr(found, "get", lambda: found)(), expected, rtol=1e-3)
    else:
        run_methods(cells[1 + 2 * (xp is not np)], cells[1], xp, as_printed=as_printed)


def run_methods(cell: str, files: str, xp: ModuleType, *, as_printed: bool) -> None:
    """Select by the methods of a row's file; a dash is for methods that are refused."""
    names = re.findall(r"`shadersort/(selection/(?:methods|printed)/[\w/]+)\.py`", files)
    modules = [import_module("shadersort." + name.replace("/", ".")) for name in names]
    known = [x for module in modules for x in vars(module).values()]
    known += [each for x in known if isinstance(x, tuple) for each in x]
    methods = {x.name for x in known if isinstance(x, Method)}
    assert methods
    for method in methods:
        call: Any = partial(modern.select, xp.asarray(KEYS), 99, method=method)
        try:
            assert float(call(as_printed=as_printed)) == RIGHT[99]
            assert cell != "–"
        except MethodUnavailable:
            assert cell == "–"


SUMMARIES: dict[str, Callable[[Any], Any]] = {
    "ranks between": lambda sorter: ss.SlidingQuantiles(0.1, 99, sorter=sorter),
    "one list": lambda sorter: ss.QuantileSummary(0.1, sorter=sorter),
    "lossy counting (": lambda sorter: ss.FrequencySummary(0.1, sorter=sorter),
    "quantiles of": lambda sorter: ss.SlidingQuantiles(0.1, 99, sorter=sorter),
    "frequencies in": lambda sorter: ss.SlidingFrequencies(0.1, 99, sorter=sorter),
    "frequencies of": lambda sorter: ss.FrequencySummary(0.1, sorter=sorter),
    "hierarchical": lambda sorter: ss.HierarchicalHeavyHitters(0.1, "bits", sorter=sorter),
    "correlated": lambda sorter: ss.CorrelatedSum(0.1, sorter=sorter),
    "lossy counting, as": lambda sorter: ss.FrequencySummary(0.1, as_printed=True, sorter=sorter),
    "exponential": lambda sorter: ss.QuantileSummary(0.1, 99, as_printed=True, sorter=sorter),
    "windows of": lambda sorter: ss.SlidingQuantiles(0.1, 99, sorter=sorter),
    "sliding windows": lambda sorter: ss.SlidingQuantiles(0.1, 99, as_printed=True, sorter=sorter),
    "histograms": lambda sorter: ss.Histogram(ss.QuantileSummary(0.1).update(KEYS), 4),
}


@pytest.mark.parametrize(
    "sorter", ["NumPy", "textures", pytest.param("CUDA", marks=pytest.mark.gpu)]
)
@pytest.mark.parametrize("name", table("## Streams"))
def test_a_summary_runs_over_each_sorter(name: str, sorter: str, software: ss.Device) -> None:
    sorters: dict[str, Callable[[], Any]] = {
        "NumPy": NumPySorter,
        "textures": lambda: TextureSorter(method="blend", device=software),
        "CUDA": modern.Sorter,
    }
    summary = row_of(name, SUMMARIES)(sorters[sorter]())
    if hasattr(summary, "update"):
        integers = (KEYS * 9).astype(np.uint32)
        items = integers if "hier" in name or "frequ" in name else KEYS
        some = ["a", "b"] if "text" in name else items
        summary.update(*([some, some] if "correlated" in name else [some]))
        assert len(summary)
