"""The worst errors of a sketch, of each kind, against the sorted stream.

A difference of one rank is not counted: definitions of a quantile differ by as much.
"""

from typing import Any

import numpy as np

from bench.sketches.contestants import COUNT, MOSTLY, RANK, TAIL, VALUE, Contestant
from bench.streams.frequencies import Exact, counted
from bench.streams.quantiles import ranks_off
from shadersort.keys.types import Integers, Keys

QUANTILES, BEYOND = 1001, 1000
"""Quantiles that are asked of a stream. The tail is the largest 1 in this many values."""

LENIENT = 3
"""A promise of 99% may be broken now and then, but not by more than this factor."""


class Truth:
    """A stream in order, and how often each of its values occurs."""

    def __init__(self, stream: Keys) -> None:
        self.ordered: Keys = np.sort(stream)
        self.exact: Exact = counted(self.ordered)
        self.n = n = stream.size
        self.ranks = np.linspace(1, n, QUANTILES).astype(np.int64)
        beyond = np.geomspace(1, max(1, n // BEYOND), QUANTILES).astype(np.int64)
        self.near = n - np.unique(beyond)  # ranks closer and closer to the last one

    def check(self, contestant: Contestant, sketch: Any) -> dict[str, Any]:
        """Return the worst errors of a sketch, and what was promised of them.

        Raises AssertionError if a promise is broken.
        """
        errors, promise = self.errors(contestant, sketch), contestant.promise(sketch)
        lenient = LENIENT if promise.sure == MOSTLY else 1 + 1e-9
        if promise.kind and promise.error and errors[promise.kind] > promise.error * lenient:
            raise AssertionError(f"{contestant.name} breaks its promise {promise}: {errors}")
        told = {"promised": promise.kind, "promise": promise.error, "sure": promise.sure}
        return {**told, **errors}

    def errors(self, contestant: Contestant, sketch: Any) -> dict[str, float]:
        """Return the worst errors of a sketch, by kind."""
        if contestant.counts:
            items, counts = self.exact
            off = np.abs(contestant.answer(sketch, items) - counts)
            return {COUNT: float(off.max() / self.n)}
        found, beyond = (  # quantiles of these ranks, however products with n are rounded
            contestant.answer(sketch, (ranks - 0.5) / self.n) for ranks in (self.ranks, self.near)
        )
        in_tail = self._off(beyond, self.near) / np.maximum(self.n - self.near, 1)
        return {
            RANK: float(self._off(found, self.ranks).max() / self.n),
            TAIL: float(in_tail.max()),
            VALUE: self._values_off(found),
        }

    def _off(self, found: Keys, ranks: Integers) -> Any:
        return np.maximum(0, ranks_off(found, self.ordered, ranks) - 1)

    def _values_off(self, found: Any) -> float:
        """Return the worst distance from a value, as a share of it; 1 if that value is zero."""
        places = [np.clip(self.ranks + to, 0, self.n - 1) for to in (-2, -1, 0)]
        exact = self.ordered[places].astype(np.float64)
        away, zero = np.abs(found - exact), exact == 0
        off = np.where(zero, away > 0, away / np.where(zero, 1, np.abs(exact)))
        return float(off.min(axis=0).max())
