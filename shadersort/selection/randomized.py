"""Randomized selection: a sample says between which two keys the answer is likely to be.

Of keys drawn at random, the number below the k-th key has a binomial distribution. So two keys of
the sorted sample bracket the answer with a probability that can be chosen, and one read counts at
both (Monroe et al. 2011; Alabi et al. 2012, section 5.2, take 0.9 for it). A bracket that misses is
no failure: counts tell on which side the answer is, and the next round works there.
"""

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.primitives import Counts, Key, Keys, Primitives
from shadersort.selection.method import Method
from shadersort.selection.run import Run

__all__ = ["FEW", "METHOD", "PROBABILITY", "SAMPLES", "bracket", "randomized"]

SAMPLES = 1024
"""Keys in a sample."""

PROBABILITY = 0.9
"""That a bracket holds the answer: the number of Alabi et al. for floats."""

FEW = 1 << 14
"""So few keys are sorted at once."""


def randomized(
    run: Run,
    *,
    samples: int = SAMPLES,
    probability: float = PROBABILITY,
    few: int = FEW,
    seed: int = 0,
) -> Key:
    """Bracket the answer by a sample, and go on with the keys inside the bracket.

    The trace names a round that hit "bracket" and one that missed "miss".

    Parameters
    ----------
    run
        Keys and rank.
    samples
        Keys in a sample.
    probability
        That a bracket holds the answer, between 0 and 1.
    few
        So few keys are sorted.
    seed
        Of the first sample; each round adds one.
    """
    if samples < 1 or not 0 < probability < 1:
        reason = f"samples are 1 or more, not {samples}; a probability is between 0 and 1"
        raise BadOption(f"{reason}, not {probability}")
    rounds = _Rounds(run)
    while rounds.answer is None and rounds.keys.size > max(few, 1):
        sample = np.sort(rounds.keys.sample(samples, seed))
        run.record("sample")
        lower, upper = bracket(samples, (rounds.k + 0.5) / rounds.keys.size, probability)
        ends = sample[[max(lower - 1, 0), min(upper, samples - 1)]]
        rounds.part(ends, lower == 0, upper == samples)
        seed += 1
    if rounds.answer is None:
        return run.from_sorted(rounds.keys, [rounds.k])[0]
    return rounds.answer


def bracket(samples: int, share: float, probability: float) -> tuple[int, int]:
    """Return the least and the most samples that lie below a key, with a probability.

    Parameters
    ----------
    samples
        Keys drawn.
    share
        Of all keys that are below this key, between 0 and 1.
    probability
        That the number is in the range; each tail has at most half of the rest.

    Examples
    --------
    >>> bracket(1024, 0.5, 0.9)
    (486, 538)
    >>> bracket(1024, 1e-6, 0.9)
    (0, 0)
    """
    tail = (1 - probability) / 2
    chances = np.cumsum(_binomial(samples, share))
    lower = int(np.searchsorted(chances, tail, side="right"))
    return lower, min(int(np.searchsorted(chances, 1 - tail)), samples)


def _binomial(samples: int, share: float) -> npt.NDArray[np.float64]:
    """Return the probability of each number of successes."""
    factorials = np.cumsum(np.log(np.maximum(np.arange(samples + 1), 1)))
    ways = factorials[-1] - factorials - factorials[::-1]
    successes = np.arange(samples + 1)
    logs = successes * np.log(share) + successes[::-1] * np.log1p(-share)
    return np.asarray(np.exp(ways + logs))


class _Rounds:
    """The keys that may be the answer, and the rank among them."""

    def __init__(self, run: Run) -> None:
        self.run, self.k = run, run.k
        self.keys: Primitives = run.keys
        self.answer: Key | None = None

    def part(self, ends: Keys, first: bool, last: bool) -> None:
        """Count at the ends of a bracket, and keep the part with the rank.

        A bracket that is the first, or the last, goes on beyond its end.
        """
        low, high = self.keys.counts_at(ends)
        if self.k < low.below:
            self._keep("bracket" if first else "miss", None, ends[0], 0, low.below)
        elif low.prove(self.k):
            self._found(ends[0], low)
        elif high.prove(self.k):
            self._found(ends[1], high)
        elif self.k < high.below:
            before = low.below + low.equal
            self._keep("bracket", ends[0], ends[1], before, high.below - before)
        else:
            before = high.below + high.equal
            self._keep("bracket" if last else "miss", ends[1], None, before, high.above)

    def _found(self, key: Key, counts: Counts) -> None:
        self.answer = key
        known = counts if self.keys is self.run.keys else None
        self.run.record("bracket", pivot=key, counts=known, candidates=1)

    def _keep(self, name: str, low: Key | None, high: Key | None, before: int, size: int) -> None:
        """Copy the keys between two, which come after `before` others."""
        self.run.record(name, candidates=size)
        self.k -= before
        self.keys = self.keys.between(low, high)
        self.run.record("compact", low=low, high=high)


METHOD = Method("randomized", randomized, needs=("sample", "counts_at", "between", "sort", "take"))
