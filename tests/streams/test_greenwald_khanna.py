"""Greenwald and Khanna's merge and compression, of counts and of masses: bounds and errors."""

import numpy as np
import numpy.typing as npt

from shadersort.streams.correlated.mass_summaries import MassSummaries
from shadersort.streams.quantiles.gk_summaries import GKSummaries, rank_type
from shadersort.streams.quantiles.rank_answers import RankBounds, unite

Random = np.random.Generator


def sampled(random: Random, values: npt.NDArray[np.int64]) -> GKSummaries:
    """Some entries of a set, the ends among them."""
    size = len(values)
    ranks = np.unique([0, size - 1, *random.choice(size, random.integers(0, size), replace=False)])
    return GKSummaries.of_samples(np.sort(values)[ranks][None], ranks, size)


def blur(summary: GKSummaries) -> int:
    """D of the module, read off the definitions."""
    smallest = np.cumsum(summary.lower[0])
    largest = 1 + np.cumsum(summary.upper[0]) - summary.upper[0]
    return int(np.max(largest[1:] - 1 - smallest[:-1], initial=0))


def assert_bounds_hold(summary: GKSummaries, whole: npt.NDArray[np.int64]) -> None:
    """Each entry may be one of the places that its value has in the whole set."""
    smallest = np.cumsum(summary.lower[0])
    largest = 1 + np.cumsum(summary.upper[0]) - summary.upper[0]
    first = np.searchsorted(whole, summary.values[0], side="left") + 1
    last = np.searchsorted(whole, summary.values[0], side="right")
    assert np.all(smallest <= last)
    assert np.all(largest >= first)
    assert np.all(smallest <= largest)
    assert (smallest[0], largest[0]) == (1, 1)
    assert (smallest[-1], largest[-1]) == (whole.size, whole.size)


def test_merging_and_compressing_keep_their_word() -> None:
    for seed in range(60):
        random = np.random.default_rng(seed)
        size, few = int(random.integers(2, 300)), int(random.choice([3, 1000]))
        whole = np.sort(random.integers(0, few, (2, size)))
        pair = GKSummaries.of_samples(whole, np.arange(size), size).compress(
            size, int(random.integers(1, 9))
        )
        both = pair.merge_pairs()
        assert_bounds_hold(both, np.sort(whole.ravel()))
        assert blur(both) <= blur(pair[:1]) + blur(pair[1:])
        for step in (1, 2, 5, 2 * size):
            fewer = both.compress(2 * size, step)
            assert_bounds_hold(fewer, np.sort(whole.ravel()))
            assert blur(fewer) <= blur(both) + step - 1
            assert fewer.entries == (2 * size - 1) // step + 2


def test_increments_are_as_wide_as_the_size_needs() -> None:
    for size in ((1 << 30) - 1, 1 << 30, 1 << 31):
        smallest = np.array([[1, size]] * 2)
        half = GKSummaries.of_ranks(np.array([[1, 2]] * 2), smallest, smallest - 1, size)
        both = half.merge_pairs()
        assert (half.size, both.size) == (size, 2 * size)
        assert both.lower.dtype == both.upper.dtype == rank_type(2 * size)
        np.testing.assert_array_equal(both.smallest, [[1, 2, size + 1, 2 * size]])
        np.testing.assert_array_equal(both.before, [[0, size - 1, 2 * size - 2, 2 * size - 1]])
        np.testing.assert_array_equal(
            GKSummaries.of_ranks(both.values, both.smallest, both.before, 2 * size).upper,
            both.upper,
        )


def test_an_entry_is_near_every_rank() -> None:
    """By its bounds alone, whatever the set: of coarse parts, and one that is whole."""
    for seed in range(60):
        random = np.random.default_rng(seed)
        cuts = np.cumsum(random.integers(2, 200, 4))
        *parts, rest = np.split(random.permutation(cuts[-1] + 5), cuts)
        sets = [sampled(random, part) for part in parts]
        ranks = unite(sets, rest)
        wanted = np.arange(1, ranks.n + 1)
        found = np.searchsorted(ranks.values, ranks.values_at(wanted))
        off = np.maximum(wanted - ranks.smallest[found], ranks.largest[found] - wanted)
        assert off.max() <= ranks.error
        assert ranks.error <= (sum(map(blur, sets)) + 1) // 2


def test_a_narrow_entry_beside_wide_ones_is_found() -> None:
    ranks = RankBounds(np.arange(4), np.array([1, 2, 3, 20]), np.array([1, 18, 19, 20]))
    wanted = np.arange(1, 21)
    found = ranks.values_at(wanted)
    off = np.maximum(wanted - ranks.smallest[found], ranks.largest[found] - wanted)
    assert off.max() <= ranks.error == 8


def test_no_mass_is_lost_and_little_is_blurred() -> None:
    for seed in range(40):
        random = np.random.default_rng(seed)
        size, slots = int(random.integers(2, 400)), int(random.integers(1, 60))
        values = np.sort(random.permutation(size * 3)[:size])[None].astype(np.float64)
        masses = np.floor(np.exp(random.uniform(0, 12, size))) * random.choice([-1, 0, 1], size)
        whole = MassSummaries.exact(values, masses[None])
        fewer = whole.compress(size, size, slots)
        kept = np.unique(np.searchsorted(values[0], fewer.values[0]))
        prefix = np.concatenate([[0], np.cumsum(np.abs(masses))])
        between = prefix[kept[1:]] - prefix[kept[:-1] + 1]
        assert between.max(initial=0) <= prefix[-1] / slots * (1 + 1e-9)
        assert fewer.values.shape[1] == slots + 2
        for part in (fewer.lower, fewer.upper):
            np.testing.assert_array_equal(part.sum(axis=2)[:, 0], whole.lower.sum(axis=2)[:, 0])
