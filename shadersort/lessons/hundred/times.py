"""Lesson 13: the time of a hundred order statistics, in the paper, recorded, and here."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.reproduced import IMPROVED, PRINTED, TODAY, lines
from shadersort.lessons.shared.tables import Table, short
from shadersort.lessons.shared.timing import best_seconds

Milliseconds = dict[tuple[str, int], float]

WAYS = {"sort-choose": "sort-choose", "bucket-multi": "bucket"}
"""The paper's names of the two ways, with the names of the methods here."""

LABELS = {"sort-choose": "sort, then choose", "bucket-multi": "bucketMultiSelect"}


def table_of_times(recorded: Record) -> Table:
    """Return times for each number of ranks: the paper's, as printed, improved, and today's."""
    paper, now = recorded_times(recorded)
    printed, default = (recorded_times(recorded, each)[1] for each in (PRINTED, TODAY))
    counts = sorted({ranks for _, ranks in paper})
    lines = [
        (f"{label}, {where}", *(short(found[name, ranks]) for ranks in counts))
        for where, found in (("in the paper", paper), (PRINTED, printed), (IMPROVED, now))
        for name, label in LABELS.items()
    ]
    ours = (short(default["auto", ranks]) for ranks in counts)
    lines.append(("the default, auto, today", *ours))
    head = ("", *(f"{ranks:,} ranks" for ranks in counts))
    told = f"ms for 2²⁸ float32 keys: the paper on a Tesla K40, the other lines {recorded.label}"
    return Table(head, tuple(lines), told)


def table_of_cards(recorded: Record) -> Table:
    """Return the times of several GPUs, each with its part of the keys, beside one with all."""
    rows = [row for row in recorded.where(dtype="float32") if "one_ms" in row]
    (devices,) = {row["devices"] for row in rows}
    lines = [
        (
            f"2^{row['keys'].bit_length() - 1} keys: {row['what']}",
            *(short(row[name]) for name in ("one_ms", "ms", "speedup")),
        )
        for row in rows
    ]
    head = ("", "one GPU", f"{devices} GPUs", "one over several")
    return Table(head, tuple(lines), f"ms for float32 keys: {recorded.label}")


def recorded_times(recorded: Record, variant: str = IMPROVED) -> tuple[Milliseconds, Milliseconds]:
    """Return the milliseconds of each method and number of ranks: the paper's, and recorded."""
    of: Row = {"dtype": "float32", "distribution": "uniform", "n": 1 << 28}
    rows = lines(recorded, "blanchard-2015-5", variant=variant, **of)
    keyed = [
        ((row["of"]["method"], row["of"]["ranks"]), row) for row in rows if "method" in row["of"]
    ]
    return {key: row["paper"] for key, row in keyed}, {key: row["measured"] for key, row in keyed}


def times(
    xp: Any,
    wait: Callable[[], Any],
    multiselect: Callable[..., Any],
    n: int,
    counts: Sequence[int],
    turns: int = 5,
) -> dict[str, dict[int, float]]:
    """Time both ways on n uniform float32 keys, and return the milliseconds of each.

    `xp` is NumPy or CuPy, `wait` waits until the device is done, `multiselect` is
    `modern.multiselect`, and `counts` are numbers of evenly spaced ranks.
    """
    keys = xp.asarray(np.random.default_rng(0).random(n, dtype=np.float32))

    def milliseconds(count: int, method: str) -> float:
        ks = np.linspace(0, n - 1, count).astype(np.int64)
        select = partial(multiselect, keys, ks, method=method)
        return 1e3 * best_seconds(select, turns=turns, wait=wait)

    return {
        name: {count: milliseconds(count, method) for count in counts}
        for name, method in WAYS.items()
    }
