"""What `shadersort quantiles` reports: quantiles and ranks of a stream, or of each group."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from shadersort.cli.last_items import LastItems
from shadersort.cli.report import json_number, print_note, print_table, table, values_seen
from shadersort.streams import QuantileSummary, SlidingQuantiles
from shadersort.streams.exact_ranks import ExactRanks

Stream = QuantileSummary | LastItems[SlidingQuantiles, QuantileSummary]
"""What takes the numbers of a stream."""
Answering = QuantileSummary | SlidingQuantiles
"""What answers about them."""
BRIEF = 9
"""Characters of a number in a table with many columns."""


def answers_of(stream: Stream) -> Answering:
    """Return what answers about the numbers of a stream."""
    return stream.answers if isinstance(stream, LastItems) else stream


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of each stream."""

    quantiles: tuple[float, ...]
    points: tuple[float, ...]
    last: int | None = None

    def of_last(self, answers: Answering) -> int | None:
        """Return how many last values the answers are about; None if about all."""
        return None if self.last is None else min(self.last, answers.n)

    def looked_for(self, answers: Answering, room: int, more: Iterable[Any] = ()) -> ExactRanks:
        """Return what finds the same exactly, and counts up to `more` points."""
        skipped = answers.n - (self.of_last(answers) or answers.n)
        points = [*map(np.array, self.points), *more]
        return ExactRanks(answers, self.quantiles, points, skipped=skipped, room=room)

    def found(self, answers: Answering, exact: ExactRanks | None = None) -> dict[str, Any]:
        """Return the report of a stream; a group may have only NaNs."""
        if not answers.n:
            return self._nothing(answers.nans)
        error, values = answers.rank_error, answers.quantile(np.array(self.quantiles, np.float64))
        bounds = [answers.rank_bounds(np.array(x)) for x in self.points]
        if exact is not None:
            error, values = 0, exact.quantiles()
            bounds = [(n, n) for n in exact.at_most[: len(self.points)].tolist()]
        return {
            "n": answers.n,
            "of_last": self.of_last(answers),
            "nans": answers.nans,
            "rank_error": error,
            "entries": len(answers),
            "quantiles": [
                {"q": q, "value": json_number(value)}
                for q, value in zip(self.quantiles, values.tolist(), strict=True)
            ],
            "ranks": [
                _rank(x, int(low), int(high))
                for x, (low, high) in zip(self.points, bounds, strict=True)
            ],
        }

    def _nothing(self, nans: int) -> dict[str, Any]:
        return {
            "n": 0,
            "of_last": None if self.last is None else 0,
            "nans": nans,
            "rank_error": 0,
            "entries": 0,
            "quantiles": [{"q": q, "value": None} for q in self.quantiles],
            "ranks": [_rank(x, 0, 0) for x in self.points],
        }


def _rank(x: float, low: int, high: int) -> dict[str, Any]:
    middle = low + (high - low) // 2
    return {"x": json_number(x), "at_most_x": middle, "low": low, "high": high}


def group_order(word: bytes) -> tuple[Any, ...]:
    """Return what sorts groups: numbers first, in their order, then words.

    Examples
    --------
    >>> sorted([b"b", b"10", b"9"], key=group_order)
    [b'9', b'10', b'b']
    """
    return (0, int(word), word) if word.isdigit() and len(word) < 19 else (1, word)


def print_stream(report: dict[str, Any]) -> None:
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
    if "collected" in report:  # there was no summary
        held = f"{report['collected']:,} keys were collected."
    print_note("", f"{_error(report)} {held}")


def _table_of_ranks(rows: list[dict[str, Any]]) -> Table:
    shown = table("", "x", "values ≤ x", "at least", "at most")
    for row in rows:
        counts = (f"{row[name]:,}" for name in ("at_most_x", "low", "high"))
        shown.add_row(str(row["x"]), *counts)
    return shown


def print_groups(report: dict[str, Any]) -> None:
    """Print the report of groups as a table with a row for each."""
    print_note(f"{values_seen(report)[:-1]}, in {len(report['groups']):,} groups.", "")
    first = report["groups"][0]
    asked = [f"{row['q']:g}" for row in first["quantiles"]]
    asked += [f"≤ {row['x']}" for row in first["ranks"]]
    by = report["by"] if isinstance(report["by"], str) else f"column {report['by']}"
    values = "values" if first["of_last"] is None else "last values"
    shown = table("", escape(by), values, *asked, left=1)
    for column in shown.columns[1:]:
        column.no_wrap = True
    for group in report["groups"]:
        numbers = [_briefly(row["value"]) for row in group["quantiles"]]
        counts = [f"{row['at_most_x']:,}" for row in group["ranks"]]
        of = group["n"] if group["of_last"] is None else group["of_last"]
        shown.add_row(_shown(group["group"]), f"{of:,}", *numbers, *counts)
    print_table(shown)
    share = f", nor by more than {report['epsilon']:g} of the values of its group."
    error = _error(report) if report["exact"] else _error(report)[:-1] + share
    print_note("", f"{error} {report['entries']:,} entries were held.")


def _shown(group: str) -> str:
    """Return the name of a group for a table; a terminal must obey nothing in it."""
    plain = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in group)
    return escape("".join(plain)) or "(none)"


def _briefly(value: float | str | None) -> str:
    """Return a number in few characters; JSON has all of its digits."""
    if value is None:
        return "–"
    return f"{value:.6g}" if isinstance(value, float) and len(str(value)) > BRIEF else str(value)


def _error(report: dict[str, Any]) -> str:
    if report["exact"]:
        return "All answers are exact."
    return f"No rank is off by more than {report['rank_error']:,}."
