"""The problems of `docs/scale.md`, and the selections whose bytes are counted for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.scale_model import Counted, Problem, Round
from bench.shared.words import about
from shadersort.selection import select
from shadersort.selection.primitives.parts import PartsPrimitives

KEYS, WORKERS = (10**9, 10**12, 10**15), (4, 100, 1000, 10_000)
"""The problems of the page."""

MEASURED = (
    *((20_001, 4), (100_001, 4), (1_000_001, 4), (20_001, 100), (100_001, 100), (1_000_001, 100)),
)
"""Keys and parts of the selections whose bytes are counted."""


@dataclass(frozen=True, slots=True)
class Point:
    """A selection that ran, and what the model says of it."""

    problem: Problem
    rounds: tuple[Round, ...]

    @property
    def bytes(self) -> float:
        """Bytes that were sent and received."""
        return sent_and_received(self.rounds)


def points() -> Iterator[Point]:
    """Count the bytes of the middle key of random keys."""
    for keys, parts in MEASURED:
        yield counted(Problem(keys, parts, edges=2))


def counted(problem: Problem) -> Point:
    """Count the bytes of the median of random keys, in as many parts as there are workers."""
    asking, keys = Counted(), 10 / 3 + np.random.default_rng(1).standard_normal(problem.keys)
    arrays = np.array_split(keys, problem.workers)
    parts = PartsPrimitives.of_arrays(arrays, ask_all=asking, most=problem.most)
    parts.tuning = replace(parts.tuning, counters=problem.counters)
    select(parts, problem.keys // 2)
    return Point(problem, tuple(asking.rounds))


def sent_and_received(some: Sequence[Round]) -> float:
    """Return the bytes of all rounds."""
    return sum(each.sent + each.received for each in some)


def moved_by_a_sort(problem: Problem) -> float:
    """Return the bytes that travel if keys are sorted: almost every key goes to another worker."""
    return problem.keys * problem.itemsize * (1 - 1 / problem.workers)


def power(count: int) -> str:
    """Return a large number as a power of ten.

    Examples
    --------
    >>> power(10**12), power(68_719_476_736)
    ('10¹²', '6.9·10¹⁰')
    """
    digits = len(str(count)) - 1
    exponent = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(digits))
    front = about(count / 10**digits)
    return f"10{exponent}" if front == "1" else f"{front}·10{exponent}"
