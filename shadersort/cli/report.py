"""Reports on the standard output: tables for people, JSON for machines."""

import json
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from shadersort.cli.failures import message_of
from shadersort.errors import ShadersortError

__all__ = [
    "Refusal",
    "milliseconds",
    "print_json",
    "print_note",
    "print_refusals",
    "print_table",
    "refused",
    "table",
]

Refusal = tuple[dict[str, Any], ShadersortError]
"""Keys, network and method of a sort, and why it is not possible."""


class Output(Console):
    """The standard output; a closed pipe is reported as everywhere else."""

    def on_broken_pipe(self) -> None:
        """Leave it to the caller, who handles the error that is being raised."""
        raise BrokenPipeError


def table(title: str, *columns: str, left: int = 0) -> Table:
    """Make a table whose columns are numbers, but for the first `left` ones."""
    made = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold"
    )
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i < left else "right", overflow="fold")
    return made


def print_table(made: Table) -> None:
    """Print a table, as wide as the terminal."""
    Output(highlight=False).print(made)


def print_note(*lines: str) -> None:
    """Print lines of text as they are, folded where the terminal ends."""
    for line in lines:
        Output(highlight=False).print(Text(line))


def refused(refusals: Sequence[Refusal]) -> list[dict[str, Any]]:
    """Return rows, for JSON, of what could not be done."""
    return [what | {"impossible": message_of(reason)} for what, reason in refusals]


def print_refusals(refusals: Sequence[Refusal]) -> None:
    """Print what could not be done, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for what, reason in refusals:
        way = f"{what['network']} by {what['method']}, {what['keys']:,} keys"
        by_reason.setdefault(message_of(reason), []).append(way)
    for message, ways in by_reason.items():
        print_note("", f"Not possible: {message}.", *(f"  {way}" for way in ways))


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def milliseconds(seconds: float) -> str:
    """Spell a time in milliseconds, with three digits at least.

    Examples
    --------
    >>> milliseconds(0.00012345), milliseconds(1.5)
    ('0.123', '1,500')
    """
    value = seconds * 1e3
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"
