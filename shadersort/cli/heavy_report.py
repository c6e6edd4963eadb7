"""What `shadersort heavy` prints: a table for people, or JSON."""

from typing import Any

import numpy as np
from rich.text import Text

from shadersort.cli.report import print_note, print_table, table
from shadersort.streams import HierarchicalHeavyHitters

Report = dict[str, Any]


def report_of(
    summary: HierarchicalHeavyHitters, support: float, found: Any, top: int | None
) -> Report:
    """Return the report for JSON of the heavy prefixes, or of the `top` least explained ones."""
    shown = found
    if top is not None:
        shown = found[np.argsort(-found["unexplained"], kind="stable")[:top]]
    names = [name for name in found.dtype.names or () if name != "prefix"]
    return {
        "n": summary.n,
        "epsilon": summary.epsilon,
        "support": support,
        "entries": len(summary),
        "heavy": [
            {"prefix": summary.spelt(row)} | {name: int(row[name]) for name in names}
            for row in shown
        ],
        "not_listed": len(found) - len(shown),
    }


def print_report(report: Report) -> None:
    """Print a report for people."""
    columns = ["estimate", "upper", "unexplained", "unexplained_upper"]
    titles = ["times", "at most", "unexplained", "at most"]
    shown = table("", "prefix", *titles, left=1)
    for row in report["heavy"]:
        shown.add_row(Text(row["prefix"]), *(f"{row[name]:,}" for name in columns))
    print_note(f"{report['n']:,} items.", "")
    if report["heavy"]:
        print_table(shown)
        print_note("")
    print_note(f"{_what_is_listed(report)} {report['entries']:,} entries were held.")


def _what_is_listed(report: Report) -> str:
    """Return a sentence on which prefixes are listed."""
    share, count = f"{report['support']:g}", len(report["heavy"])
    if report["not_listed"]:
        return (
            f"{report['not_listed'] + count:,} prefixes have a share of about {share} or more, "
            f"without their longer heavy prefixes; the {count:,} largest of these are listed."
        )
    return f"Every prefix with a share above {share}, without its longer heavy prefixes, is listed."
