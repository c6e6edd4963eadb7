"""Methods as printed: right answers, or errors that name the fault; what adversaries cost."""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort import selection
from shadersort.errors import AnswerRefuted, BadOption, DidNotConverge, UnknownName
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import METHODS, SelectionTrace, select, select_many
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.printed import PRINTED, alabi_2012_bucket_select
from tests.selection.inputs import ANY_KEYS, TYPES, awkward, ranks, same

EXACT = ("sort-choose", "radix", "radix-inplace", "randomized")
"""Methods whose papers report no fault: they are right on all keys."""

SEARCHES = ("bisection", "brent-root", "brent-min", "golden", "quasi-newton", "cutting-plane")
"""Methods that search among keys or logarithms."""


def attempted(keys: Keys, k: int, method: str, **options: Any) -> SelectionTrace:
    """Select as printed; the answer is right, or an error has the trace."""
    given: dict[str, Any] = {"method": method, "as_printed": True, "return_trace": True, **options}
    answer, fault = None, ""
    trace: SelectionTrace
    try:
        answer, trace = select(NumPyPrimitives(keys), k, **given)
    except (AnswerRefuted, DidNotConverge) as error:
        trace, fault = error.trace, str(error)
    if fault:
        assert method not in EXACT
        assert fault.startswith(f"{method} as printed")
    else:
        assert same(answer, np.sort(keys, kind="stable")[k])
        assert type(answer) is keys.dtype.type
    assert trace.label.removesuffix(", logarithms") == f"{method}, as printed"
    return trace


@settings(max_examples=40)
@given(ANY_KEYS, st.data())
def test_any_keys(keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, keys.size - 1))
    for method in PRINTED:
        attempted(keys, k, method)
    attempted(keys, k, "cutting-plane", finish="compact")
    attempted(keys, k, "cutting-plane", finish="compact", transform="log")
    for method in SEARCHES:
        attempted(keys, k, method, transform="log")


@pytest.mark.parametrize("dtype", TYPES)
def test_awkward_keys(dtype: str) -> None:
    for n, method in product((1, 2, 9, 100), PRINTED):
        for keys in awkward(n, dtype).values():
            for k in ranks(n):
                attempted(keys, k, method)
                if method in SEARCHES:
                    attempted(keys, k, method, transform="log")


@settings(max_examples=40)
@given(ANY_KEYS)
def test_many_ranks_of_any_keys(keys: Keys) -> None:
    ordered, ks = np.sort(keys, kind="stable"), np.arange(keys.size)
    for method in ("sort-choose", "radix", "bucket"):
        found, fault = ordered, ""
        try:
            found = select_many(NumPyPrimitives(keys), ks, method=method, as_printed=True)
        except DidNotConverge as error:
            fault = str(error)
        assert not fault or (method == "bucket" and "is 0 or overflows" in fault)
        np.testing.assert_array_equal(found, ordered)


def test_what_no_paper_prints_is_named() -> None:
    for method in set(METHODS) - set(PRINTED):
        with pytest.raises(BadOption, match=f"no paper here prints '{method}' step by step"):
            select(NumPyPrimitives([1, 2]), 0, method=method, as_printed=True)
    assert set(PRINTED) < set(METHODS)
    with pytest.raises(UnknownName):
        select(NumPyPrimitives([1, 2]), 0, method="quick", as_printed=True)
    with pytest.raises(BadOption, match="'bucket' has no option 'buckets': it has none"):
        select(NumPyPrimitives([1, 2]), 0, method="bucket", as_printed=True, buckets=7)


def test_medians_and_quantiles_as_printed() -> None:
    keys = np.random.default_rng(1).random(1001)
    given: Any = {"as_printed": True}
    for method, some in product(("bucket", "radix"), (keys, keys[1:])):
        found = selection.median(NumPyPrimitives(some), method=method, **given)
        assert found == np.median(some)
        found = selection.quantile(NumPyPrimitives(some), [0.1, 0.5], selector=method, **given)
        np.testing.assert_array_equal(found, np.quantile(some, [0.1, 0.5]))


# The papers' adversaries: what they cost the methods as printed, and the improved methods. The
# table is made once. Its labels are those of the traces, so no row can be mislabelled. Cutoffs are
# scaled down with n.

N = 1 << 17

WAYS: dict[str, dict[str, Any]] = {
    "bucket": {},
    "radix": {},
    "radix-inplace": {},
    "randomized": {},
    "cutting-plane": {"finish": "iterate"},
}


def data() -> dict[str, Keys]:
    """The keys of each column."""
    half_normal = datasets.make("half-normal", N, dtype="float32", seed=1)
    named = ("uniform", "bucket-killer", "ones-and-twos", "sorted", "ones")
    return {
        **{name: datasets.make(name, N, dtype="float32", seed=1) for name in named},
        "half-normal": half_normal,
        "10^9": datasets.with_outliers(half_normal, 1e9),
        "10^20": datasets.with_outliers(half_normal, 1e20),
    }


class Cost(NamedTuple):
    """What a selection read and moved, in multiples of n, without the proof; and its queues."""

    reads: float
    moved: float
    queues: float  # keys in the bucket of the rank, which increment one counter after the other
    fault: str  # the name of the error, if there was one


def cost_of(keys: Keys, given: Any) -> tuple[str, Cost]:
    """Return the label of the trace of a right answer, or of a fault, and its cost."""
    fault = ""
    try:
        answer, trace = select(NumPyPrimitives(keys), N // 2, return_trace=True, **given)
        assert answer == np.partition(keys, N // 2)[N // 2]
    except (AnswerRefuted, DidNotConverge) as error:
        trace, fault = error.trace, type(error).__name__
    steps = [step for step in trace.steps if step.name != "proof"]
    reads = sum(step.keys_read for step in steps) / N
    written = sum(step.keys_written for step in steps) / N
    return trace.label, Cost(reads, reads + written, float(trace.candidates.sum()) / N, fault)


Table = dict[tuple[str, str], Cost]


@pytest.fixture(scope="module")
def table() -> Table:
    """The cost of the median, by the label of its trace and the name of the keys."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alabi_2012_bucket_select, "CUTOFF", N // 2)
        for (name, keys), method, printed in product(data().items(), WAYS, (True, False)):
            given = {"method": method, "as_printed": printed, **WAYS[method]}
            label, cost = cost_of(keys, given)
            found[label, name] = cost
    return found


def worse(table: Table, label: str, name: str, usual: str = "uniform") -> float:
    """How many times as many reads some keys cost as the usual ones."""
    return table[label, name].reads / table[label, usual].reads


def test_bucket_killer(table: Table) -> None:
    killer, usual = (table["bucket, as printed", name] for name in ("bucket-killer", "uniform"))
    assert killer.reads >= 7.5 * usual.reads
    assert killer.moved >= 9 * usual.moved
    assert killer.queues >= 1000 * usual.queues  # atomic increments that wait for each other
    assert killer.fault == ""


def test_what_the_papers_own_up_to(table: Table) -> None:
    assert worse(table, "bucket, as printed", "10^9", "half-normal") >= 2
    assert worse(table, "bucket, as printed", "10^20", "half-normal") >= 2
    # the middle bin of randomizedSelect has all keys that are equal, and sorts them
    assert worse(table, "randomized, as printed", "ones") >= 5


def test_radix_select_knows_its_worst_case(table: Table) -> None:
    """It is stable: eight digits, each counted and overwritten, are the worst."""
    for name in data():
        assert table["radix, as printed", name].reads <= 1 + 2 * 8
        assert table["radix, as printed", name] == table["radix-inplace, as printed", name]
    assert table["radix, as printed", "ones"].reads == 1 + 8


def test_outliers_and_the_cutting_plane(table: Table) -> None:
    """Section V-D: 10^9 does no harm, and 10^20 spoils the sums."""
    label = "cutting-plane, as printed"
    assert worse(table, label, "10^9", "half-normal") <= 1.5
    assert table[label, "10^9"].fault == ""
    assert worse(table, label, "10^20", "half-normal") >= 4
    assert table[label, "10^20"].fault == "AnswerRefuted"
    assert table[label, "bucket-killer"].fault == "AnswerRefuted"


def test_improved_methods_hold_out(table: Table) -> None:
    for label, name in table:
        if label.endswith("improved"):
            mean_is_median = label.startswith("cutting-plane")  # of uniform keys: its best case
            usual = "half-normal" if mean_is_median or name.startswith("10^") else "uniform"
            assert table[label, name].fault == ""
            assert worse(table, label, name, usual) <= 3, (label, name)
