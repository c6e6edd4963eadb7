"""What `shadersort quantiles` reports: quantiles and ranks of a stream."""

from typing import Any

import numpy as np
from rich.table import Table

from shadersort.cli.report import json_number, print_note, print_table, table, values_seen
from shadersort.streams import QuantileSummary, SlidingQuantiles


def report_of(
    answers: QuantileSummary | SlidingQuantiles,
    wanted: tuple[float, ...],
    points: tuple[float, ...],
    last: int | None,
) -> dict[str, Any]:
    """Return quantiles, and how many values are at most each point, for JSON."""
    values = answers.quantile(np.array(wanted, np.float64))
    bounds = [answers.rank_bounds(np.array(x)) for x in points]
    return {
        "n": answers.n,
        "of_last": None if last is None else min(last, answers.n),
        "nans": answers.nans,
        "rank_error": answers.rank_error,
        "entries": len(answers),
        "quantiles": [
            {"q": q, "value": json_number(value)}
            for q, value in zip(wanted, values.tolist(), strict=True)
        ],
        "ranks": [
            _rank(x, int(low), int(high)) for x, (low, high) in zip(points, bounds, strict=True)
        ],
        "dtype": str(answers.dtype),
    }


def _rank(x: float, low: int, high: int) -> dict[str, Any]:
    middle = low + (high - low) // 2
    return {"x": json_number(x), "at_most_x": middle, "low": low, "high": high}


def print_report(report: dict[str, Any]) -> None:
    """Print the report of a stream as tables."""
    print_note(values_seen(report), "")
    shown = table("", "quantile", "value")
    for row in report["quantiles"]:
        shown.add_row(f"{row['q']:g}", str(row["value"]))
    print_table(shown)
    if report["ranks"]:
        print_note("")
        print_table(_table_of_ranks(report["ranks"]))
    held = f"{report['entries']:,} entries were held."
    if report["exact"]:
        held = f"{report['collected']:,} keys were collected."
    error = f"No rank is off by more than {report['rank_error']:,}."
    print_note("", f"{'All answers are exact.' if report['exact'] else error} {held}")


def _table_of_ranks(rows: list[dict[str, Any]]) -> Table:
    shown = table("", "x", "values ≤ x", "at least", "at most")
    for row in rows:
        counts = (f"{row[name]:,}" for name in ("at_most_x", "low", "high"))
        shown.add_row(str(row["x"]), *counts)
    return shown
