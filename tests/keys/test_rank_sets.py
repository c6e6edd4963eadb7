import hashlib
from itertools import product

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys.datasets import RANK_SETS, ranks

SUMS = {
    "uniform": "4f747af300267303",
    "uniform-random": "6d5cf0dfc0a698d0",
    "normal-random": "7a272aee753210b5",
    "clustered": "221d79a2f4ea386b",
    "sectioned": "e1c9bf13fe8fcc54",
}
"""The first bytes of SHA-256 of the ranks of all sizes and counts below, with seed 1."""

SIZES, COUNTS = (1, 2, 1000, 2**31 + 7), (0, 1, 2, 9, 10, 101)


@pytest.mark.parametrize("name", RANK_SETS)
def test_the_same_seed_gives_the_same_ranks_all_in_range(name: str) -> None:
    digest = hashlib.sha256()
    for n, count in product(SIZES, COUNTS):
        if name == "sectioned" and count > n:
            with pytest.raises(errors.BadOption, match="at most"):
                ranks(name, n, count)
            continue
        for seed in range(5):
            chosen = ranks(name, n, count, seed=seed)
            assert (chosen.shape, chosen.dtype.name) == ((count,), "int64")
            assert ((chosen >= 0) & (chosen < n)).all(), (n, count, seed)
        digest.update(ranks(name, n, count, seed=1).tobytes())
    assert digest.hexdigest()[:16] == SUMS[name]


def test_uniform_ranks_are_the_percentiles() -> None:
    """Counted from one: 1, ⌊n/100⌋, ⌊2n/100⌋ … n."""
    for n in (101, 1000, 2**26, 2**33 + 7):
        expected = [1, *(i * n // 100 for i in range(1, 101))]
        np.testing.assert_array_equal(ranks("uniform", n, 101) + 1, expected)


def test_clusters_are_of_nine_neighbours_and_a_section_is_consecutive() -> None:
    chosen = ranks("clustered", 10**6, 99)
    np.testing.assert_array_equal(np.diff(chosen.reshape(11, 9)), 1)
    assert len(np.unique(chosen.reshape(11, 9)[:, 0])) == 11
    np.testing.assert_array_equal(ranks("clustered", 10**6, 93), chosen[:93])
    starts = {int(ranks("sectioned", 10, 8, seed=seed)[0]) for seed in range(50)}
    assert starts == {0, 1, 2}
    np.testing.assert_array_equal(np.diff(ranks("sectioned", 10**6, 101)), 1)
