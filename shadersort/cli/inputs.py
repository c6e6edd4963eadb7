"""Inputs of commands: the options that say how they are read, and several files at once."""

import glob
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.failures import BAD_INPUT, Failure, message_of
from shadersort.cli.options import combine
from shadersort.drawing.progress import progress_in_bytes
from shadersort.errors import EmptyInput, GuessRefuted
from shadersort.files.opening import is_standard
from shadersort.files.reader import Reader
from shadersort.files.request import FORMS_READ, Request
from shadersort.files.words import FLOAT64, Parser


def parse_dtype(name: str) -> np.dtype[Any]:
    """Return a type by any of NumPy's names; it may be one that cannot be sorted."""
    try:
        return np.dtype(name)
    except (TypeError, ValueError, SyntaxError) as error:
        raise click.BadParameter(f"{name!r} is no type of keys: write float32 or >f4") from error


def parse_column(text: str) -> str | int:
    """Return the number of a column, from 1, or else its name."""
    return int(text) if re.fullmatch(r"[1-9]\d{0,8}", text) else text


input_options = combine(
    click.option(
        "--from",
        "form",
        type=click.Choice(FORMS_READ),
        help="Format of the input. Default: by its suffix or its first bytes.",
    ),
    click.option(
        "--dtype",
        type=parse_dtype,
        metavar="DTYPE",
        help="Type of the numbers, which raw input needs. Default for words: by the first ones. "
        "A word that this type does not hold is refused.",
    ),
    click.option(
        "--column",
        type=parse_column,
        metavar="NAME|N",
        help="The column of a table, the member of JSON objects or the array of an .npz; columns "
        "are counted from 1.",
    ),
    click.option(
        "--delimiter",
        type=lambda text: {"tab": "\t", r"\t": "\t"}.get(text, text),
        metavar="CHARACTER",
        help="What separates the columns of a CSV. Default: a comma; for TSV, a tab.",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row of a CSV has titles. Default: if it has no number.",
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Encoding of a text. Default: UTF-8, or as its byte order mark says.",
    ),
    click.option(
        "--skip-bad",
        is_flag=True,
        help="Leave out words that are missing or no numbers, and report how many.",
    ),
)
"""Adds the options of inputs, which a command takes as `**request` and gives to `Inputs`."""
files_argument = click.argument("files", nargs=-1, metavar="[FILE]...")


class Inputs:
    """The inputs of a command, given by names and patterns; none is the standard input.

    `request` are the fields of a `Request`. Raises Failure for a file that is not there, and for a
    pattern that no file matches.
    """

    def __init__(self, names: Sequence[str], **request: Any) -> None:
        self.paths = [path for name in names or ["-"] for path in _find_files(name)]
        self.request = Request(**request)
        if sum(map(is_standard, self.paths)) > 1:
            raise click.UsageError("the standard input, -, can be read only once")

    @contextmanager
    def read(
        self, *, parser: Parser | None = None, widen: Callable[[], None] | None = None
    ) -> Iterator[Reader]:
        """Yield what reads the inputs; show progress, and tell what was guessed and left out."""
        sizes = [path.stat().st_size if path.is_file() else None for path in self.paths]
        total = None if None in sizes else sum(filter(None, sizes))
        with progress_in_bytes("reading", total, shown=sys.stderr.isatty()) as advance:
            reader = Reader(
                self.paths, self.request, parser=parser, advance=advance, tell=tell, widen=widen
            )
            yield reader
        if reader.left_out:
            count = f"{reader.left_out:,} bad word{'s' if reader.left_out > 1 else ''}"
            tell(f"left out {count}; the first: {reader.first_left_out}")

    def summarise(
        self,
        make: Callable[[], Any],
        parser: Parser | None = None,
        read: Callable[[Reader], Iterator[Any]] = Reader.numbers,
    ) -> tuple[Any, dict[str, Any]]:
        """Return a summary of what `read` yields, and what reports say about every summary.

        The words of files whose type was guessed wrongly are read again, as float64. A pipe cannot
        be read again: it raises GuessRefuted. Raises EmptyInput if there is nothing to summarise.
        """
        with self.read(parser=parser) as reader:
            try:
                summary = make().update(read(reader))
            except GuessRefuted:
                if not all(path.is_file() for path in self.paths):
                    raise
                reader.left_out = 0  # they are left out, and told, when the inputs are read again
                summary = None
        if summary is None:
            self.request = replace(self.request, dtype=FLOAT64)
            return self.summarise(make, parser, read)
        if not summary.n:
            raise EmptyInput("the input has no number in it, and no word that can be counted")
        words = summary.dtype == np.dtype(str)
        return summary, {
            "n": summary.n,
            "nans": summary.nans,
            "dtype": "words" if words else str(summary.dtype),
            "entries": len(summary),
            "left_out": reader.left_out,
        }


def tell(said: str) -> None:
    """Print one line on the standard error."""
    click.echo(" ".join(f"Note: {message_of(ValueError(said))}".split()), err=True)


def _find_files(name: str) -> list[Path]:
    """Return the files of a name; an existing file may have a name that looks like a pattern."""
    path = Path(name)
    if glob.has_magic(name) and not path.exists():
        matching = sorted(Path(each) for each in glob.glob(name, recursive=True))  # noqa: PTH207
        if not (files := [each for each in matching if not each.is_dir()]):
            raise Failure(f"no file matches {name!r}", BAD_INPUT)
        return files
    if not is_standard(path) and (path.is_dir() or not os.access(path, os.R_OK)):
        why = "is a directory" if path.is_dir() else "does not exist, or cannot be read"
        raise Failure(f"{name} {why}", BAD_INPUT)
    return [path]
