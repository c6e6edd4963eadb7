"""Randomized selection: a sample says between which two keys the answer is likely to be.

Of keys drawn at random, the number below the k-th key has a binomial distribution. So two keys of
the sorted sample bracket the answer with a probability that can be chosen, and one read counts at
both and copies what lies between (Monroe et al. 2011; Alabi et al. 2012, section 5.2, take 0.9 for
it). A bracket that misses is no failure: counts tell on which side the answer is, and the next
round works there.
"""

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.primitives import Counts, Key, Primitives
from shadersort.selection.method import Method
from shadersort.selection.run import Run

__all__ = ["METHOD", "PROBABILITY", "bracket", "randomized"]

PROBABILITY = 0.99
"""That a bracket holds the answer. Alabi et al. take 0.9 for floats, and miss one time in ten: a
miss costs two reads, and a bracket that is half as wide again next to nothing."""

REACH = 9
"""Standard deviations from the mean: what lies beyond has no weight in double precision."""


def randomized(
    run: Run,
    *,
    samples: int | None = None,
    probability: float = PROBABILITY,
    few: int | None = None,
    seed: int = 0,
) -> Key:
    """Bracket the answer by a sample, and go on with the keys inside the bracket.

    The trace names a round that hit "bracket" and one that missed "miss".

    Parameters
    ----------
    run
        Keys and rank.
    samples
        Keys in a sample; None for what suits the device.
    probability
        That a bracket holds the answer, between 0 and 1.
    few
        So few keys are sorted; None for what suits the device.
    seed
        Of the first sample; each round adds one.
    """
    tuning = run.keys.tuning
    samples = tuning.samples if samples is None else samples
    few = tuning.few if few is None else few
    if samples < 1 or not 0 < probability < 1:
        reason = f"samples are 1 or more, not {samples}; a probability is between 0 and 1"
        raise BadOption(f"{reason}, not {probability}")
    if tuning.ranks and run.n > few:
        if (found := _at_once(run, samples, probability, seed)) is not None:
            return found
        seed += 1
    rounds = _Rounds(run)
    while rounds.answer is None and rounds.keys.size > max(few, 1):
        sample = np.sort(rounds.keys.sample(samples, seed))
        run.record("sample")
        share = (run.k - rounds.before + 0.5) / rounds.keys.size
        lower, upper = bracket(samples, share, probability)
        ends = sample[[max(lower - 1, 0), min(upper, samples - 1)]]
        rounds.part(ends[0], ends[1], lower == 0, upper == samples)
        seed += 1
    if rounds.answer is None:
        k = np.array([run.k])
        return run.ranked(rounds.keys, k, k - rounds.before)[0]
    return rounds.answer


def _at_once(run: Run, samples: int, probability: float, seed: int) -> Key | None:
    """Return the answer if the device finds it in one round of its own."""
    lower, upper = bracket(samples, (run.k + 0.5) / run.n, probability)
    if not 0 < lower <= upper < samples:
        return None
    found = run.keys.bracketed(run.k, samples, seed, lower - 1, upper)
    run.record("sample")
    for end, at_end in zip(found.ends, found.at_ends, strict=True):
        if at_end.prove(run.k):
            run.record("bracket", pivot=end, counts=at_end, candidates=1)
            return end
    if found.key is None:
        run.record("miss", candidates=run.n)
        return None
    run.record("bracket", candidates=found.inside)
    run.record("sort", pivot=found.key, counts=found.at_key)
    return found.key


@lru_cache(maxsize=1024)
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
    reach = REACH * (samples * share * (1 - share)) ** 0.5 + REACH
    first, last = max(int(samples * share - reach), 0), min(int(samples * share + reach), samples)
    chances = np.cumsum(_binomial(samples, share, first, last))
    lower = first + int(np.searchsorted(chances, tail, side="right"))
    return lower, min(first + int(np.searchsorted(chances, 1 - tail)), samples)


def _binomial(samples: int, share: float, first: int, last: int) -> npt.NDArray[np.float64]:
    """Return the probability of each number of successes, from one to another."""
    successes = np.arange(first, last + 1)
    logs = successes * np.log(share) + (samples - successes) * np.log1p(-share)
    return np.asarray(np.exp(_ways(samples)[first : last + 1] + logs))


@cache
def _ways(samples: int) -> npt.NDArray[np.float64]:
    """Return the logarithm of the number of ways to choose so many samples, for all numbers."""
    factorials = np.cumsum(np.log(np.maximum(np.arange(samples + 1), 1)))
    return np.asarray(factorials[-1] - factorials - factorials[::-1])


class _Rounds:
    """The keys that may be the answer, and how many come before them."""

    def __init__(self, run: Run) -> None:
        self.run, self.before = run, 0
        self.keys: Primitives = run.keys
        self.answer: Key | None = None

    def part(self, low: Key, high: Key, first: bool, last: bool) -> None:
        """Count at the ends of a bracket, and keep the part with the rank.

        A bracket that is the first, or the last, goes on beyond its end.
        """
        at_low, at_high, inside = self.keys.parted(low, high)
        k = self.run.k - self.before
        if at_low.prove(k):
            self._found(low, at_low)
        elif at_high.prove(k):
            self._found(high, at_high)
        elif k < at_low.below:
            self.run.record("bracket" if first else "miss", candidates=at_low.below)
            self._keep(self.keys.between(None, low, count=at_low.below), 0, None, low)
        elif k < at_high.below:
            self.run.record("bracket", candidates=inside.size)
            self._keep(inside, at_low.below + at_low.equal, low, high)
        else:
            self.run.record("bracket" if last else "miss", candidates=at_high.above)
            above = self.keys.between(high, None, count=at_high.above)
            self._keep(above, at_high.below + at_high.equal, high, None)

    def _found(self, key: Key, counts: Counts) -> None:
        below = counts.below + self.before
        of_all = Counts(below, counts.equal, self.run.n - below - counts.equal)
        self.answer = key
        self.run.record("bracket", pivot=key, counts=of_all, candidates=1)

    def _keep(self, keys: Primitives, before: int, low: Key | None, high: Key | None) -> None:
        """Go on with a copy of keys that come after `before` others here."""
        self.keys = keys
        self.before += before
        self.run.record("compact", low=low, high=high)


METHOD = Method("randomized", randomized, needs=("sample", "counts_at", "between", "sort", "take"))
