import hashlib
from itertools import product

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys.datasets import DATASETS, RANK_SETS, make, names_of, ranks, with_outliers
from shadersort.keys.datasets.power import READINGS, READINGS_SMALL

SIZES = (0, 1, 2, 3, 64, 65, 66, 1000, 4095, 4096, 4097, 10000)

SUMS = {
    "uniform": "c6ca97e34bd4543c",
    "normal": "bfc707ec40ddc0a6",
    "half-normal": "557a84360299166e",
    "beta": "41e06e0c7eabaa63",
    "mixture-1": "90e4280171d73434",
    "mixture-2": "066935601fa980ab",
    "mixture-3": "d6f87d06ce25d2a9",
    "mixture-4": "3722d41889fb95a9",
    "mixture-5": "8df15757fd64d552",
    "uniform-wide": "14934aa5e5d44193",
    "normal-wide": "0d60aa4c98bdd719",
    "cauchy": "f7697a283e80fac3",
    "discrete": "e1e6300a168a1ac8",
    "power": "a9bcddd182060b13",
    "power-small": "0c54a1ad3912757c",
    "sorted": "ae0d2dc2558405b4",
    "reversed": "e33e0cbe036f113a",
    "ones": "0bbd0c408cf77909",
    "ones-and-twos": "0525588c2b7ef6d6",
    "bucket-killer": "1199d47af0da198a",
    "near-zero": "b67d6e02f952ae24",
}
"""The first bytes of SHA-256 of the keys of all types and `SIZES`, in this order, with seed 1."""

INDEPENDENT = "uniform uniform-wide normal normal-wide half-normal beta cauchy discrete near-zero"


@pytest.mark.parametrize("name", DATASETS)
def test_the_same_seed_gives_the_same_bits_everywhere(name: str) -> None:
    """As many keys of the type, without NaNs; float32 is float64 rounded."""
    digest = hashlib.sha256()
    for dtype, n in product(DATASETS[name].dtypes, SIZES):
        keys = make(name, n, dtype=dtype, seed=1)
        digest.update(keys.tobytes())
        assert (keys.shape, keys.dtype.name) == ((n,), dtype)
        assert keys.flags.carray, (dtype, n)  # contiguous, and can be written
        assert np.isfinite(keys).all(), (dtype, n)
        if dtype == "float32" and name != "near-zero":
            doubles = make(name, n, dtype="float64", seed=1)
            np.testing.assert_array_equal(keys, doubles.astype(np.float32))
        if name in INDEPENDENT.split():  # fewer keys are the first of more
            more = make(name, SIZES[-1], dtype=dtype, seed=1)
            np.testing.assert_array_equal(keys, more[:n])
    assert digest.hexdigest()[:16] == SUMS[name]


def test_the_papers_have_their_data_sets() -> None:
    mixtures = [f"mixture-{i}" for i in range(1, 6)]
    beliakov, alabi = names_of("Beliakov"), set(names_of("Alabi"))
    assert beliakov == ["uniform", "normal", "half-normal", "beta", *mixtures, "reversed"]
    assert {"ones", "ones-and-twos", "sorted", "bucket-killer", "near-zero"} < alabi
    assert names_of("Blanchard") == [
        *("uniform", "normal", "half-normal", "cauchy", "discrete", "power", "power-small")
    ]
    assert names_of() == list(DATASETS)
    assert set(names_of(dtype=np.uint64)) == set(names_of(dtype="int32"))


@pytest.mark.parametrize(("name", "distinct"), [("power", 367_431), ("power-small", 363_393)])
def test_power_has_the_papers_distinct_values_and_outliers(name: str, distinct: int) -> None:
    for dtype in ("float32", "float64"):
        keys = make(name, 500_000, dtype=dtype)
        assert len(np.unique(keys)) == distinct
        assert len(np.unique(keys[np.abs(keys) <= 200])) == 363_393
        assert len(np.unique(make(name, distinct, dtype=dtype))) == distinct
    some = np.abs(make(name, 300_000))
    share = (READINGS - READINGS_SMALL) / READINGS if name == "power" else 0
    assert np.sum(some > 200) == int(300_000 * share)
    assert (some.max() > 100_000) == (name == "power")
    assert np.median(some) < 50


def test_what_there_is_not() -> None:
    keys = make("uniform", 10, dtype="int32")
    assert with_outliers(keys, 1e9).max() >= 10**9
    wrong = ((keys, 1e20), (keys, np.inf), (keys, np.nan), (keys.astype(np.float32), 1e39))
    for each, value in wrong:
        with pytest.raises(errors.BadOption, match=each.dtype.name):
            with_outliers(each, value)
    for count in (-1, 11):
        with pytest.raises(errors.BadOption, match="10 keys"):
            with_outliers(make("ones", 10), count=count)
    with pytest.raises(errors.UnknownName, match="'half-normal'"):
        make("gaussian", 3)
    with pytest.raises(errors.BadOption, match="-1"):
        make("uniform", -1)
    none = {"normal": "int32", "bucket-killer": "uint32", "uniform": "float16", "ones": ">f4"}
    for name, dtype in none.items():
        with pytest.raises(errors.UnsupportedKeys, match="'float32'"):
            make(name, 3, dtype=dtype)


# ranks


RANK_SUMS = {
    "uniform": "4f747af300267303",
    "uniform-random": "6d5cf0dfc0a698d0",
    "normal-random": "7a272aee753210b5",
    "clustered": "221d79a2f4ea386b",
    "sectioned": "e1c9bf13fe8fcc54",
}
"""The first bytes of SHA-256 of the ranks of all sizes and counts below, with seed 1."""

RANK_SIZES, COUNTS = (1, 2, 1000, 2**31 + 7), (0, 1, 2, 9, 10, 101)


@pytest.mark.parametrize("name", RANK_SETS)
def test_the_same_seed_gives_the_same_ranks_all_in_range(name: str) -> None:
    digest = hashlib.sha256()
    for n, count in product(RANK_SIZES, COUNTS):
        if name == "sectioned" and count > n:
            with pytest.raises(errors.BadOption, match="at most"):
                ranks(name, n, count)
            continue
        for seed in range(5):
            chosen = ranks(name, n, count, seed=seed)
            assert (chosen.shape, chosen.dtype.name) == ((count,), "int64")
            assert ((chosen >= 0) & (chosen < n)).all(), (n, count, seed)
        digest.update(ranks(name, n, count, seed=1).tobytes())
    assert digest.hexdigest()[:16] == RANK_SUMS[name]


def test_uniform_ranks_are_the_percentiles() -> None:
    """Counted from one: 1, ⌊n/100⌋, ⌊2n/100⌋ … n."""
    for n in (101, 1000, 2**26, 2**33 + 7):
        expected = [1, *(i * n // 100 for i in range(1, 101))]
        np.testing.assert_array_equal(ranks("uniform", n, 101) + 1, expected)
