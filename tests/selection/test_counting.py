"""Methods that count and copy, with options that make them divide to the end, against a sort."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import BadOption
from shadersort.keys import datasets
from shadersort.keys.datasets import RANK_SETS
from shadersort.keys.types import Keys
from shadersort.selection import select, select_many
from shadersort.selection.primitives import NumPyPrimitives
from tests.selection.inputs import ANY_KEYS, TYPES, awkward, ranks, same

Way = tuple[str, dict[str, Any]]

WAYS: list[Way] = [
    ("quickselect", {"few": 1}),
    ("radix", {"few": 0}),
    ("radix", {"few": 0, "width": 11}),
    ("radix-inplace", {}),
    ("bucket", {"few": 0}),
    ("bucket", {"few": 0, "cutoff": 0, "buckets": 7}),
    ("bucket", {"few": 0, "buckets": 2}),
    ("randomized", {"few": 1, "samples": 9}),
    ("randomized", {"few": 1, "samples": 1, "probability": 0.01}),
]

MANY_WAYS: list[Way] = [
    ("quickselect", {"few": 1}),
    ("radix", {"few": 0}),
    ("radix", {"few": 20, "width": 7}),
    ("radix-inplace", {"width": 8}),
    ("bucket", {"few": 1, "samples": 20, "intervals": 4, "buckets": 40}),
    ("bucket", {"few": 1}),
    ("bucket", {"few": 1, "intervals": 1, "buckets": 2}),
]


def check(keys: Keys, k: int, way: Way) -> None:
    """Check an answer, and that the steps of its trace add up to what was moved."""
    some = NumPyPrimitives(keys)
    method, options = way
    answer, trace = select(some, k, method=method, return_trace=True, **options)
    assert same(answer, np.sort(keys, kind="stable")[k])
    assert type(answer) is keys.dtype.type
    assert trace.keys_read == some.traffic.read
    assert trace.keys_written == some.traffic.written
    assert np.all((trace.candidates >= 1) & (trace.candidates <= keys.size))
    assert np.all(np.diff(trace.candidates) <= 0)


def check_many(keys: Keys, ks: Any, way: Way) -> None:
    """Check the answers for many ranks, and their trace."""
    some = NumPyPrimitives(keys)
    method, options = way
    answers, trace = select_many(some, ks, method=method, return_trace=True, **options)
    np.testing.assert_array_equal(answers, np.sort(keys, kind="stable")[np.asarray(ks, np.int64)])
    assert answers.dtype == keys.dtype
    assert trace.keys_read == some.traffic.read
    assert trace.keys_written == some.traffic.written


@pytest.mark.parametrize("dtype", TYPES)
def test_awkward_keys(dtype: str) -> None:
    for n in (1, 50):
        for keys in awkward(n, dtype).values():
            for way in WAYS:
                for k in ranks(n):
                    check(keys, k, way)
            for way in MANY_WAYS:
                check_many(keys, range(n), way)


@given(ANY_KEYS, st.data())
@settings(max_examples=40)
def test_any_keys(keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, keys.size - 1))
    ks = data.draw(st.lists(st.integers(-keys.size, keys.size - 1)))
    for way in WAYS:
        check(keys, k, way)
    for way in MANY_WAYS:
        check_many(keys, ks, way)


SHARP: list[Way] = [
    ("quickselect", {"few": 30}),
    ("radix", {"few": 30}),
    ("radix-inplace", {}),
    ("bucket", {"few": 30}),
    ("bucket", {"few": 30, "cutoff": 500}),
    ("randomized", {"few": 30}),
]


@pytest.mark.parametrize("name", datasets.DATASETS)
def test_every_data_set(name: str) -> None:
    for dtype in datasets.DATASETS[name].dtypes:
        keys = datasets.make(name, 2000, dtype=dtype, seed=3)
        for way in SHARP:
            for k in (0, 30, 1000, 1999):
                check(keys, k, way)
        for way in [*SHARP[:3], ("bucket", {"few": 30})]:
            check_many(keys, datasets.ranks("uniform", 2000, 101), way)


def test_every_set_of_ranks() -> None:
    keys = datasets.make("cauchy", 20_000, seed=1)
    for ranks_of in RANK_SETS:
        ks = datasets.ranks(ranks_of, keys.size, 101, seed=2)
        for way in [*SHARP[:4], ("bucket", {}), ("auto", {}), ("sort-choose", {})]:
            check_many(keys, ks, way)


def test_bad_options() -> None:
    bad: list[tuple[str, dict[str, Any], str]] = [
        ("radix-inplace", {"width": 17}, "a digit has 1 to 16 bits, not 17"),
        ("bucket", {"buckets": 1}, "buckets are 2 or more, not 1"),
        ("randomized", {"samples": 0}, "samples are 1 or more, not 0"),
        ("randomized", {"probability": 1.0}, "between 0 and 1, not 1.0"),
    ]
    for method, options, says in bad:
        with pytest.raises(BadOption, match=says):
            select(NumPyPrimitives([1, 2, 3]), 1, method=method, **options)
    with pytest.raises(BadOption, match="not 1024, 16 and 31"):
        select_many(NumPyPrimitives([1, 2, 3]), [1], method="bucket", buckets=31)
