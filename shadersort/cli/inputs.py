"""Inputs of commands: the options that say how they are read, and several files at once."""

import glob
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from shadersort.cli.failures import BAD_INPUT, Failure, InputFile, message_of
from shadersort.cli.options import key_type
from shadersort.drawing.progress import progress_in_bytes
from shadersort.files.opening import is_standard
from shadersort.files.reader import Reader
from shadersort.files.request import COMPRESSIONS_READ, FORMS_READ, Request
from shadersort.files.words import Parser

Function = TypeVar("Function", bound=Callable[..., Any])
MOST_DIGITS = 9
"""Digits of the largest number of a column; more of them are a name."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a command, and how they are read."""

    paths: tuple[Path, ...]
    request: Request

    @contextmanager
    def reader(
        self,
        title: str,
        *,
        parser: Parser | None = None,
        widen: Callable[[], None] | None = None,
    ) -> Iterator[Reader]:
        """Yield what reads the inputs; show progress, and tell what was guessed and left out."""
        sizes = [path.stat().st_size if path.is_file() else None for path in self.paths]
        total = None if None in sizes else sum(cast("list[int]", sizes))
        with progress_in_bytes(title, total, shown=sys.stderr.isatty()) as advance:
            reader = Reader(
                self.paths, self.request, parser=parser, advance=advance, tell=tell, widen=widen
            )
            yield reader
        if reader.left_out:
            count = f"{reader.left_out:,} bad word{'s' if reader.left_out > 1 else ''}"
            tell(f"left out {count}; the first: {reader.first_left_out}")

    def of_type(self, dtype: Any) -> "Inputs":
        """Return the same inputs, whose words are read as numbers of a type."""
        return replace(self, request=replace(self.request, dtype=dtype))


def tell(said: str) -> None:
    """Print one line on the standard error."""
    click.echo(" ".join(f"Note: {message_of(ValueError(said))}".split()), err=True)


def paths_of(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of names and patterns, in order; the standard input if there are none.

    Raises Failure for a file that is not there, and for a pattern that no file matches.
    """
    found = [path for name in names for path in _paths_of(name)] or [Path("-")]
    if sum(map(is_standard, found)) > 1:
        raise click.UsageError("the standard input, -, can be read only once")
    return tuple(found)


def _paths_of(name: str) -> list[Path]:
    """Return the files of a name; an existing file may have a name that looks like a pattern."""
    if glob.has_magic(name) and not Path(name).exists():
        matching = sorted(Path(each) for each in glob.glob(name, recursive=True))  # noqa: PTH207
        if not (files := [path for path in matching if not path.is_dir()]):
            raise Failure(f"no file matches {name!r}", BAD_INPUT)
        return files
    return [Path(str(InputFile().convert(name, None, None)))]


def column_of(text: str) -> str | int:
    """Return the number of a column, from 1, or else its name.

    Examples
    --------
    >>> column_of("3"), column_of("price")
    (3, 'price')
    """
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        return text
    if not int(text):
        raise click.BadParameter("columns are counted from 1")
    return int(text)


def delimiter_of(text: str) -> str:
    r"""Return a separator of columns; \t may be written for a tab.

    Examples
    --------
    >>> delimiter_of(r"\t"), delimiter_of(";")
    ('\t', ';')
    """
    found = "\t" if text in ("\\t", "tab") else text
    if len(found) != 1 or not found.isascii() or found in '"\r\n':
        raise click.BadParameter(f"{text!r} is no separator: it is one ASCII character, or tab")
    return found


def input_options(of_text: str) -> Callable[[Function], Function]:
    """Return a decorator that adds the options of inputs, and passes them on as one `request`.

    `of_text` says which type the words of a text have if --dtype is not given.
    """
    options = _options(of_text)
    names = [option.name for option in options]

    def add(function: Function) -> Function:
        @wraps(function)
        def command(*args: Any, **given: Any) -> Any:
            said = {str(name): given.pop(str(name)) for name in names}
            return function(*args, request=Request(**said), **given)

        command.__dict__.setdefault("__click_params__", []).extend(reversed(options))
        return cast("Function", command)

    return add


def _options(of_text: str) -> list[click.Option]:
    return [
        click.Option(
            ["--from", "form"],
            type=click.Choice(FORMS_READ),
            help="Format of the input. Default: by its suffix or its first bytes.",
        ),
        click.Option(
            ["--dtype"],
            type=key_type,
            metavar="DTYPE",
            help=f"Type of the numbers. Needed for raw input; for words, {of_text} by default. "
            "A word that DTYPE does not hold is refused.",
        ),
        click.Option(
            ["--column"],
            type=column_of,
            metavar="NAME|N",
            help="The column of a table, the member of JSON objects or the array of an .npz; "
            "columns are counted from 1.",
        ),
        click.Option(
            ["--delimiter"],
            type=delimiter_of,
            metavar="CHARACTER",
            help="What separates the columns of a CSV. Default: a comma; for TSV, a tab.",
        ),
        click.Option(
            ["--header/--no-header"],
            default=None,
            help="Whether the first row of a CSV has titles. Default: if it has no number.",
        ),
        click.Option(
            ["--encoding"],
            metavar="NAME",
            help="Encoding of a text. Default: UTF-8, or as its byte order mark says.",
        ),
        click.Option(
            ["--compression"],
            type=click.Choice(COMPRESSIONS_READ),
            help="Compression of the input. Default: by its first bytes.",
        ),
        click.Option(
            ["--skip-bad"],
            is_flag=True,
            help="Leave out words that are missing or no numbers, and report how many.",
        ),
        click.Option(
            ["--offset"],
            type=click.IntRange(min=0),
            default=0,
            metavar="BYTES",
            help="Skip this many bytes at the beginning of a raw input.",
        ),
    ]


GUESSED = "int64 or float64, by the first words,"
"""Which type words have by default."""

files_argument = click.argument(
    "src", nargs=-1, metavar="[FILE]...", callback=lambda ctx, param, value: paths_of(value)
)
"""Files, patterns such as 'logs/*.csv.gz', or "-"."""
