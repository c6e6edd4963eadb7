"""Methods as printed on a GPU: the sums, copies, answers, steps and reads of NumPy.

Every test needs a GPU.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import SelectionTrace, select, select_many
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.printed import Assignment, BlockAssignment
from shadersort.selection.printed import PRINTED
from tests.modern.references import MANY, on_gpu, put_on_gpu, sorted_keys
from tests.selection.inputs import awkward, ranks, same

pytestmark = pytest.mark.gpu

TYPES = ["float16", "float32", "int64", "uint32"]
MOST = 100_003
BY_SUMS = ("cutting-plane", "golden", "brent-min", "quasi-newton")
"""Methods whose steps depend on sums, which are added in another order than NumPy's."""

SAME_STEPS = sorted(set(PRINTED) - {*BY_SUMS})
MANY_PRINTED = ("sort-choose", "bucket")  # methods that find many ranks together


def both(keys: Keys) -> tuple[Primitives, Primitives]:
    return on_gpu(keys, 1), NumPyPrimitives(keys)


def outcome(some: Primitives, k: Any, method: str, **options: Any) -> tuple[Any, SelectionTrace]:
    """The answer as printed, or the kind of the error; and the trace."""
    ask: Any = select if np.ndim(k) == 0 else select_many
    given: Any = {"method": method, "as_printed": True, "return_trace": True, **options}
    try:
        answer, trace = ask(some, k, **given)
    except (AnswerRefuted, DidNotConverge) as fault:
        return type(fault), fault.trace
    return answer, trace


def assert_same_selection(keys: Keys, k: int, method: str) -> None:
    """The GPU finds what NumPy finds, by the same steps, with the same reads; or fails like it."""
    (answer, trace), (expected, reference) = (outcome(some, k, method) for some in both(keys))
    if isinstance(expected, type):
        assert answer is expected
    else:
        assert same(answer, expected)
    assert trace.label == reference.label == f"{method}, as printed"
    steps = [(step.name, step.candidates) for step in reference.steps]
    assert [(step.name, step.candidates) for step in trace.steps] == steps
    for one, other in zip(trace.steps, reference.steps, strict=True):
        if one.name != "sort":  # a radix sort on the GPU, a merge sort in NumPy
            assert one.keys_written == other.keys_written, one.name
            assert one.keys_read == other.keys_read, one.name


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("method", SAME_STEPS)
def test_the_same_steps_as_numpy(method: str, dtype: str) -> None:
    for n in (1, 9, 3000):
        for keys in awkward(n, dtype).values():
            for k in ranks(n):
                assert_same_selection(keys, k, method)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("method", [*BY_SUMS, "bisection", "brent-root"])
def test_searches(method: str, dtype: str) -> None:
    """Other trials than NumPy's may fail, by an error with a trace."""
    ways: list[dict[str, Any]] = [{}, {"transform": "log"}]
    ways += [{"finish": "compact"}] * (method == "cutting-plane")
    for keys, way in product((*awkward(9, dtype).values(), *awkward(3000, dtype).values()), ways):
        for k in ranks(keys.size):
            answer, trace = outcome(on_gpu(keys), k, method, **way)
            assert trace.label.removesuffix(", logarithms") == f"{method}, as printed"
            if not isinstance(answer, type):
                assert same(answer, np.sort(keys, kind="stable")[k])


@pytest.mark.parametrize("name", datasets.DATASETS)
def test_data_sets(name: str) -> None:
    for dtype in set(datasets.DATASETS[name].dtypes) & {"float32", "uint32"}:
        keys = datasets.make(name, MOST, dtype=dtype, seed=3)
        for k in (1, MOST // 2, MOST - 2):
            for method in SAME_STEPS:
                assert_same_selection(keys, k, method)
            for method in BY_SUMS:
                answer, _ = outcome(on_gpu(keys), k, method)
                assert isinstance(answer, type) or same(answer, np.partition(keys, k)[k])
        ks = datasets.ranks("uniform", MOST, 101)
        for method in MANY_PRINTED:
            (answers, _), (expected, _) = (outcome(some, ks, method) for some in both(keys))
            if isinstance(expected, type):
                assert answers is expected
            else:
                np.testing.assert_array_equal(answers, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_outliers_slow_searches(dtype: str) -> None:
    usual = datasets.make("half-normal", MOST, dtype=dtype, seed=1)
    lists = [usual, *(datasets.with_outliers(usual, value) for value in (1e9, 1e20))]
    for method in ("bisection", "brent-root", "brent-min", "golden"):
        traces = [outcome(on_gpu(keys), MOST // 2, method)[1] for keys in lists]
        assert min(np.diff([len(trace.iterations) for trace in traces])) > 10
        assert {step.keys_written for trace in traces for step in trace.steps} == {0}
        answer, trace = outcome(on_gpu(lists[2]), MOST // 2, method, transform="log")
        assert answer == np.sort(lists[2])[MOST // 2]
        assert len(trace.iterations) < 80


ADVERSARIES = ("uniform", "bucket-killer", "ones-and-twos", "sorted", "ones")


@pytest.mark.parametrize("method", ["bucket", "radix"])
def test_adversaries_at_the_papers_cutoffs(method: Any) -> None:
    """With more keys than either cutoff: the reads of NumPy, and few by the improved methods."""
    most = 0
    for name in ADVERSARIES:
        keys = datasets.make(name, MANY, dtype="float32", seed=1)
        assert_same_selection(keys, MANY // 2, method)
        answer, trace = select(on_gpu(keys), MANY // 2, method=method, return_trace=True)
        assert answer == np.partition(keys, MANY // 2)[MANY // 2]
        reads = sum(step.keys_read for step in trace.steps if step.name != "proof")
        most = most or 3 * reads
        assert reads <= most


def test_arrays_on_the_device() -> None:
    keys = np.random.default_rng(0).permutation(10_001).astype(np.float32)
    x = put_on_gpu(keys)
    method: Any
    for method in PRINTED:
        answer, trace = modern.select(x, 5000, method=method, as_printed=True, return_trace=True)
        assert answer.get() == 5000
        assert trace.label == f"{method}, as printed"
    found = modern.multiselect(x, [5, 9000], method="bucket", as_printed=True)
    np.testing.assert_array_equal(found.get(), [5, 9000])
    assert modern.median(x, method="bucket", as_printed=True).get() == 5000
    np.testing.assert_array_equal(x.get(), keys)  # nothing was overwritten


def assert_same_copy(one: Primitives, other: Primitives) -> None:
    np.testing.assert_array_equal(sorted_keys(one), sorted_keys(other))


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


def assert_same_assignments(keys: Keys, skipped: int) -> None:
    """Three assignments of bucketSelect, each of the largest bucket of the one before."""
    places = finite(keys)
    if places.size < 2 or places[0] == places[-1]:
        return
    with np.errstate(over="ignore"):
        low, high, slope = places[0], places[-1], 1023 / (places[-1] - places[0])
    some, others = on_gpu(keys, skipped), NumPyPrimitives(keys)
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
