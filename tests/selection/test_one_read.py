"""one-read: the sample, the bracket and what the counts prove, in NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection import select
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.one_read import (
    ATTEMPTS,
    bracket,
    number_codes,
    one_read,
    sample_places,
)
from tests.selection.inputs import ANY_KEYS, same

MANY = 1 << 16
"""More keys than are staged without a sample."""


@settings(max_examples=50)
@given(ANY_KEYS, st.data())
def test_any_keys(keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, keys.size - 1))
    threads = data.draw(st.sampled_from([1, 3, 64]))
    codes, numbers = encode(keys), number_codes(keys.dtype)
    places = sample_places(keys.size, keys.dtype.itemsize, threads)
    if places.max() >= keys.size:  # fewer loads than threads
        places = places % keys.size
    found = one_read(codes, k, numbers, places)
    expected = np.partition(codes, k)[k]
    assert found.code == expected
    assert found.below == np.count_nonzero(codes < expected)
    assert found.equal == np.count_nonzero(codes == expected)


EVERY = [(name, dtype) for name, each in datasets.DATASETS.items() for dtype in each.dtypes]


@pytest.mark.parametrize(("data", "dtype"), EVERY)
def test_every_data_set_takes_one_read(data: str, dtype: str) -> None:
    keys = datasets.make(data, MANY, dtype=dtype, seed=1)
    for k in (0, 17, MANY // 2, MANY - 1):
        answer, trace = select(NumPyPrimitives(keys), k, method="one-read", return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        (step,) = trace.steps
        assert step.keys_read < 3.1 * MANY


def test_places_are_spread_over_all_loads_and_do_not_repeat() -> None:
    places = sample_places(100_003, 4, threads=1000, head=3)
    assert places.size == 4000
    assert len(set(places.tolist())) == 4000
    assert places.min() >= 3
    assert places.max() < 100_003
    loads = (places[::4] - 3) // 4
    np.testing.assert_array_equal(loads // 25, np.arange(1000))  # one in each part
    assert sample_places(100_003, 4, threads=7000)[-1] > 99_980  # up to the end
    assert len(set((loads % 25).tolist())) == 25  # anywhere in it


@pytest.mark.parametrize("rank", [0, 1, 50, 5000, 9950, 9999])
def test_a_bracket_holds_its_rank_nearly_always(rank: int) -> None:
    for seed in range(200):
        random = np.random.default_rng(seed)
        codes = random.permutation(10_000).astype(np.uint32)
        found = bracket(random.choice(codes, 1000), rank, codes.size, (0, 2**32 - 1))
        assert found.first <= rank <= found.last


def test_a_sample_that_misleads_costs_reads_and_no_wrong_answer() -> None:
    places = sample_places(MANY, 4, 10_000)
    codes = np.arange(1_000_000, 1_000_000 + MANY).astype(np.uint32)
    codes[places] = np.arange(places.size)  # the sample says that all keys are small
    found = one_read(codes, MANY // 2, (0, 2**32 - 1), places)
    assert found.code == np.sort(codes)[MANY // 2]
    assert (found.attempts, found.readings) == (ATTEMPTS, ATTEMPTS + 1)


def test_ranks_among_nans() -> None:
    for share in (0.0001, 0.5, 0.9999, 1.0):
        keys = np.random.default_rng(3).standard_normal(MANY).astype(np.float32)
        nans = int(share * MANY)
        keys[np.random.default_rng(4).permutation(MANY)[:nans]] = np.nan
        for k in (0, MANY - nans - 1, MANY - nans, MANY - 1):
            if 0 <= k < MANY:
                answer = select(NumPyPrimitives(keys), k, method="one-read")
                assert same(answer, np.partition(keys, k)[k])
