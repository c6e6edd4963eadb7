"""Methods as printed on a GPU: each kernel against its NumPy twin. Every test needs a GPU.

`pytest -m gpu tests/modern -k printed` runs these tests and test_printed_selections.py.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.printed import Assignment, BlockAssignment, WorkingCodes
from tests.modern.references import MANY, on_gpu
from tests.selection.inputs import ANY_KEYS, awkward

pytestmark = pytest.mark.gpu

TYPES = ["float16", "float32", "int64", "uint32"]
MOST = 100_003


def both(keys: Keys, skipped: int = 1) -> tuple[Primitives, Primitives]:
    return on_gpu(keys, skipped), NumPyPrimitives(keys)


def ordered(some: Primitives) -> Keys:
    return np.asarray(some.sort().take(range(some.size)))


def assert_same_copy(one: Primitives, other: Primitives) -> None:
    np.testing.assert_array_equal(ordered(one), ordered(other))


def finite(keys: Keys) -> Keys:
    """The finite keys in double precision, in order."""
    with np.errstate(invalid="ignore"):
        return np.sort(keys[np.isfinite(keys)].astype(np.float64))


@pytest.mark.parametrize("dtype", TYPES)
def test_tangents(dtype: str) -> None:
    keys = (np.random.default_rng(5).random(MOST) * 1000).astype(dtype)
    gpu, host = both(keys)
    for t in (-1.0, 0.0, 1e-3, 333.25, 500.0, 1001.0):
        one, other = gpu.tangent(t), host.tangent(t)
        assert one.upto == other.upto
        assert (one.below, one.above) == pytest.approx((other.below, other.above), rel=1e-12)
    assert gpu.extent().total == pytest.approx(keys.sum(dtype=np.float64), rel=1e-12)
    for keys in awkward(1000, dtype).values():
        gpu, host = both(keys)
        for t in finite(keys)[::200]:
            assert gpu.tangent(t).upto == host.tangent(t).upto


def test_sums_of_floats_are_exact_in_doubles() -> None:
    keys = np.random.default_rng(1).random(MANY, np.float32)  # multiples of 2^-24
    gpu, host = both(keys)
    assert gpu.tangent(0.5) == host.tangent(0.5)
    assert gpu.extent() == host.extent()


@pytest.mark.parametrize("dtype", TYPES)
def test_digits_are_overwritten(dtype: str) -> None:
    for keys in awkward(5000, dtype).values():
        gpu, host = (some.printed_vector(WorkingCodes) for some in both(keys))
        for shift in reversed(range(0, 8 * keys.itemsize, 4)):
            one, other = gpu.digit_counts(shift, 4), host.digit_counts(shift, 4)
            np.testing.assert_array_equal(one, other)
            chosen = int(np.searchsorted(np.cumsum(other), keys.size // 3, side="right"))
            gpu.overwrite(shift, 4, chosen)
            host.overwrite(shift, 4, chosen)


def assert_same_assignments(keys: Keys, skipped: int) -> None:
    """Three assignments of bucketSelect, each of the largest bucket of the one before."""
    places = finite(keys)
    if places.size < 2 or places[0] == places[-1]:
        return
    with np.errstate(over="ignore"):
        low, high, slope = places[0], places[-1], 1023 / (places[-1] - places[0])
    some, others = both(keys, skipped)
    gpu, host = (each.printed_vector(Assignment) for each in (some, others))
    if not np.isfinite(slope) or not slope:
        return
    one, other = (each.assign(low, high, slope, 1024) for each in (gpu, host))
    for _ in range(3):
        np.testing.assert_array_equal(one, other)
        chosen = int(np.argmax(other))
        assert_same_copy(*(each.copy_bucket(chosen, int(other[chosen])) for each in (gpu, host)))
        for single in np.flatnonzero(other == 1)[:2].tolist():
            assert gpu.key(single) == host.key(single)
        low, slope = low + chosen / slope, slope * 1023
        if not np.isfinite(slope):
            break
        one, other = (each.reassign(chosen, low, slope, 1024) for each in (gpu, host))


@pytest.mark.parametrize("dtype", TYPES)
def test_assignments_of_awkward_keys(dtype: str) -> None:
    for skipped, keys in enumerate(awkward(5000, dtype).values()):
        assert_same_assignments(keys, skipped)


@settings(max_examples=40)
@given(ANY_KEYS, st.integers(0, 9))
def test_assignments_of_any_keys(keys: Keys, skipped: int) -> None:
    assert_same_assignments(keys, skipped)


def test_assignments_of_data_sets() -> None:
    for name in datasets.names_of("Alabi"):
        for dtype in set(datasets.DATASETS[name].dtypes) & {"float32", "uint32"}:
            assert_same_assignments(datasets.make(name, MOST, dtype=dtype, seed=2), 1)


@pytest.mark.parametrize("dtype", TYPES)
def test_assignments_by_block(dtype: str) -> None:
    inputs = *awkward(5000, dtype).values(), np.resize(awkward(999, dtype)["random"], MOST)
    for count, keys in product((1, 16, 300, 1500), inputs):
        places = finite(keys)
        if not places.size:
            continue
        pivots = places[np.linspace(0, places.size - 1, 17).astype(int)]
        with np.errstate(divide="ignore", over="ignore"):
            slopes = 704 / np.diff(pivots)
        if not np.isfinite(slopes[np.diff(pivots) > 0]).all():
            continue
        gpu, host = (some.printed_vector(BlockAssignment) for some in both(keys))
        one, other = (each.assign(pivots, slopes, 11264) for each in (gpu, host))
        np.testing.assert_array_equal(one, other)
        active = np.flatnonzero(other)[:: max(np.count_nonzero(other) // count, 1)].tolist()
        size = int(other[active].sum())
        assert_same_copy(*(each.reduce_by_flags(active, size) for each in (gpu, host)))
        in_shared = count > 255
        copies = [each.reduce_to_segments(active, size, in_shared) for each in (gpu, host)]
        firsts = np.cumsum(other[active]) - other[active]
        segments = [np.asarray(copy.take(range(size))) for copy in copies]
        for first, number in zip(firsts[:20], other[active][:20], strict=True):
            here = slice(int(first), int(first + number))
            found, expected = (np.sort(segment[here]) for segment in segments)
            np.testing.assert_array_equal(found, expected)
        assert_same_copy(*copies)
