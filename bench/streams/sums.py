"""The workload of `bench.streams` that sums: normal numbers, up to some values of the stream."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bench.shared.options import Options
from bench.shared.record import Row
from bench.streams.timing import SORTERS, Way, cases, placed, rows
from shadersort import CorrelatedSum
from shadersort.keys.types import Keys

POINTS = 1001
"""Points up to which sums are checked."""
ROUNDING = 1e-9
"""The rounding of float64, as a share of all |y|."""


class ExactSums(NamedTuple):
    """The sums of y up to some points, and that of all |y|."""

    points: Keys
    sums: Keys
    whole: float


def exact_sums(xp: Any, x: Any, y: Any) -> ExactSums:
    """Return exact sums, apart from rounding, given arrays of NumPy or CuPy."""
    order = xp.argsort(x)
    ordered, prefix = x[order], xp.cumsum(y[order])
    places = np.linspace(0, x.size - 1, POINTS).astype(np.int64)
    points = ordered[xp.asarray(places)]
    ends = xp.searchsorted(ordered, points, side="right") - 1
    found, sums = (
        each if isinstance(each, np.ndarray) else each.get() for each in (points, prefix[ends])
    )
    return ExactSums(found, sums, float(xp.abs(y).sum()))


def checked(summary: CorrelatedSum, exact: ExactSums) -> float:
    """Return the worst error of a sum, as a share of the sum of all |y|.

    Raises AssertionError if it is larger than the guarantee, apart from rounding.
    """
    off = float(np.abs(summary.sum_up_to(exact.points) - exact.sums).max() / exact.whole)
    if off > summary.epsilon + ROUNDING:
        raise AssertionError(f"a sum is off by {off} of all |y|: ε is {summary.epsilon}")
    return off


def _correlated(stream: Keys, options: Options) -> Iterator[Row]:
    y = np.random.default_rng(2).standard_normal(stream.size)
    check = partial(checked, exact=exact_sums(np, stream, y))
    for epsilon, sorter in cases(options, [1e-2, 1e-3]):
        given = placed(stream, sorter), placed(y, sorter)

        def run(
            epsilon: float = epsilon, sorter: str = sorter, given: Any = given
        ) -> CorrelatedSum:
            return CorrelatedSum(epsilon, sorter=SORTERS[sorter]()).update(*given)

        told = {"epsilon": epsilon, "sorter": sorter}
        yield from rows(told, stream.size, {"CorrelatedSum": Way(run, check)}, options.turns)


WORKLOADS: dict[str, Callable[[Keys, Options], Iterator[Row]]] = {"correlated": _correlated}
