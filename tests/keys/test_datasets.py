import hashlib
from itertools import product

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys.datasets import DATASETS, make, named, with_outliers
from shadersort.keys.datasets.power import READINGS, READINGS_SMALL
from shadersort.keys.types import Keys
from tests.helpers import bits

SIZES = (0, 1, 2, 3, 64, 65, 66, 1000, 4095, 4096, 4097, 10000)

SUMS = {
    "uniform": "dc86980f384a3832 c2511ad4b64fb355 6b85b7e028ba1714 "
    "675bca4d964e8871 6b85b7e028ba1714 675bca4d964e8871",
    "normal": "176c3b53b12628a0 e76ed4d58225ae94",
    "half-normal": "7e0661e9722e7986 e7e8d0c88d8a5d9f",
    "beta": "0bb1d5dd3722810d 7dd611579a4cfdd4",
    "mixture-1": "3577f3bd4dbefbb0 35278f64e29f5237",
    "mixture-2": "1eb4275490a15fce 27a9452776b7f95a",
    "mixture-3": "fda7bcc67139a343 64c3abe9678dec3e",
    "mixture-4": "a46e5f974aeb4788 3765e98c9aeecfc9",
    "mixture-5": "cc8c5ecb60619f56 170e668118e27ab4",
    "uniform-wide": "375cd72219961ed3 6f3e469f1336068f",
    "normal-wide": "58301c2f2471eac5 826da7bf3b536970",
    "cauchy": "0081d05dec7e30f7 f9eb1eed0a6530b0",
    "discrete": "bd496cdf49334178 eaa4836cd16a4f44 1d7956d649285281 "
    "cca6f8ddad670272 1d7956d649285281 cca6f8ddad670272",
    "power": "2870747e54eb8146 eb243fce46078445",
    "power-small": "86e8be60e121de3f 3ba4aa49fdf0db14",
    "sorted": "eed35e979a83c683 a2ea39578ca0c1f3 e60e3e77ffe2758f "
    "dbf839ce63992080 f8db70743f058a28 45011827842e385b",
    "reversed": "6ce400b4cceeb060 ed69faacc8b21814 78807c6c618a960e "
    "9c7e91a7be0fafa2 d298d72044ad4f6e d055ad8d1a10fa1b",
    "ones": "19d98ee840474a43 973e7369ebb4c84b d9291b15d2b58d7e "
    "79cdc47a42a7a4de d9291b15d2b58d7e 79cdc47a42a7a4de",
    "ones-and-twos": "8af7442d1fa4dd87 b1d66cdffd2687ce 19e5b3543da29137 "
    "63bf78ff2df69146 19e5b3543da29137 63bf78ff2df69146",
    "bucket-killer": "32ea6bb85e94270e 597b315214f1a545",
    "near-zero": "2c6ecea1ef350d21 4f80f358da5321b1",
}
"""The first bytes of SHA-256 of the keys of all `SIZES` with seed 1, one after the other.

For each type that a data set has, in the order of `ALL_TYPES`.
"""

INDEPENDENT = ["uniform", "uniform-wide", "normal", "normal-wide", "half-normal", "beta", "cauchy"]
INDEPENDENT += ["discrete", "near-zero"]
PAPERS = ("Beliakov 2011, section", "Alabi et al. 2012, section", "Blanchard et al. 2015, section")


@pytest.mark.parametrize("name", DATASETS)
def test_the_same_seed_gives_the_same_bits_everywhere(name: str) -> None:
    for dtype, expected in zip(DATASETS[name].dtypes, SUMS[name].split(), strict=True):
        digest = hashlib.sha256()
        for n in SIZES:
            digest.update(make(name, n, dtype=dtype, seed=1).tobytes())
        assert digest.hexdigest()[:16] == expected, dtype


@pytest.mark.parametrize("name", DATASETS)
def test_as_many_keys_of_the_type_and_no_nan(name: str) -> None:
    for dtype, n in product(DATASETS[name].dtypes, (0, 1, 2, 3, 64, 4097)):
        keys = make(name, n, dtype=dtype)
        assert keys.shape == (n,)
        assert keys.dtype == dtype
        assert keys.flags.c_contiguous, (dtype, n)
        assert keys.flags.writeable, (dtype, n)
        assert np.isfinite(keys).all(), (dtype, n)


def test_another_seed_gives_other_keys() -> None:
    for name in DATASETS:
        same = np.array_equal(make(name, 1000), make(name, 1000, seed=1))
        assert same == (name == "ones"), name


@pytest.mark.parametrize("name", INDEPENDENT)
def test_fewer_keys_are_the_first_of_more(name: str) -> None:
    more = make(name, 10000, seed=3)
    for n in (0, 1, 4095, 4096, 4097):
        np.testing.assert_array_equal(make(name, n, seed=3), more[:n])


def test_float32_is_float64_rounded() -> None:
    for name in (name for name in named(dtype="float32") if name != "near-zero"):
        doubles = make(name, 5000, dtype="float64", seed=2)
        np.testing.assert_array_equal(make(name, 5000, seed=2), doubles.astype(np.float32), name)


def test_each_says_what_it_is_and_where_it_is_from() -> None:
    for name, data in DATASETS.items():
        assert data.name == name
        assert data.about.endswith("."), name
        assert data.papers, name
        assert all(entry.startswith(PAPERS) for entry in data.papers), name


def test_the_papers_have_their_data_sets() -> None:
    mixtures = [f"mixture-{i}" for i in range(1, 6)]
    assert named("Beliakov") == ["uniform", "normal", "half-normal", "beta", *mixtures, "reversed"]
    assert {"ones", "ones-and-twos", "sorted", "bucket-killer", "near-zero"} < set(named("Alabi"))
    assert named("Blanchard") == [
        *("uniform", "normal", "half-normal", "cauchy", "discrete", "power", "power-small")
    ]
    assert named() == list(DATASETS)
    assert set(named(dtype=np.uint64)) == set(named(dtype="int32"))


N = 100_000


@pytest.mark.parametrize(
    ("name", "quartiles"),
    [
        ("uniform", (0.25, 0.5, 0.75)),
        ("uniform-wide", (-5e5, 0, 5e5)),
        ("normal", (-0.67449, 0, 0.67449)),
        ("normal-wide", (-6.7449, 0, 6.7449)),
        ("half-normal", (0.31864, 0.67449, 1.15035)),
        ("beta", (0.16116, 0.26445, 0.38948)),
        ("cauchy", (-1, 0, 1)),
        ("discrete", (25, 50, 75)),
    ],
)
def test_quartiles_are_those_of_the_distribution(
    name: str, quartiles: tuple[float, float, float]
) -> None:
    found = np.percentile(make(name, N, dtype="float64"), [25, 50, 75])
    spread = quartiles[2] - quartiles[0]
    np.testing.assert_allclose(found, quartiles, atol=0.02 * spread)


def test_uniform_keys_fill_their_range() -> None:
    keys = make("uniform", 1 << 20)
    assert 0 < keys.min() < 1e-5
    assert 1 - 1e-5 < keys.max() <= 1
    for dtype in ("int32", "int64", "uint32", "uint64"):
        limits = np.iinfo(dtype)
        deciles = np.sort(make("uniform", N, dtype=dtype)).astype(np.float64)[:: N // 10]
        expected = np.linspace(limits.min, limits.max, 11)[:-1]
        np.testing.assert_allclose(deciles, expected, atol=0.01 * 2**limits.bits, err_msg=dtype)


def test_cauchy_has_its_heavy_tails() -> None:
    """Of the standard Cauchy distribution, 2/(100 π) lies beyond 100."""
    beyond = np.mean(np.abs(make("cauchy", 1_000_000)) > 100)
    assert beyond == pytest.approx(2 / (100 * np.pi), rel=0.05)


def test_discrete_has_101_values() -> None:
    values, counts = np.unique(make("discrete", N, dtype="int32"), return_counts=True)
    np.testing.assert_array_equal(values, np.arange(101))
    assert counts.max() < 1.2 * counts.min()


def test_the_shares_of_the_mixtures_are_exact() -> None:
    """All of N(100, 1) lies above 50, all of N(0, 1) below; the median is a near key."""
    for n in (1, 2, 3, 10, 1001, 1002):
        far = [int(np.sum(make(f"mixture-{i}", n) > 50)) for i in (1, 2, 4, 5)]
        assert far == [n - 2 * n // 3, n - min(n, n // 2 + 1)] * 2
        assert np.sum(make("mixture-3", n) == 10) == n - 9 * n // 10
        for name in ("mixture-2", "mixture-5"):
            assert np.sort(make(name, n))[(n + 1) // 2 - 1] < 50, (name, n)


def test_mixtures_are_shuffled_and_the_last_three_half_normal() -> None:
    """The two halves of the keys have nearly the same share of far ones."""
    for i in (1, 2, 3, 4, 5):
        keys = make(f"mixture-{i}", N)
        far = keys > 9
        assert far[: N // 2].sum() == pytest.approx(far[N // 2 :].sum(), rel=0.1)
        assert (keys.min() > 0) == (i > 2)


def test_sorted_and_reversed() -> None:
    for dtype in ("float32", "int64", "uint32"):
        ordered = make("sorted", 1000, dtype=dtype)
        assert (ordered[1:] >= ordered[:-1]).all()
        np.testing.assert_array_equal(make("reversed", 1000, dtype=dtype)[::-1], ordered)


def test_one_in_twenty_is_a_two() -> None:
    keys = make("ones-and-twos", 1000)
    assert (np.sum(keys == 1), np.sum(keys == 2)) == (950, 50)
    assert np.sum(keys[:500] == 2) in range(10, 40)


def rounds_of_equal_buckets(keys: Keys, k: int, buckets: int = 1024) -> list[int]:
    """Narrow down to the k-th key by buckets of equal width; return the candidates left each time.

    The range of the next round is the bucket, not its keys' own: as bucketSelect has it.
    """
    low, high = float(keys.min()), float(keys.max())
    left = []
    while len(keys) > 1 and high > low:
        width = (high - low) / buckets
        bucket = np.minimum((keys - low) // width, buckets - 1)
        chosen = np.sort(bucket)[k]
        k -= int(np.sum(bucket < chosen))
        keys = keys[bucket == chosen]
        low += chosen * width
        high = low + width
        left.append(len(keys))
        if len(left) == 8:
            break
    return left


def test_bucket_killer_parts_with_ten_keys_a_round() -> None:
    keys = make("bucket-killer", 10_000, dtype="float64")
    left = rounds_of_equal_buckets(keys, 5_000)
    parted = -np.diff([10_000, *left[:7]])
    assert parted.min() >= 1
    assert parted.max() <= 12
    assert left[6] >= 10_000 - 65, "seven rounds leave the close keys together"
    assert left[7] < 1_000, "the eighth tells them apart"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bucket_killer_has_every_power_and_all_others_close(dtype: str) -> None:
    keys = np.sort(make("bucket-killer", 1000, dtype=dtype))
    np.testing.assert_array_equal(keys[-64:], 2.0 ** np.arange(-31, 33))
    assert keys[0] == 2.0**-32
    assert keys[-65] <= 2.0**-32 * (1 + 2.0**-10)
    few = np.sort(make("bucket-killer", 3, dtype=dtype))
    np.testing.assert_array_equal(few, 2.0 ** np.array([30, 31, 32]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_near_zero_breaks_the_division_by_the_range(dtype: str) -> None:
    keys = make("near-zero", 10_000, dtype=dtype)
    assert np.abs(keys).max() < np.finfo(dtype).tiny
    assert np.mean(keys < 0) == pytest.approx(0.5, abs=0.02)
    assert len(np.unique(bits(keys))) > 9_900
    with np.errstate(over="ignore"):
        assert np.isinf(np.array(1023, dtype) / (keys.max() - keys.min()))


@pytest.mark.parametrize(("name", "distinct"), [("power", 367_431), ("power-small", 363_393)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_power_has_the_papers_distinct_values(name: str, distinct: int, dtype: str) -> None:
    keys = make(name, 500_000, dtype=dtype)
    assert len(np.unique(keys)) == distinct
    assert len(np.unique(keys[np.abs(keys) <= 200])) == 363_393
    exactly = make(name, distinct, dtype=dtype)
    assert len(np.unique(exactly)) == distinct


def test_power_has_the_papers_outliers() -> None:
    keys = make("power", 300_000)
    share = (READINGS - READINGS_SMALL) / READINGS
    assert np.sum(np.abs(keys) > 200) == int(300_000 * share)
    assert len(np.unique(keys)) < 300_000
    assert np.abs(keys).max() > 100_000
    assert np.median(np.abs(keys)) < 50
    assert np.abs(make("power-small", 300_000)).max() <= 200


@pytest.mark.parametrize("value", [1e9, 1e20, -1e20])
def test_outliers_replace_as_many_keys(value: float) -> None:
    keys = make("normal", 100)
    before = keys.copy()
    for count in (0, 1, 3, 100):
        changed = with_outliers(keys, value, count)
        assert np.sum(changed != keys) == np.sum(changed == np.float32(value)) == count
    np.testing.assert_array_equal(keys, before)
    first, second = (with_outliers(keys, value, seed=seed) for seed in (0, 1))
    assert not np.array_equal(first, second)


def test_outliers_fit_into_the_type_of_the_keys() -> None:
    keys = make("uniform", 10, dtype="int32")
    assert with_outliers(keys, 1e9).max() >= 10**9
    for value in (1e20, np.inf, np.nan):
        with pytest.raises(errors.OutlierOutOfRange, match="int32"):
            with_outliers(keys, value)
    with pytest.raises(errors.OutlierOutOfRange, match="float32"):
        with_outliers(keys.astype(np.float32), 1e39)


def test_what_there_is_not() -> None:
    for count in (-1, 11):
        with pytest.raises(errors.BadCount, match="10 keys"):
            with_outliers(make("ones", 10), count=count)
    with pytest.raises(errors.UnknownDataSet, match="'half-normal'"):
        make("gaussian", 3)
    with pytest.raises(errors.BadCount, match="-1"):
        make("uniform", -1)
    none = (
        ("normal", "int32"),
        ("bucket-killer", "uint32"),
        ("uniform", "float16"),
        ("ones", ">f4"),
    )
    for name, dtype in none:
        with pytest.raises(errors.DtypeUnavailable, match="'float32'"):
            make(name, 3, dtype=dtype)
