import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.selection.primitives import Buckets
from shadersort.selection.primitives.buckets import dense_buckets
from tests.selection.inputs import ANY_KEYS


@st.composite
def keys_in_buckets(draw: st.DrawFn) -> tuple[Keys, Buckets]:
    keys = draw(ANY_KEYS)
    finite = np.unique(keys[np.isfinite(keys)])
    edges = finite[:: draw(st.integers(1, 3))]
    if edges.size < 2:
        edges = np.array([0, 1], keys.dtype)
    return keys, Buckets(edges, draw(st.integers(1, 20)))


@given(keys_in_buckets())
def test_buckets_keep_the_order_and_hold_every_key_inside(given: tuple[Keys, Buckets]) -> None:
    keys, buckets = given
    found = buckets.assign(keys)
    inside = (keys >= buckets.edges[0]) & (keys <= buckets.edges[-1])
    np.testing.assert_array_equal(found >= 0, inside)
    assert found.max(initial=0) < buckets.count
    order = np.argsort(keys[inside], kind="stable")
    assert np.all(np.diff(found[inside][order]) >= 0)


@given(keys_in_buckets())
def test_an_edge_starts_its_interval(given: tuple[Keys, Buckets]) -> None:
    _, buckets = given
    starts = np.arange(len(buckets.edges) - 1) * buckets.per_interval
    np.testing.assert_array_equal(buckets.assign(buckets.edges[:-1]), starts)
    assert buckets.assign(buckets.edges[-1:]) // buckets.per_interval == len(buckets.edges) - 2


@given(keys_in_buckets(), st.data())
def test_bounds_are_exact(given: tuple[Keys, Buckets], data: st.DataObject) -> None:
    keys, buckets = given
    bucket = data.draw(st.integers(0, buckets.count - 1))
    low, high = buckets.bounds(bucket)
    within = (keys >= low) & (keys <= high)
    np.testing.assert_array_equal(within, buckets.assign(keys) == bucket)


def test_widths_that_overflow_or_vanish() -> None:
    limits = np.finfo(np.float64)
    wide = Buckets(np.array([-limits.max, limits.max]), 4)
    np.testing.assert_array_equal(
        wide.assign(np.array([-limits.max, -1e307, 0, limits.max])), [0, 1, 2, 3]
    )
    tiny = limits.smallest_subnormal
    narrow = Buckets(np.array([0, 4 * tiny]), 4)
    np.testing.assert_array_equal(narrow.assign(np.arange(5) * tiny), [0, 1, 2, 3, 3])


def test_two_equal_numbers_in_a_sample_of_infinities() -> None:
    """There is no range to divide: the buckets are those around the number."""
    sample = np.full(1024, np.inf, np.float32)
    sample[:2] = 1
    buckets = dense_buckets(sample, 16, 100)
    assert buckets is not None
    assert buckets.assign(np.array([0, 1, 2, np.inf], np.float32)).tolist() == [0, 50, 99, 99]
