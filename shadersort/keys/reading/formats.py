"""One reader for each format: all yield arrays of numbers, or words that are still to be read."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from shadersort.errors import BadOption, UnknownColumn
from shadersort.keys.reading.arrow import arrow_values, parquet_values
from shadersort.keys.reading.binary import npy_values, npz_member, raw_numbers
from shadersort.keys.reading.fields import field_words
from shadersort.keys.reading.json_lines import json_words
from shadersort.keys.reading.lines import line_words
from shadersort.keys.reading.opening import Input
from shadersort.keys.reading.request import Request
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys

Batch = Keys | Words
"""Some numbers, in the byte order of the input, or some words."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is read of one input."""

    batches: Iterator[Batch]
    place: str = ""  # what messages say after the name of the input: ", column 'ms'"
    unit: str = "line"  # what the numbers of words count: lines or rows
    perhaps_titled: bool = False  # whether the first word may be the title of the column


Open = Callable[[Input, Request], AbstractContextManager[Column]]
"""Opens the column of an input that a request asks for."""


@contextmanager
def _npy(source: Input, request: Request) -> Iterator[Column]:
    yield Column(npy_values(source.file, source.name, request), unit="row")


@contextmanager
def _npz(source: Input, request: Request) -> Iterator[Column]:
    with npz_member(source, request.column) as (member, name):
        yield Column(npy_values(member, name, request), unit="row")


@contextmanager
def _raw(source: Input, request: Request) -> Iterator[Column]:
    yield Column(raw_numbers(source.file, source.name, request))


@contextmanager
def _text(source: Input, request: Request) -> Iterator[Column]:
    column = request.column
    if isinstance(column, str):
        raise UnknownColumn(
            f"{source.name} is text, whose columns have no names: choose one by its number, or say "
            "form='csv'"
        )
    words = line_words(source.file, source.name, None if column is None else column - 1)
    yield Column(words, _place(request))


def _place(request: Request) -> str:
    """Return what messages say of a column after the name of the input."""
    return "" if request.column is None else f", column {request.column}"


@contextmanager
def _csv(source: Input, request: Request) -> Iterator[Column]:
    delimiter = request.delimiter or ("\t" if source.form == "tsv" else ",")
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise BadOption(f"delimiter is one ASCII character, not {delimiter!r}")
    words, called, perhaps = field_words(
        source.file, source.name, request.column, delimiter, request.header
    )
    yield Column(words, f", column {called}", perhaps_titled=perhaps)


@contextmanager
def _jsonl(source: Input, request: Request) -> Iterator[Column]:
    yield Column(json_words(source.file, source.name, request.column), _place(request))


@contextmanager
def _parquet(source: Input, request: Request) -> Iterator[Column]:
    yield Column(parquet_values(source, request), _place(request), "row")


@contextmanager
def _arrow(source: Input, request: Request) -> Iterator[Column]:
    yield Column(arrow_values(source, request), _place(request), "row")


FORMATS: dict[str, Open] = {
    "npy": _npy,
    "npz": _npz,
    "raw": _raw,
    "text": _text,
    "csv": _csv,
    "tsv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "arrow": _arrow,
}
"""What opens a column, by the name of the format."""


def check_request(source: Input, request: Request) -> None:
    """Raise BadOption if an option says nothing about this format."""
    form = source.form
    for name, value, forms in (
        ("offset", request.offset or None, ("raw",)),
        ("delimiter", request.delimiter, ("csv", "tsv")),
        ("header", request.header, ("csv", "tsv")),
        ("encoding", request.encoding, ("text", "csv", "tsv", "jsonl")),
    ):
        if value is not None and form not in forms:
            raise BadOption(
                f"{name}= is for {' and '.join(forms)} inputs, and {source.name} is {form}"
            )
    if request.column is not None and form == "raw":
        raise BadOption(f"column= is for inputs with columns, and {source.name} is raw numbers")
