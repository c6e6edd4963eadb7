"""Selections as printed on a GPU: the answers, steps and reads of NumPy. Every test needs a GPU."""

from typing import Any

import numpy as np
import pytest

from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import SelectionTrace, select, select_many
from shadersort.selection.primitives import Primitives
from shadersort.selection.printed import PRINTED
from shadersort.selection.printed.alabi_2012_bucket_select import CUTOFF
from tests.modern.references import MANY, on_gpu
from tests.modern.test_printed_kernels import MOST, TYPES, both
from tests.selection.inputs import awkward, ranks, same

pytestmark = pytest.mark.gpu

MANY_PRINTED = ("sort-choose", "bucket")
"""Methods that find many ranks together."""


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
    sorts = ("sort",)  # a radix sort on the GPU, a merge sort in NumPy
    for one, other in zip(trace.steps, reference.steps, strict=True):
        if one.name not in sorts:
            assert one.keys_written == other.keys_written, one.name
            assert one.keys_read == other.keys_read, one.name


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("method", sorted(set(PRINTED) - {"cutting-plane"}))
def test_the_same_steps_as_numpy(method: str, dtype: str) -> None:
    for n in (1, 9, 3000):
        for keys in awkward(n, dtype).values():
            for k in ranks(n):
                assert_same_selection(keys, k, method)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("finish", ["iterate", "compact"])
def test_cutting_planes(finish: str, dtype: str) -> None:
    """Sums are added in another order than NumPy's, so that other trials may fail."""
    for n in (1, 9, 3000):
        for keys in awkward(n, dtype).values():
            for k in ranks(n):
                answer, trace = outcome(on_gpu(keys), k, "cutting-plane", finish=finish)
                assert trace.label == "cutting-plane, as printed"
                if not isinstance(answer, type):
                    assert same(answer, np.sort(keys, kind="stable")[k])


@pytest.mark.parametrize("name", datasets.DATASETS)
def test_data_sets(name: str) -> None:
    for dtype in set(datasets.DATASETS[name].dtypes) & {"float32", "uint32"}:
        keys = datasets.make(name, MOST, dtype=dtype, seed=3)
        for k in (1, MOST // 2, MOST - 2):
            for method in sorted(set(PRINTED) - {"cutting-plane"}):
                assert_same_selection(keys, k, method)
            answer, _ = outcome(on_gpu(keys), k, "cutting-plane")
            assert isinstance(answer, type) or same(answer, np.partition(keys, k)[k])
        ks = datasets.ranks("uniform", MOST, 101)
        for method in MANY_PRINTED:
            (answers, _), (expected, _) = (outcome(some, ks, method) for some in both(keys))
            if isinstance(expected, type):
                assert answers is expected
            else:
                np.testing.assert_array_equal(answers, expected)


ADVERSARIES = ("uniform", "bucket-killer", "ones-and-twos", "sorted", "ones")


def test_adversaries_at_the_papers_cutoffs() -> None:
    """With more keys than either cutoff: the reads, by the labels of the traces."""
    table: dict[tuple[str, str], float] = {}
    for name in ADVERSARIES:
        keys = datasets.make(name, MANY, dtype="float32", seed=1)
        assert keys.size > 2 * CUTOFF
        for method in ("bucket", "radix"):
            for printed in (True, False):
                given: Any = {"method": method, "as_printed": printed, "return_trace": True}
                answer, trace = select(on_gpu(keys), MANY // 2, **given)
                assert answer == np.partition(keys, MANY // 2)[MANY // 2]
                reads = [step.keys_read for step in trace.steps if step.name != "proof"]
                table[trace.label, name] = sum(reads) / MANY
    usual = table["bucket, as printed", "uniform"]
    assert table["bucket, as printed", "bucket-killer"] >= 7.5 * usual
    for label, name in table:
        if label.endswith("improved"):
            assert table[label, name] <= 3 * table[label, "uniform"]
        if label == "radix, as printed":
            assert table[label, name] <= 2 * 8


def test_arrays_on_the_device() -> None:
    import cupy

    import modern

    select: Any = modern.select
    keys = np.random.default_rng(0).permutation(10_001).astype(np.float32)
    x = cupy.asarray(keys)
    for method in sorted(set(PRINTED)):
        answer, trace = select(x, 5000, method=method, as_printed=True, return_trace=True)
        assert answer.get() == 5000
        assert trace.label == f"{method}, as printed"
    found = modern.multiselect(x, [5, 9000], method="bucket", as_printed=True)
    np.testing.assert_array_equal(found.get(), [5, 9000])
    assert modern.median(x, method="bucket", as_printed=True).get() == 5000
    np.testing.assert_array_equal(x.get(), keys)  # nothing was overwritten
