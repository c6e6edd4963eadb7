"""Every primitive against its definition in one line of NumPy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import KeysNotFlat, MethodUnavailable, UnsupportedKeys
from shadersort.keys.codes import encode
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.protocol import CALLS
from shadersort.selection.primitives.values import Counts, Traffic, Tuning
from tests.selection.inputs import ANY_KEYS, telling


def place(keys: Keys) -> Any:
    """Where keys come in the order, as integers that any comparison understands."""
    return np.searchsorted(np.unique(keys), keys)


def before(keys: Keys, pivot: Key) -> Any:
    """Which keys come before a pivot, by the sort of both."""
    order = place(np.append(keys, pivot))
    return order[:-1] < order[-1]


def after(keys: Keys, pivot: Key) -> Any:
    """Which keys come after a pivot."""
    order = place(np.append(keys, pivot))
    return order[:-1] > order[-1]


@st.composite
def keys_and_pivots(draw: st.DrawFn, count: int = 1) -> tuple[Any, ...]:
    keys = draw(ANY_KEYS)
    pivots = st.sampled_from([*keys, *telling(keys.dtype.name)])
    return keys, *(draw(pivots) for _ in range(count))


def finite(keys: Keys) -> Keys:
    return keys[np.isfinite(keys)]


@given(ANY_KEYS)
def test_extent(keys: Keys) -> None:
    extent = NumPyPrimitives(keys).extent()
    rest = finite(keys)
    assert extent.finite == rest.size
    if rest.size:
        assert (extent.low, extent.high) == (rest.min(), rest.max())
        exact = sum(map(int if keys.dtype.kind != "f" else float, rest))
        scale = float(np.abs(rest.astype(float)).max()) * rest.size
        assert np.isinf(scale) or abs(extent.total - exact) <= 1e-9 * scale
    assert extent.nans == np.isnan(keys).sum()
    assert extent.minus_infinite == (keys == -np.inf).sum()
    assert extent.plus_infinite == (keys == np.inf).sum()


@given(keys_and_pivots(3))
def test_counts(given: tuple[Keys, Key, Key, Key]) -> None:
    keys, *pivots = given
    some = NumPyPrimitives(keys)
    counts = [some.counts(pivot) for pivot in pivots]
    for at, pivot in zip(counts, pivots, strict=True):
        assert (at.below, at.above) == (before(keys, pivot).sum(), after(keys, pivot).sum())
        assert at.below + at.equal + at.above == keys.size
    below, equal = some.counts_at(np.array(pivots, keys.dtype)).tolist()
    assert list(zip(below, equal, strict=True)) == [at[:2] for at in counts]


@given(keys_and_pivots(3), st.booleans())
def test_between(given: tuple[Keys, Key, Key, Key], closed: bool) -> None:
    keys, low, high, _ = given
    some = NumPyPrimitives(keys).between(low, high, closed=closed)
    if closed:
        inside = ~before(keys, low) & ~after(keys, high)
        inside |= ~before(keys, high) & ~after(keys, high)  # an end is in, where ends are crossed
        inside |= ~before(keys, low) & ~after(keys, low)
    else:
        inside = after(keys, low) & before(keys, high)
    np.testing.assert_array_equal(np.sort(some.keys), np.sort(keys[inside]))


@given(keys_and_pivots())
def test_a_pivot_parts_the_keys(given: tuple[Keys, Key]) -> None:
    keys, pivot = given
    some = NumPyPrimitives(keys)
    below, above = some.between(None, pivot), some.between(pivot, None)
    equal = some.between(pivot, pivot, closed=True)
    assert some.counts(pivot) == Counts(below.size, equal.size, above.size)
    together = np.concatenate([below.keys, equal.keys, above.keys])
    np.testing.assert_array_equal(np.sort(together), np.sort(keys))


@given(keys_and_pivots(3))
def test_objective(given: tuple[Keys, Key, Key, Key]) -> None:
    keys, low, high, pivot = given
    if not np.isfinite(pivot):
        return
    at = NumPyPrimitives(keys).objective(pivot, low, high)
    window = keys[after(keys, low) & before(keys, high)]
    inside = [int(x) if keys.dtype.kind != "f" else float(x) for x in finite(window)]
    y = int(pivot) if keys.dtype.kind != "f" else float(pivot)
    assert at.counts == NumPyPrimitives(keys).counts(pivot)
    assert at.below == pytest.approx(float(sum(y - x for x in inside if x < y)), rel=1e-12)
    assert at.above == pytest.approx(float(sum(x - y for x in inside if x > y)), rel=1e-12)


def test_log_objective() -> None:
    keys = np.array([1.0, 2, 3, 50, 1e20, np.inf, np.nan])
    at = NumPyPrimitives(keys).log_objective(keys[2], None, None, keys[0])
    mapped = np.log(1 + keys[:5] - 1)
    assert at.below == pytest.approx(np.maximum(mapped[2] - mapped, 0).sum())
    assert at.above == pytest.approx(np.maximum(mapped - mapped[2], 0).sum())


@given(keys_and_pivots())
def test_nearest_keys(given: tuple[Keys, Key]) -> None:
    keys, pivot = given
    some, numbers = NumPyPrimitives(keys), keys[~np.isnan(keys)]
    above, below = numbers[numbers >= pivot], numbers[numbers <= pivot]
    assert some.at_or_above(pivot) == (above.min() if above.size else None)
    assert some.at_or_below(pivot) == (below.max() if below.size else None)


@given(ANY_KEYS, st.integers(0, 2**32), st.integers(0, 100))
def test_sample(keys: Keys, seed: int, count: int) -> None:
    drawn = NumPyPrimitives(keys).sample(count, seed)
    assert drawn.shape == (count,)
    assert np.isin(encode(drawn), encode(keys)).all()
    np.testing.assert_array_equal(drawn, NumPyPrimitives(keys).sample(count, seed))


@given(ANY_KEYS)
def test_sort_and_take(keys: Keys) -> None:
    ordered = NumPyPrimitives(keys).sort()
    np.testing.assert_array_equal(ordered.take(range(keys.size)), np.sort(keys, kind="stable"))
    assert ordered.take([-1]).dtype == keys.dtype


def test_traffic_is_counted() -> None:
    some = NumPyPrimitives(np.arange(100.0))
    some.extent()
    some.counts(some.keys[3])
    some.objective(some.keys[3])
    assert some.traffic == Traffic(passes=3, read=300, written=0)
    part = some.between(None, some.keys[10])
    assert part.traffic is some.traffic
    part.sort()
    assert some.traffic == Traffic(passes=5, read=400 + 40, written=10 + 40)


def test_what_is_missing_is_named() -> None:
    class Few(Primitives):
        name, dtype, size = "a sieve", np.dtype(np.float32), 3
        traffic, tuning = Traffic(), Tuning(copies=False)

        def counts(self, pivot: Key) -> Counts:
            return Counts(0, 3, 0)

    few: Primitives = Few()
    assert [call for call in CALLS if few.supports(call)] == ["counts"]
    assert few.counts_at(np.array([1, 2], np.float32)).tolist() == [[0, 0], [3, 3]]
    with pytest.raises(MethodUnavailable, match="a sieve cannot do 'extent'"):
        few.extent()
    assert [call for call in CALLS if not NumPyPrimitives([1]).supports(call)] == ["cells"]


def test_bad_keys_are_named() -> None:
    masked = np.ma.masked_array([1, 2], [True, False])
    unsupported: list[Any] = [["a"], [1j], np.zeros(1, "V2"), masked]
    for keys in unsupported:
        with pytest.raises(UnsupportedKeys):
            NumPyPrimitives(keys)
    not_flat: list[Any] = [np.zeros((2, 2)), np.float32(1), [[1.0], [2.0, 3.0]]]
    for keys in not_flat:
        with pytest.raises(KeysNotFlat):
            NumPyPrimitives(keys)
