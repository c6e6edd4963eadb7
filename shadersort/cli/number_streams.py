"""Summaries of the inputs of a command, which are read once, one piece at a time."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from shadersort.cli.inputs import Inputs
from shadersort.errors import GuessRefuted
from shadersort.files.reader import Reader
from shadersort.files.words import FLOAT64, Parser


class Summary(Protocol):
    """A summary that is fed with numbers, or with groups and numbers."""

    def update(self, values: Iterator[Any], /) -> Any:
        """Take the next numbers."""


AnySummary = TypeVar("AnySummary", bound=Summary)


def summarised(
    inputs: Inputs,
    title: str,
    make: Callable[[], AnySummary],
    parser: Parser | None = None,
    read: Callable[[Reader], Iterator[Any]] = Reader.numbers,
) -> tuple[AnySummary, Reader]:
    """Return a summary of the numbers of the inputs, and what has read them.

    `read` yields what the summary takes: numbers, or groups and numbers.

    The words of files whose type was guessed wrongly are read again, as float64; a pipe cannot be
    read again.

    Raises
    ------
    GuessRefuted
        The type of the words in a pipe was guessed wrongly.
    ForeignFile, TruncatedFile, KeysNotFlat, UnsupportedKeys, …
        As for `Reader.numbers`.
    """
    summary = make()
    with inputs.reader(title, parser=parser) as reader:
        try:
            summary.update(read(reader))
            return summary, reader
        except GuessRefuted:
            if not all(path.is_file() for path in inputs.paths):
                raise
            reader.left_out = 0  # they are left out, and told, when the inputs are read again
    return summarised(inputs.of_type(FLOAT64), title, make, parser, read)
