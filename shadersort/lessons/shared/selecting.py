"""Selection in reads of the keys, recorded and measured here, for several lessons."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.keys.types import Keys
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.style import look, subplots
from shadersort.lessons.shared.tables import Table
from shadersort.lessons.shared.timing import best_seconds
from shadersort.palette import BLACK
from shadersort.pictures.matplotlib_types import Figure
from shadersort.selection import SelectionTrace
from shadersort.selection import select as selected
from shadersort.selection.primitives import NumPyPrimitives

LARGEST = 1 << 28
"""The number of keys in the recorded runs."""


def reads_of(modern: Record, method: str, distribution: str = "uniform") -> float:
    """Return the recorded time of a method on 2^28 float32 keys, in reads of these keys."""
    of = {"distribution": distribution, "dtype": "float32", "n": LARGEST, "what": method}
    (row,) = [row for row in modern.where(**of) if row["group"] in ("method", "peer")]
    return float(row["reads"])


def show_reads(modern: Record, methods: Sequence[str], beside: str = "sort") -> Figure:
    """Draw the times of methods in reads of the keys, the fastest on top."""
    figure, (ax,) = subplots(height=0.34 * (len(methods) + 2) + 0.9)
    found = sorted((reads_of(modern, each), each) for each in (*methods, beside))
    for row, (reads, name) in enumerate(found):
        style = look("sort-choose" if name == beside else name)
        hatch = "///" if style["marker"] == "s" else None  # two methods may share a colour
        ax.barh(row, reads, color=style["color"], hatch=hatch, edgecolor="white", height=0.7)
        ax.text(reads + 0.2, row, f"{reads:.1f}", va="center", fontsize=9)
    ax.axvline(1, color=BLACK, linestyle=":", linewidth=1.2)
    names = ["a full sort (cupy.sort)" if name == beside else name for _, name in found]
    ax.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.4, -0.6))
    ax.set_xlabel("time, in reads of the keys (the dotted line is one)")
    ax.set_title(f"the median of 2²⁸ float32 keys: {modern.label}")
    return figure


def reads_here(
    xp: Any,
    select: Callable[..., Any],
    methods: Sequence[str],
    *,
    n: int = 1 << 26,
    wait: Callable[[], Any] = lambda: None,
    turns: int = 5,
) -> dict[str, float]:
    """Measure methods on the median of n uniform float32 keys, in reads of them: `xp.max`.

    `xp` is NumPy or CuPy, `select` is `modern.select`, and `wait` waits until the device is done.
    """
    keys = xp.asarray(np.random.default_rng(0).random(n, np.float32))
    best = partial(best_seconds, turns=turns, wait=wait)
    read = best(partial(xp.max, keys))
    return {each: best(partial(select, keys, n // 2, method=each)) / read for each in methods}


def show_both(methods: Sequence[str], data: Mapping[str, Keys]) -> Table:
    """Return the reads of methods for the median, as printed and ours, with NumPy."""
    rows = []
    for method in methods:
        for as_printed in (True, False):
            found = [_traced(keys, method, as_printed) for keys in data.values()]
            told = (f"{trace.keys_read / trace.n:.1f}{fault}" for trace, fault in found)
            rows.append((found[0][0].label, *told))
    return Table(("", *data), tuple(rows), "reads of all keys, with NumPy")


def _traced(keys: Keys, method: str, as_printed: bool) -> tuple[SelectionTrace, str]:
    """Return what a method did to find the median, and what is wrong with its answer, if it is."""
    found, rank = NumPyPrimitives(keys), keys.size // 2
    try:
        of: Any = {"method": method, "as_printed": as_printed, "return_trace": True}
        return selected(found, rank, **of)[1], ""
    except AnswerRefuted as fault:
        return fault.trace, ", wrong"
    except DidNotConverge as fault:
        return fault.trace, ", no end"
