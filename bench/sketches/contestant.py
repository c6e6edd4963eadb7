"""What takes part: how to make it, to feed it and to ask it, and what it promises."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from shadersort.keys.types import Keys

RANK, TAIL, VALUE, COUNT = "rank", "tail", "value", "count"
"""Kinds of errors: shares of n, of the values above, of the value itself, and of n again."""

ALWAYS, MOSTLY, NOTHING = "deterministic", "99%", "none"
"""How sure a promise is."""

Feed = Callable[[Any, Keys], Any]
"""Gives a stream to a sketch."""


class Promise(NamedTuple):
    """What a library states: an error of a kind, and how sure it is."""

    kind: str | None
    error: float | None
    sure: str


NO_PROMISE = Promise(None, None, NOTHING)


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """A summary of ours, or a sketch of another library.

    Attributes
    ----------
    name
        The name of its row in the tables.
    make
        Returns an empty sketch.
    feeds
        Ways to give it a stream, by name.
    promise
        What is promised of the errors of a sketch that was fed.
    label
        Says what ran, from the object that ran.
    to_bytes
        Returns the sketch as bytes.
    answer
        Returns the quantiles at an array of shares; for a sketch of counts, the counts of an array
        of items.
    finish
        Returns what answers, once the stream is over.
    counts
        Whether it is a sketch of counts.
    """

    name: str
    make: Callable[[], Any]
    feeds: Mapping[str, Feed]
    promise: Callable[[Any], Promise]
    label: Callable[[Any], str]
    to_bytes: Callable[[Any], bytes]
    answer: Callable[[Any, Keys], Any]
    finish: Callable[[Any], Any] = lambda sketch: sketch
    counts: bool = False

    def run(self, fed: str, stream: Keys) -> "Ran":
        """Return the sketch of a stream that was given to it in one of its ways."""
        sketch = self.make()
        self.feeds[fed](sketch, stream)
        return Ran(sketch, self.finish(sketch))


class Ran(NamedTuple):
    """A sketch that was fed, and what it answers with: mostly itself."""

    fed: Any
    answers: Any


PART = 1000
"""Values in a short update."""

AT_ONCE, IN_PARTS, BY_VALUE, BY_HISTOGRAM = (
    "at once",
    f"updates of {PART:,}",
    "value by value",
    "histograms",
)
"""Names of ways to feed."""


def at_once(sketch: Any, stream: Keys) -> None:
    """Give a stream in one update."""
    sketch.update(stream)


def in_parts(sketch: Any, stream: Keys) -> None:
    """Give a stream in short updates."""
    for first in range(0, stream.size, PART):
        sketch.update(stream[first : first + PART])


ARRAYS: Mapping[str, Feed] = {AT_ONCE: at_once, IN_PARTS: in_parts}
"""Ways to feed what takes arrays by a method `update`."""
