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
from tests.selection.inputs import ANY_KEYS, TYPES, Without, awkward, ranks, same

MAY_FAIL = {"quasi-newton"}
WAYS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in METHODS),
    ("cutting-plane", {"finish": "iterate"}),
    ("cutting-plane", {"finish": "iterate", "transform": False}),
]


def check(keys: Keys, k: int, method: str, options: dict[str, Any]) -> bool:
    """Check one answer; return whether the method gave one."""
    some = NumPyPrimitives(keys)
    try:
        answer, trace = select(some, k, method=method, return_trace=True, **options)
    except errors.DidNotConverge:
        if method not in MAY_FAIL:
            raise
        return False
    assert same(answer, np.sort(keys, kind="stable")[k])
    assert type(answer) is keys.dtype.type
    assert [step.name for step in trace.steps].count("proof") <= 1
    return True


@pytest.mark.parametrize(("method", "options"), WAYS)
def test_every_method(method: str, options: dict[str, Any]) -> None:
    for dtype, n in product(TYPES, (1, 3, 65)):
        for keys in awkward(n, dtype).values():
            for k in ranks(n):
                check(keys, k, method, options)


@given(ANY_KEYS, st.data())
@settings(max_examples=40)
def test_any_keys(keys: Keys, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, keys.size - 1))
    for method, options in WAYS:
        check(keys, k, method, options)


@settings(max_examples=40)
@given(ANY_KEYS, st.data())
def test_many_ranks(keys: Keys, data: st.DataObject) -> None:
    rank = st.integers(-keys.size, keys.size - 1)
    ks = data.draw(st.lists(rank, max_size=10))
    method = data.draw(st.sampled_from(["auto", "sort-choose", "cutting-plane", "bisection"]))
    answers, trace = select_many(NumPyPrimitives(keys), ks, method=method, return_trace=True)
    np.testing.assert_array_equal(answers, np.sort(keys, kind="stable")[np.array(ks, int)])
    assert answers.dtype == keys.dtype
    assert trace.ks == tuple(sorted({k % keys.size for k in ks}))


@settings(max_examples=40)
@given(ANY_KEYS, st.data())
def test_adjacent_keys(keys: Keys, data: st.DataObject) -> None:
    if keys.size < 2:
        return
    k = data.draw(st.integers(0, keys.size - 2))
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


def test_unknown_names() -> None:
    keys = NumPyPrimitives([1, 2, 3])
    with pytest.raises(errors.UnknownName, match="'quick': use 'sort-choose', "):
        select(keys, 0, method="quick")
    with pytest.raises(
        errors.BadOption, match=r"'bisection' has no option 'digits': .* iterations"
    ):
        select(keys, 0, method="bisection", digits=4)
    with pytest.raises(errors.BadOption, match="'sort-choose' has no option 'digits': it has none"):
        select(keys, 0, method="sort-choose", digits=4)
    with pytest.raises(errors.BadOption, match="'auto', 'compact' or 'iterate'"):
        select(keys, 1, method="cutting-plane", finish="never")
    with pytest.raises(errors.BadOption, match="1 or more, not 0"):
        select(keys, 1, method="golden", iterations=0)


def test_giving_up_says_so_and_carries_the_trace() -> None:
    keys = NumPyPrimitives(np.random.default_rng(0).random(1000))
    says = r"bisection did not converge: .* 3 iterations"
    with pytest.raises(errors.DidNotConverge, match=says) as found:
        select(keys, 500, method="bisection", iterations=3)
    assert isinstance(found.value.trace, SelectionTrace)
    assert len(found.value.trace.iterations) == 3


def test_what_the_keys_cannot_serve_is_refused_before_the_first_read() -> None:
    keys = Without([3, 1, 2], "objective")
    with pytest.raises(
        errors.MethodUnavailable, match="'golden' needs objective, which a counter cannot"
    ):
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
        answer, trace = select(NumPyPrimitives(keys), k, method="bisection", return_trace=True)
        assert same(answer, np.sort(keys)[k])
        assert [step.name for step in trace.steps] == ["extent", "proof"]
