"""Pictures of selection for several lessons: reads today, and times in the papers."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.style import look, subplots
from shadersort.lessons.shared.timing import best_seconds
from shadersort.pictures.matplotlib_types import Figure
from shadersort.pictures.palette import BLACK

LARGEST = 1 << 28
"""The number of keys in the recorded runs."""

Times = list[tuple[int, float, float]]


def reads_of(modern: Record, method: str, distribution: str = "uniform") -> float:
    """Return the recorded time of a method on 2^28 float32 keys, in reads of these keys.

    Examples
    --------
    >>> from shadersort.lessons import record
    >>> reads_of(record("modern-nvidia-h200"), "max")
    1.0
    """
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

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> from shadersort.selection import select
    >>> def with_numpy(keys, k, method):
    ...     return select(NumPyPrimitives(keys), k, method=method)
    >>> list(reads_here(np, with_numpy, ["bucket", "radix"], n=1000))
    ['bucket', 'radix']
    """
    keys = xp.asarray(np.random.default_rng(0).random(n, np.float32))
    best = partial(best_seconds, turns=turns, wait=wait)
    read = best(partial(xp.max, keys))
    return {each: best(partial(select, keys, n // 2, method=each)) / read for each in methods}


def then_and_now(reproduced: Record, table: str, method: str, **of: object) -> Times:
    """Return (keys, ms in the paper, ms measured here) of a method in one table of a paper.

    Examples
    --------
    >>> from shadersort.lessons import record
    >>> again = record("reproduce-nvidia-h200")
    >>> then_and_now(again, "alabi-2012-3", "bucket", statistic="mean")[-1][:2]
    (536870912, 156.776)
    """
    wanted = {"method": method, **of}.items()
    rows = [row for row in reproduced.where(table=table) if wanted <= row["of"].items()]
    return [(row["n"], row["paper"], row["measured"]) for row in rows if row["measured"]]


def show_then_and_now(
    reproduced: Record, table: str, methods: Sequence[str], card: str, **of: object
) -> Figure:
    """Draw times against the number of keys: the paper's at the left, today's at the right."""
    figure, axes = subplots(1, 2, height=3.4, sharey=True)
    for method in methods:
        keys, then, now = zip(*then_and_now(reproduced, table, method, **of), strict=True)
        axes[0].plot(keys, then, **look(method), markersize=6, label=method)
        axes[1].plot(keys, now, **look(method), markersize=6, label=method)
    for ax, title in zip(axes, (card, reproduced.label), strict=True):
        ax.set(xlabel="keys", yscale="log", title=title)
        ax.set_xscale("log", base=2)
        ax.grid(axis="y", alpha=0.3)
    axes[0].set_ylabel("milliseconds")
    axes[0].legend(frameon=False)
    return figure
