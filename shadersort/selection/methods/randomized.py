"""Randomized selection: two keys of a sample are likely to have the answer between them.

The number of drawn keys that are below the k-th key has a binomial distribution. So two keys of the
sorted sample bracket the answer with a probability that can be chosen. One read counts at both and
copies what lies between (Monroe et al. 2011; Alabi et al. 2012, section 5.2, with probability 0.9).
A bracket that misses the answer is no failure: the counts show on which side the answer is, and the
next round samples there.

Ranks that lie close together share a bracket. So few groups of neighbouring ranks, of keys in
several places, take one read of all keys.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.in_order import in_order
from shadersort.keys.limits import limits
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.selection import Selection

PROBABILITY = 0.99
"""The probability that a bracket holds the answer. With the 0.9 that Alabi et al. use for floats,
one bracket in ten misses the answer. A miss costs two reads. A bracket for 0.99 is 1.5 times as
wide, which costs almost nothing."""

REACH = 9
"""The widest bracket, in standard deviations from its middle. In double precision the probability
of a miss is 0 from here on."""

CLOSE = 1 << 10
"""Ranks are neighbours if at most 1 in this many keys lies between them."""

GROUPS = 6
"""This many brackets take as long as a histogram and a copy of some buckets."""


def randomized(
    selection: Selection,
    *,
    samples: int | None = None,
    probability: float = PROBABILITY,
    few: int | None = None,
    seed: int = 0,
) -> Keys:
    """Bracket each group of neighbouring ranks by a sample, and continue with the keys inside.

    The trace calls a round "bracket" if the bracket held the ranks, and "miss" otherwise.

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
    if samples < 1 or not 0 < probability < 1:
        reason = f"samples are 1 or more, not {samples}; a probability is between 0 and 1"
        raise BadOption(f"{reason}, not {probability}")
    rounds = _Rounds(selection, samples, probability, few)
    return rounds.draw(selection.keys, selection.ranks, 0, seed)


def group_neighbours(ranks: Integers, size: int) -> list[Integers]:
    """Return groups of neighbours among ascending ranks: a bracket of each is still narrow.

    Examples
    --------
    >>> group_neighbours(np.array([7, 8, 1700]), 2000)
    [array([7, 8]), array([1700])]
    """
    return np.split(ranks, np.flatnonzero(np.diff(ranks) > size // CLOSE) + 1)


def fits(keys: Primitives, ranks: Integers) -> bool:
    """Whether there is room for copies of the brackets of some ranks, of far keys."""
    groups, samples = group_neighbours(ranks, keys.size), keys.tuning.samples
    if not keys.tuning.room or len(groups) > GROUPS:
        return False
    ends = [_likely_samples(keys.size, samples, PROBABILITY, each) for each in groups]
    return sum(upper - lower for lower, upper in ends) * keys.size <= keys.tuning.room * samples


@lru_cache(maxsize=1024)
def bracket(samples: int, share: float, probability: float) -> tuple[int, int]:
    """Return the smallest and the largest likely number of samples below a key.

    `share` of all keys are below this key. The number lies in the range with the given probability;
    each tail has at most half of the rest.

    Examples
    --------
    >>> bracket(1024, 0.5, 0.9), bracket(1024, 1e-6, 0.9)
    ((486, 538), (0, 0))
    """
    tail = (1 - probability) / 2
    reach = REACH * (samples * share * (1 - share)) ** 0.5 + REACH
    first, last = max(int(samples * share - reach), 0), min(int(samples * share + reach), samples)
    successes = np.arange(first, last + 1)
    logs = successes * np.log(share) + (samples - successes) * np.log1p(-share)
    chances = np.cumsum(np.exp(_ways(samples)[first : last + 1] + logs))
    lower = first + int(np.searchsorted(chances, tail, side="right"))
    return lower, min(first + int(np.searchsorted(chances, 1 - tail)), samples)


@cache
def _ways(samples: int) -> npt.NDArray[np.float64]:
    """Return the logarithms of the binomial coefficients of `samples`."""
    factorials = np.cumsum(np.log(np.maximum(np.arange(samples + 1), 1)))
    return np.asarray(factorials[-1] - factorials - factorials[::-1])


def _likely_samples(
    size: int, samples: int, probability: float, places: Integers
) -> tuple[int, int]:
    """Return the smallest and the largest likely number of samples below keys at some places."""
    shares = ((places[[0, -1]] + 0.5) / size).tolist()
    (lower, _), (_, upper) = (bracket(samples, share, probability) for share in shares)
    return lower, upper


@dataclass(frozen=True, slots=True)
class _Rounds:
    """Draws samples, and continues with the parts of the keys that have a rank."""

    selection: Selection
    samples: int
    probability: float
    few: int | None

    def draw(self, keys: Primitives, ks: Integers, before: int, seed: int) -> Keys:
        """Return the keys of some ranks, given keys that have `before` other keys below them."""
        sample = in_order(keys.sample(self.samples, seed))
        self.selection.record("sample")
        groups = group_neighbours(ks, keys.size)
        pairs = [self._ends(keys, sample, each - before) for each in groups]
        answers = [
            self._divide(keys, each, before, seed, pair, *found)
            for each, pair, found in zip(groups, pairs, keys.parted_each(pairs), strict=True)
        ]
        return np.concatenate(answers)

    def _ends(self, keys: Primitives, sample: Keys, places: Integers) -> tuple[Key, Key]:
        """Return two numbers that are likely to have the keys of some places between.

        Beyond an end of the sample it is the end of the type, infinity for floats; not at both
        ends, as the bracket would then exclude nothing.
        """
        lower, upper = _likely_samples(keys.size, sample.size, self.probability, places)
        if lower == 0 and upper == sample.size:
            lower, upper = 1, sample.size - 1
        least, most = limits(keys.dtype)
        low = sample[lower - 1] if lower else least
        high = sample[upper] if upper < sample.size else most
        return (low if low < most else most), (high if high < most else most)  # and no NaN

    def _divide(
        self,
        keys: Primitives,
        ks: Integers,
        before: int,
        seed: int,
        pair: tuple[Key, Key],
        at_low: Counts,
        at_high: Counts,
        inside: Primitives,
    ) -> Keys:
        """Return the keys of a group of ranks, given the counts at the two ends of its bracket."""
        (low, high), selection = pair, self.selection
        starts = [0, at_low.below, at_low.below + at_low.equal]  # of five sides
        starts += [at_high.below, at_high.below + at_high.equal]
        sides = np.searchsorted(np.maximum.accumulate(starts[1:]), ks - before, side="right")
        sizes = np.array([at_low.below, 1, inside.size, 1, at_high.above])
        name = "bracket" if ((sides > 0) & (sides < 4)).all() else "miss"
        selection.record(name, candidates=int(sizes[np.unique(sides)].sum()))
        answers = np.empty(ks.size, keys.dtype)
        for side in np.unique(sides).tolist():
            here, passed = sides == side, before + starts[side]
            if side == 4 and keys.dtype.kind == "f" and np.isposinf(high):  # only NaNs are above
                answers[here] = np.nan
                selection.learn([np.nan], [passed], [at_high.above])
            elif side in (1, 3):
                end, at = (low, at_low) if side == 1 else (high, at_high)
                answers[here] = end
                selection.learn([end], [passed], [at.equal])
            else:
                ends = ((None, low), (low, high), (high, None))[side // 2]
                copy = inside if side == 2 else keys.between(*ends, count=int(sizes[side]))
                selection.record("compact", low=ends[0], high=ends[1])
                some = ks[here]
                tuning = (keys if copy.tuning.launch else copy).tuning
                few = tuning.few if self.few is None else self.few
                if copy.size <= max(few, 1):
                    answers[here] = selection.finish(copy, some, some - passed)
                else:
                    answers[here] = self.draw(copy, some, passed, seed + 1)
        return answers


METHOD = Method("randomized", many=randomized, needs=("sample", "between", "sort"))
