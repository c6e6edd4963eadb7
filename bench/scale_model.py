"""What selection over parts sends: a model for any number of keys and workers, and what counts it.

A round asks every worker at once, and ends with the last answer. Bytes are those of keys, places
and counters: how a scheduler wraps them up is its own matter. The model is held to what
`PartsPrimitives` sends, which `Counted` counts (`tests/bench/test_scale.py`).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shadersort.selection.files.primitives import LOAD
from shadersort.selection.methods.auto import FEW
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.dense_buckets import SAMPLES
from shadersort.selection.primitives.parts import COLLECTED, Ask, in_threads
from shadersort.selection.primitives.parts.part import collected, copied
from shadersort.selection.primitives.parts.primitives import DIGIT
from shadersort.selection.primitives.values import Tuning

NUMBER = 8
"""Bytes of a count, a place or a size."""

NAMES: dict[Any, str] = {
    "take": "sample",
    "histogram_and_nans": "histogram",
    copied: "candidates",
    collected: "candidates",
    "extent": "extent",
    "digit_histograms": "digits",
    "of_buckets": "filter",
    "with_prefixes": "filter",
}
"""What a round is called, by its call."""


@dataclass(frozen=True, slots=True)
class Round:
    """What travels in a round, in bytes; and whether all keys are read.

    Attributes
    ----------
    name
        What it asks for.
    sent, received
        Bytes of all questions and of all answers.
    answer
        Bytes of one worker's answer.
    reads
        Whether all keys are read.
    """

    name: str
    sent: float
    received: float
    answer: float
    reads: bool = True


@dataclass(frozen=True, slots=True)
class Problem:
    """A selection: how many keys on how many workers.

    Attributes
    ----------
    keys, workers
        How many of each; a worker adds up the answers of its own parts.
    itemsize
        Bytes of a key.
    ranks
        How many ranks are wanted: the median of an even number has two, which are neighbours and
        share a bucket.
    edges
        The edges of the buckets: 2 if keys are about evenly spread, at most 17 without ties.
    counters, most
        Counters of a histogram, and how many candidates may come together.
    load
        How many times the mean the bucket of a rank has: about 3 in the middle of a bell curve.

    Examples
    --------
    >>> [each.name for each in rounds(Problem(keys=10**9, workers=100))]
    ['sample', 'histogram', 'candidates']
    >>> len(list(rounds(Problem(keys=10**12, workers=100))))
    6
    """

    keys: int
    workers: int
    itemsize: int = 8
    ranks: int = 1
    edges: int = 17
    counters: int = Tuning(copies=True).counters
    most: int = COLLECTED
    load: float = LOAD

    @property
    def candidates(self) -> float:
        """The expected number of keys in the buckets of all ranks."""
        return min(self.load * self.ranks * self.keys / self.counters, self.keys)


def rounds(problem: Problem) -> Iterator[Round]:
    """Yield the rounds of a selection by buckets, with the bytes that are expected."""
    workers, size = problem.workers, problem.itemsize
    if problem.keys <= min(FEW, problem.most):
        yield Round("candidates", 0, problem.keys * size, problem.keys * size / workers)
        return
    yield Round("sample", SAMPLES * NUMBER, SAMPLES * size, SAMPLES * size / workers, reads=False)
    buckets = problem.edges * size + NUMBER
    histogram = (problem.counters + 1) * NUMBER
    yield Round("histogram", workers * buckets, workers * histogram, histogram)
    chosen = buckets + problem.ranks * NUMBER
    left = problem.candidates
    if left > problem.most:
        yield from _divided(problem, chosen)
        left = divided(problem)[1]
        chosen = (problem.ranks + 1) * NUMBER
    yield Round("candidates", workers * chosen, left * size, left * size / workers)


def divided(problem: Problem) -> tuple[int, float]:
    """Return how many digits divide the buckets until few candidates are left, and how many are.

    Examples
    --------
    >>> digits, left = divided(Problem(keys=10**15, workers=4))
    >>> digits, round(left)
    (2, 2728)
    """
    left, digits = problem.candidates, 0
    while left > problem.most:
        left, digits = left / (1 << DIGIT), digits + 1
    return digits, left


def _divided(problem: Problem, chosen: float) -> Iterator[Round]:
    """Yield the rounds that leave few candidates: the buckets stay where they are.

    Each worker is assumed to have some of the keys; one that has none is not asked any more.
    """
    workers = problem.workers
    yield Round("filter", workers * chosen, workers * NUMBER, NUMBER)
    extent = 5 * NUMBER + 2 * problem.itemsize  # a sum, four counts, and the two ends
    yield Round("extent", 0, workers * extent, extent)
    digits, _ = divided(problem)
    asked, histogram = (2 + problem.ranks) * NUMBER, problem.ranks * NUMBER << DIGIT
    for digit in range(digits):
        yield Round("digits", workers * asked, workers * histogram, histogram)
        if digit < digits - 1:
            prefixes = (1 + problem.ranks) * NUMBER
            yield Round("filter", workers * prefixes, workers * NUMBER, NUMBER)


@dataclass(frozen=True, slots=True)
class Cluster:
    """What workers do in a second, as it is assumed.

    Attributes
    ----------
    reads, network
        Bytes that a worker reads in a second, and that a worker sends or receives.
    latency
        Seconds of a message, with what a scheduler adds to it.
    together
        How many answers are added up at a time, as a tree.
    """

    reads: float = 1e9
    network: float = 1.25e9
    latency: float = 1e-3
    together: int = 8

    def seconds(self, problem: Problem) -> float:
        """Return the seconds of a selection."""
        return sum(self.of_round(each, problem) for each in rounds(problem))

    def of_round(self, each: Round, problem: Problem) -> float:
        """Return the seconds of a round: reading, and answers that come up the tree.

        Candidates do not add up, so all of them arrive at one place.
        """
        read = self.read_once(problem) if each.reads else 0
        levels = max(math.ceil(math.log(problem.workers, self.together)), 1)
        if each.name in ("candidates", "sample"):
            arriving = each.received / self.network
        else:
            arriving = levels * self.together * each.answer / self.network
        messages = 2 * levels * self.together * self.latency
        return read + arriving + messages

    def read_once(self, problem: Problem) -> float:
        """Return the seconds in which all workers read all keys."""
        return problem.keys * problem.itemsize / problem.workers / self.reads


@dataclass(slots=True)
class Counted:
    """Asks parts, and counts the bytes of each round.

    Examples
    --------
    >>> from shadersort.selection import median
    >>> from shadersort.selection.primitives.parts import PartsPrimitives
    >>> asking = Counted()
    >>> arrays = np.split(np.random.default_rng(1).random(100_000), [10, 50_000])
    >>> _ = median(PartsPrimitives.of_arrays(arrays, ask_all=asking))
    >>> [(each.name, each.sent) for each in asking.rounds][:2]
    [('sample', 8192), ('histogram', 72)]
    """

    ask_all: Callable[[Sequence[Any], Sequence[Ask]], list[Any]] = in_threads
    rounds: list[Round] = field(default_factory=list)

    def __call__(self, parts: Sequence[Any], asks: Sequence[Ask]) -> list[Any]:
        """Ask all parts, and count."""
        answers = self.ask_all(parts, asks)
        name = NAMES.get(asks[0][0], str(asks[0][0]))
        received = [size_of(each) for each in answers]
        sent = sum(size_of(each) for _, args in asks for each in args)
        each = Round(name, sent, sum(received), max(received), name != "sample")
        self.rounds.append(each)
        return answers


def size_of(value: Any) -> int:
    """Return the bytes of what is sent; the name of a call has none, and a part is its size.

    Examples
    --------
    >>> size_of((np.zeros(3, np.float32), 7)), size_of("take"), size_of(None)
    (20, 0, 0)
    """
    if value is None or isinstance(value, str) or callable(value):
        return 0
    if isinstance(value, np.ndarray | np.generic):
        return int(value.nbytes)
    if isinstance(value, Buckets):
        return int(value.edges.nbytes) + NUMBER
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None and not hasattr(value, "ask"):
        return sum(size_of(getattr(value, name)) for name in fields)
    return NUMBER
