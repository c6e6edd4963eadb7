"""Reports on the standard output: tables for people, JSON for machines."""

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text


class Output(Console):
    """The standard output. A closed pipe raises BrokenPipeError, as with `print`."""

    def on_broken_pipe(self) -> None:
        """Raise the error, which the caller handles."""
        raise BrokenPipeError


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[int] = ()
) -> None:
    """Print a table of numbers if it has rows; `left` are the columns of text."""
    made = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold"
    )
    for place, column in enumerate(columns):
        made.add_column(column, justify="left" if place in left else "right", overflow="fold")
    for row in rows:
        made.add_row(*map(Text, row))
    if made.row_count:
        Output(highlight=False).print(made)


def print_note(*lines: str) -> None:
    """Print lines of text unchanged, folded at the width of the terminal."""
    for line in lines:
        Output(highlight=False).print(Text(line))


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def json_number(value: float) -> float | str:
    """Return a number for JSON, which has no infinities: these become text."""
    return value if math.isfinite(value) else str(value)


def describe_values(report: dict[str, Any]) -> str:
    """Return a sentence about the values or words that a summary has seen."""
    words = report["dtype"] == "words"
    seen = f"{report['n']:,} words" if words else f"{report['n']:,} values of {report['dtype']}"
    return seen + (f", and {report['nans']:,} NaNs left out." if report["nans"] else ".")


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds as text, with at least three digits."""
    value = seconds * 1e3
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"
