"""The worst errors of a sketch, of each kind, against the sorted stream.

A difference of one rank is not counted: definitions of a quantile differ by as much.
"""

from typing import Any

import numpy as np

from bench.sketches.contestants import COUNT, MOSTLY, RANK, TAIL, VALUE, Contestant, Promise
from bench.streams.frequencies import Exact, counted
from bench.streams.quantiles import ranks_off
from shadersort.keys.types import Integers, Keys

QUANTILES = 1001
BEYOND = 1000
"""One in so many values is in the tail: those from the quantile 0.999 on."""
LENIENT = 3
"""A promise of 99% may be broken now and then, but not by more than this factor."""


class Truth:
    """A stream in order, and how often each of its values occurs."""

    def __init__(self, stream: Keys) -> None:
        self.ordered: Keys = np.sort(stream)
        self.exact: Exact = counted(self.ordered)

    @property
    def n(self) -> int:
        """How many values there are."""
        return self.ordered.size

    def errors(self, contestant: Contestant, answers: Any) -> dict[str, float]:
        """Return the worst errors of what answers, by kind."""
        if contestant.counts:
            items, counts = self.exact
            off = np.abs(contestant.answer(answers, items) - counts)
            return {COUNT: float(off.max() / self.n)}
        ranks, near = self._ranks(), self._near()
        found, beyond = (contestant.answer(answers, self._asked(each)) for each in (ranks, near))
        in_tail = self._off(beyond, near) / np.maximum(self.n - near, 1)
        return {
            RANK: float(self._off(found, ranks).max() / self.n),
            TAIL: float(in_tail.max()),
            VALUE: self._values_off(found, ranks),
        }

    def _ranks(self) -> Integers:
        """Return ranks from 1 to n, evenly spread."""
        return np.linspace(1, self.n, QUANTILES).astype(np.int64)

    def _near(self) -> Integers:
        """Return ranks that come closer and closer to the last one."""
        beyond = np.geomspace(1, max(1, self.n // BEYOND), QUANTILES).astype(np.int64)
        return self.n - np.unique(beyond)

    def _asked(self, ranks: Integers) -> Any:
        """Return quantiles that have these ranks, however products with n are rounded."""
        return (ranks - 0.5) / self.n

    def _off(self, found: Keys, ranks: Integers) -> Any:
        return np.maximum(0, ranks_off(found, self.ordered, ranks) - 1)

    def _values_off(self, found: Keys, ranks: Integers) -> float:
        """Return the worst distance from a value, as a share of it; 1 if that value is zero."""
        near = [self.ordered[np.clip(ranks + to, 0, self.n - 1)] for to in (-2, -1, 0)]
        off = np.min([_relative(found, each.astype(np.float64)) for each in near], axis=0)
        return float(off.max())


def _relative(found: Any, exact: Any) -> Any:
    away = np.abs(found - exact)
    zero = exact == 0
    return np.where(zero, away > 0, away / np.where(zero, 1, np.abs(exact)))


def checked(contestant: Contestant, sketch: Any, truth: Truth) -> dict[str, Any]:
    """Return the worst errors of a sketch, and what was promised of them.

    Raises AssertionError if a promise is broken.
    """
    errors, promise = truth.errors(contestant, sketch), contestant.promise(sketch)
    if not kept(promise, errors):
        raise AssertionError(f"{contestant.name} breaks its promise {promise}: {errors}")
    told = {"promised": promise.kind, "promise": promise.error, "sure": promise.sure}
    return {**told, **errors}


def kept(promise: Promise, errors: dict[str, float]) -> bool:
    """Return whether errors are as promised, or nearly so if the promise is not for all cases."""
    if promise.kind is None or promise.error is None:
        return True
    lenient = LENIENT if promise.sure == MOSTLY else 1 + 1e-9
    return errors[promise.kind] <= promise.error * lenient
