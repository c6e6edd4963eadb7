"""Randomized selection: two keys of a sample are likely to have the answer between them.

The number of drawn keys that are below the k-th key has a binomial distribution. So two keys of the
sorted sample bracket the answer with a probability that can be chosen. One read counts at both and
copies what lies between (Monroe et al. 2011; Alabi et al. 2012, section 5.2, with probability 0.9).
If the bracket misses the answer, the counts show on which side it is, and the next round samples
there. Ranks that lie close together share a bracket.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.limits import limits
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.selection import Selection

PROBABILITY = 0.99
"""The probability that a bracket holds the answer. A miss costs two reads. A bracket for 0.99 is
1.5 times as wide as one for the 0.9 of Alabi et al., which costs almost nothing."""

REACH = 9
"""The widest bracket, in standard deviations from its middle. In double precision the probability
of a miss is 0 from here on."""

CLOSE = 1 << 10
"""Ranks are neighbours if at most 1 in this many keys lies between them."""

GROUPS = 6
"""This many brackets take as long as a histogram and a copy of some buckets."""

Pair = tuple[Key, Key]
Split = tuple[Counts, Counts, Primitives]
"""The two ends of a bracket; the counts at both, and a copy of the keys between."""


def randomized(
    selection: Selection,
    *,
    samples: int | None = None,
    probability: float = PROBABILITY,
    few: int | None = None,
    seed: int = 0,
) -> Keys:
    """Bracket each group of neighbouring ranks by a sample, and continue with the keys inside.

    A sample has `samples` keys, and its bracket holds the answer with a `probability`. After one
    round at least, up to `few` keys are sorted. None is the device's default. `seed` is that of the
    first sample; each round adds one.
    """
    tuning = selection.keys.tuning
    samples = tuning.samples if samples is None else samples
    if samples < 1 or not 0 < probability < 1:
        reason = f"samples are 1 or more, not {samples}; a probability is between 0 and 1"
        raise BadOption(f"{reason}, not {probability}")
    rounds = _Rounds(selection, samples, probability, few)
    return rounds.draw(selection.keys, selection.ranks, 0, seed)


def group_neighbours(ranks: Integers, size: int) -> list[Integers]:
    """Return groups of neighbours among ascending ranks: a bracket of each is still narrow."""
    return np.split(ranks, np.flatnonzero(np.diff(ranks) > size // CLOSE) + 1)


def fits(keys: Primitives, ranks: Integers) -> bool:
    """Whether there is room for copies of the brackets of some ranks, of far keys."""
    groups, samples = group_neighbours(ranks, keys.size), keys.tuning.samples
    if len(groups) > GROUPS:
        return False
    ends = [_likely_samples(keys.size, samples, PROBABILITY, each) for each in groups]
    return sum(upper - lower for lower, upper in ends) * keys.size <= keys.tuning.few * samples


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
        sample = sort_keys(keys.sample(self.samples, seed))
        self.selection.record("sample")
        groups = group_neighbours(ks, keys.size)
        pairs = [self._ends(keys, sample, each - before) for each in groups]
        answers = [
            self._divide(keys, each, before, seed, pair, found)
            for each, pair, found in zip(groups, pairs, keys.split_each(pairs), strict=True)
        ]
        return np.concatenate(answers)

    def _ends(self, keys: Primitives, sample: Keys, places: Integers) -> Pair:
        """Return two numbers that are likely to have the keys of some places between.

        Beyond one end of the sample it is the end of the type, infinity for floats.
        """
        lower, upper = _likely_samples(keys.size, sample.size, self.probability, places)
        if lower == 0 and upper == sample.size:  # the bracket would exclude nothing
            lower, upper = 1, sample.size - 1
        least, most = limits(keys.dtype)
        low = sample[lower - 1] if lower else least
        high = sample[upper] if upper < sample.size else most
        return (low if low < most else most), (high if high < most else most)  # and no NaN

    def _divide(
        self, keys: Primitives, ks: Integers, before: int, seed: int, pair: Pair, found: Split
    ) -> Keys:
        """Return the keys of a group of ranks, given what was found at the ends of its bracket."""
        (low, high), (at_low, at_high, inside), selection = pair, found, self.selection
        # below the low end, equal to it, between, equal to the high end, and above it
        ends = ((None, low), (low, low), (low, high), (high, high), (high, None))
        sizes = [at_low.below, at_low.equal, inside.size, at_high.equal, at_high.above]
        starts = [0, at_low.below, at_low.below + at_low.equal]
        starts += [at_high.below, at_high.below + at_high.equal]
        sides = np.searchsorted(np.maximum.accumulate(starts[1:]), ks - before, side="right")
        chosen = np.unique(sides).tolist()
        candidates = sum(1 if side in (1, 3) else sizes[side] for side in chosen)
        selection.record("miss" if {0, 4} & {*chosen} else "bracket", candidates=candidates)
        answers = np.empty(ks.size, keys.dtype)
        for side in chosen:
            here, passed = sides == side, before + starts[side]
            only_nans = side == 4 and high == np.inf
            if side in (1, 3) or only_nans:
                answers[here] = answer = np.nan if only_nans else ends[side][0]
                selection.learn([answer], [passed], [sizes[side]])
                continue
            copy = inside if side == 2 else keys.between(*ends[side], count=sizes[side])
            selection.record("compact", low=ends[side][0], high=ends[side][1])
            tuning = (keys if copy.tuning.launch else copy).tuning
            if copy.size <= max(tuning.few if self.few is None else self.few, 1):
                answers[here] = selection.finish(copy, ks[here], ks[here] - passed)
            else:
                answers[here] = self.draw(copy, ks[here], passed, seed + 1)
        return answers


METHOD = Method("randomized", many=randomized, needs=("sample", "between", "sort"))
