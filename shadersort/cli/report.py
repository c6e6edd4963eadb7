"""Reports on the standard output: tables for people, JSON for machines."""

import json
import math
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from shadersort.cli.failures import message_of
from shadersort.errors import ShadersortError

WORDS = "words"
"""What a report names as the type of words, which are no numbers."""

Refusal = tuple[dict[str, Any], ShadersortError]
"""The keys, network and method of a sort, and the error that makes it impossible."""


class Output(Console):
    """The standard output. A closed pipe raises BrokenPipeError, as with `print`."""

    def on_broken_pipe(self) -> None:
        """Raise the error, which the caller handles."""
        raise BrokenPipeError


def table(title: str, *columns: str, left: int = 0) -> Table:
    """Return a table of numbers, whose first `left` columns are text."""
    made = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold"
    )
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i < left else "right", overflow="fold")
    return made


def print_table(made: Table) -> None:
    """Print a table that is at most as wide as the terminal."""
    Output(highlight=False).print(made)


def print_note(*lines: str) -> None:
    """Print lines of text unchanged, folded at the width of the terminal."""
    for line in lines:
        Output(highlight=False).print(Text(line))


def refused(refusals: Sequence[Refusal]) -> list[dict[str, Any]]:
    """Return the impossible sorts as rows for JSON."""
    return [what | {"impossible": message_of(reason)} for what, reason in refusals]


def print_refusals(refusals: Sequence[Refusal]) -> None:
    """Print the impossible sorts, grouped by reason."""
    by_reason: dict[str, list[str]] = {}
    for what, reason in refusals:
        way = f"{what['network']} by {what['method']}, {what['keys']:,} keys"
        by_reason.setdefault(message_of(reason), []).append(way)
    for message, ways in by_reason.items():
        print_note("", f"Not possible: {message}.", *(f"  {way}" for way in ways))


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def json_number(value: float) -> float | str:
    """Return a number for JSON, which has no infinities: these become text."""
    return value if math.isfinite(value) else str(value)


def values_seen(report: dict[str, Any]) -> str:
    """Return a sentence about the values that a summary has seen."""
    words = report["dtype"] == WORDS
    seen = f"{report['n']:,} words" if words else f"{report['n']:,} values of {report['dtype']}"
    if report["of_last"] is not None:
        seen = f"the last {report['of_last']:,} of {seen}"
    return seen + (f", and {report['nans']:,} NaNs left out." if report["nans"] else ".")


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds as text, with at least three digits.

    Examples
    --------
    >>> milliseconds(0.00012345), milliseconds(1.5)
    ('0.123', '1,500')
    """
    value = seconds * 1e3
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"
