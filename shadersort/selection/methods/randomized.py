"""Randomized selection: two keys of a sample are likely to have the answer between them.

The number of drawn keys that are below the k-th key has a binomial distribution. So two keys of the
sorted sample bracket the answer with a probability that can be chosen. One read counts at both and
copies what lies between (Monroe et al. 2011; Alabi et al. 2012, section 5.2, with probability 0.9).
A bracket that misses the answer is no failure: the counts show on which side the answer is, and the
next round samples there.
"""

from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.primitives import Bracketed, Counts, Primitives
from shadersort.selection.selection import Selection

PROBABILITY = 0.99
"""The probability that a bracket holds the answer. With the 0.9 that Alabi et al. use for floats,
one bracket in ten misses the answer. A miss costs two reads. A bracket for 0.99 is 1.5 times as
wide, which costs almost nothing."""

REACH = 9
"""The widest bracket, in standard deviations from its middle. In double precision the probability
of a miss is 0 from here on."""


def randomized(
    selection: Selection,
    *,
    samples: int | None = None,
    probability: float = PROBABILITY,
    few: int | None = None,
    seed: int = 0,
) -> Key:
    """Bracket the answer by a sample, and continue with the keys inside the bracket.

    The trace calls a round "bracket" if the bracket held the answer, and "miss" otherwise.

    Parameters
    ----------
    samples
        Keys in a sample; None for the device's default.
    probability
        The probability that a bracket holds the answer, between 0 and 1.
    few
        The rounds end, after one at least, when this many keys are left or fewer; None for the
        device's default.
    seed
        Seed of the first sample; each round adds one.
    """
    tuning = selection.keys.tuning
    samples = tuning.samples if samples is None else samples
    few = tuning.few if few is None else few
    if samples < 1 or not 0 < probability < 1:
        reason = f"samples are 1 or more, not {samples}; a probability is between 0 and 1"
        raise BadOption(f"{reason}, not {probability}")
    rounds = _Rounds(selection, samples, probability)
    rounds.draw(seed)
    while rounds.answer is None and rounds.keys.size > max(few, 1):
        seed += 1
        rounds.draw(seed)
    if rounds.answer is None:
        ranks = selection.ranks
        return selection.finish(rounds.keys, ranks, ranks - rounds.before)[0]
    return rounds.answer


@lru_cache(maxsize=1024)
def bracket(samples: int, share: float, probability: float) -> tuple[int, int]:
    """Return the smallest and the largest likely number of samples below a key.

    Parameters
    ----------
    samples
        How many keys are drawn.
    share
        The share of all keys that is below this key, between 0 and 1.
    probability
        The probability that the number lies in the range; each tail has at most half of the rest.

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
    """Return the probability of each number of successes from `first` to `last`."""
    successes = np.arange(first, last + 1)
    logs = successes * np.log(share) + (samples - successes) * np.log1p(-share)
    return np.asarray(np.exp(_ways(samples)[first : last + 1] + logs))


@cache
def _ways(samples: int) -> npt.NDArray[np.float64]:
    """Return the logarithms of the binomial coefficients of `samples`."""
    factorials = np.cumsum(np.log(np.maximum(np.arange(samples + 1), 1)))
    return np.asarray(factorials[-1] - factorials - factorials[::-1])


class _Rounds:
    """The keys that may be the answer, and how many other keys are below them."""

    def __init__(self, selection: Selection, samples: int, probability: float) -> None:
        self.selection, self.samples, self.probability = selection, samples, probability
        self.keys, self.before = selection.keys, 0
        self.answer: Key | None = None

    def draw(self, seed: int) -> None:
        """Draw a bracket, count at its ends, and keep the part that has the rank.

        A bracket at an end of the sample has no lower (or no upper) end. A device that has
        `bracketed` also finds the answer in this step, if the bracket holds the answer.
        """
        keys, k, samples = self.keys, self.selection.k - self.before, self.samples
        lower, upper = bracket(samples, (k + 0.5) / keys.size, self.probability)
        places = max(lower - 1, 0), min(upper, samples - 1)
        copy: Primitives | None = None
        if keys.supports("bracketed"):
            found = keys.bracketed(k, samples, seed, *places)
        else:
            low, high = in_order(keys.sample(samples, seed))[list(places)]
            self.selection.record("sample")
            at_low, at_high, copy = keys.parted(low, high)
            found = Bracketed((low, high), (at_low, at_high), copy.size)
        (low, high), (at_low, at_high) = found.ends, found.at_ends
        if at_low.prove(k):
            self._found("bracket", low, at_low, candidates=1)
        elif at_high.prove(k):
            self._found("bracket", high, at_high, candidates=1)
        elif k < at_low.below:
            self.selection.record("miss" if lower else "bracket", candidates=at_low.below)
            self._keep(keys.between(None, low, count=at_low.below), 0, None, low)
        elif k >= at_high.below:
            self.selection.record(
                "miss" if upper < samples else "bracket", candidates=at_high.above
            )
            above = keys.between(high, None, count=at_high.above)
            self._keep(above, at_high.below + at_high.equal, high, None)
        else:
            self.selection.record("bracket", candidates=found.inside)
            if copy is not None:
                self._keep(copy, at_low.below + at_low.equal, low, high)
            else:
                assert found.at_key is not None
                self._found("fused radix", found.key, found.at_key)

    def _found(self, name: str, key: Key, counts: Counts, **details: Any) -> None:
        below = counts.below + self.before
        of_all = Counts.of(below, counts.equal, self.selection.n)
        self.answer = key
        self.selection.record(name, pivot=key, counts=of_all, **details)

    def _keep(self, keys: Primitives, before: int, low: Key | None, high: Key | None) -> None:
        """Continue with a copy; `before` of the keys so far are below it."""
        self.keys = keys
        self.before += before
        self.selection.record("compact", low=low, high=high)


METHOD = Method("randomized", randomized, needs=("sample", "counts_at", "between", "sort", "take"))
