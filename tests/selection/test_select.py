"""Every method against `np.sort`, and what the driver refuses."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort import errors
from shadersort.keys.types import Key, Keys
from shadersort.selection import METHODS, SelectionTrace, median, select, select_many
from shadersort.selection.method import Method
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.quantiles import SearchedRow
from shadersort.selection.selection import Selection
from tests.selection.inputs import ANY_KEYS, MANY_WAYS, TYPES, WAYS, Without, awkward, names, ranks

EVERY_WAY: list[Any] = [
    *((name, {}) for name in METHODS),
    ("cutting-plane", {"finish": "iterate"}),
    ("cutting-plane", {"finish": "iterate", "transform": False}),
    *WAYS,
]
EVERY_MANY_WAY: list[Any] = [
    *((name, {}) for name in ("auto", "sort-choose", "bucket", "cutting-plane", "bisection")),
    *MANY_WAYS,
]


def check(keys: Keys, ks: Any, way: Any) -> None:
    """Check the answer for one rank or for many, and that its trace adds up to what was moved."""
    some, (method, options) = NumPyPrimitives(keys), way
    ask: Any = select_many if np.ndim(ks) else select
    try:
        answer, trace = ask(some, ks, method=method, return_trace=True, **options)
    except errors.DidNotConverge:
        assert method == "quasi-newton"
        return
    ordered = np.sort(keys, kind="stable")
    np.testing.assert_array_equal(answer, ordered[np.asarray(ks, np.int64)])
    assert type(answer) is (np.ndarray if np.ndim(ks) else keys.dtype.type)
    assert answer.dtype == keys.dtype
    assert trace.ks == tuple(sorted({k % keys.size for k in np.ravel(ks).tolist()}))
    assert trace.keys_read == some.traffic.read
    assert trace.keys_written == some.traffic.written
    if not np.ndim(ks):
        assert names(trace).count("proof") <= 1
        assert np.all((trace.candidates >= 1) & (trace.candidates <= keys.size))
        assert np.all(np.diff(trace.candidates) <= 0)


@pytest.mark.parametrize("dtype", TYPES)
def test_awkward_keys(dtype: str) -> None:
    for n in (1, 3, 65):
        for keys in awkward(n, dtype).values():
            for way, k in product(EVERY_WAY, ranks(n)):
                check(keys, k, way)
            for way in EVERY_MANY_WAY:
                check(keys, range(n), way)


@given(ANY_KEYS, st.data())
@settings(max_examples=40)
def test_any_keys(keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, keys.size - 1))
    ks = data.draw(st.lists(st.integers(-keys.size, keys.size - 1)))
    for way in EVERY_WAY:
        check(keys, k, way)
    for way in EVERY_MANY_WAY:
        check(keys, ks, way)
    if k < keys.size - 1:
        found = SearchedRow(NumPyPrimitives(keys), method="cutting-plane").ranks([k, k + 1])
        np.testing.assert_array_equal(found, np.sort(keys, kind="stable")[k : k + 2])


def test_negative_ranks_and_no_keys() -> None:
    keys, nothing = NumPyPrimitives([5, 1, 4]), NumPyPrimitives(np.empty(0, np.float32))
    for method in METHODS:
        assert [select(keys, k, method=method) for k in (-1, -3)] == [5, 1]
        with pytest.raises(errors.EmptyInput, match="no keys"):
            select(nothing, 0, method=method)
        with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
            assert np.isnan(median(nothing, method=method))


def test_bad_ranks() -> None:
    bad: list[Any] = [float("nan"), 1.0, "1", None, [1]]
    for k in (3, -4, 2**70):
        with pytest.raises(errors.RankOutOfRange, match="of 3 keys: ranks are -3 to 2"):
            select(NumPyPrimitives([1, 2, 3]), k)
    for k in bad:
        with pytest.raises(errors.BadRank, match="integer"):
            select(NumPyPrimitives([1, 2, 3]), k)


def test_bad_options() -> None:
    refused: list[tuple[str, dict[str, Any], str]] = [
        ("bisection", {"digits": 4}, r"'bisection' has no option 'digits': .* iterations"),
        ("sort-choose", {"digits": 4}, "'sort-choose' has no option 'digits': it has none"),
        ("cutting-plane", {"finish": "never"}, "'auto', 'compact' or 'iterate'"),
        ("golden", {"iterations": 0}, "1 or more, not 0"),
        ("radix-inplace", {"width": 17}, "a digit has 1 to 16 bits, not 17"),
        ("bucket", {"buckets": 1}, "buckets are 2 or more, not 1"),
        ("randomized", {"samples": 0}, "samples are 1 or more, not 0"),
        ("randomized", {"probability": 1.0}, "between 0 and 1, not 1.0"),
    ]
    for method, options, says in refused:
        with pytest.raises(errors.BadOption, match=says):
            select(NumPyPrimitives([1, 2, 3]), 1, method=method, **options)


def test_unknown_names_and_buckets_that_intervals_do_not_divide() -> None:
    with pytest.raises(errors.UnknownName, match="'quick': use 'sort-choose', "):
        select(NumPyPrimitives([1, 2, 3]), 0, method="quick")
    with pytest.raises(errors.BadOption, match="not 1024, 16 and 31"):
        select_many(NumPyPrimitives([1, 2, 3]), [1], method="bucket", buckets=31)


def test_giving_up_says_so_and_carries_the_trace() -> None:
    keys = NumPyPrimitives(np.random.default_rng(0).random(1000))
    says = r"bisection did not converge: .* 3 iterations"
    with pytest.raises(errors.DidNotConverge, match=says) as found:
        select(keys, 500, method="bisection", iterations=3)
    assert isinstance(found.value.trace, SelectionTrace)
    assert len(found.value.trace.iterations) == 3


def test_what_the_keys_cannot_serve_is_refused_before_the_first_read() -> None:
    keys = Without([3, 1, 2], "objective")
    says = "'golden' needs objective, which a counter cannot"
    with pytest.raises(errors.MethodUnavailable, match=says):
        select(keys, 1, method="golden")
    assert keys.traffic.passes == 0
    assert select(keys, 1, method="bisection") == 2


def test_a_wrong_answer_is_refuted() -> None:
    def first(run: Selection) -> Key:
        return run.keys.take([0])[0]

    method = Method("bitwise", first, needs=("take",))
    run = Selection(NumPyPrimitives([3, 1, 2]), [1], "first")
    answer = method.find(run, {})
    with pytest.raises(errors.AnswerRefuted, match="first answered 3 for rank 1"):
        run.prove(np.array([answer]))


def test_infinities_and_nans_are_answered_from_the_extent() -> None:
    keys = np.array([np.nan, 1, np.inf, -np.inf, 2, np.nan])
    for k in (0, 3, 4, 5):
        _, trace = select(NumPyPrimitives(keys), k, method="bisection", return_trace=True)
        assert names(trace) == ["extent", "proof"]
