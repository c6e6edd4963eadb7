"""NumPy's own tests, run against `modern`: the adapter, and the reasons of failures."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from bench.numpy_tests import adapter, reasons
from bench.numpy_tests.__main__ import rows_of
from bench.numpy_tests.child import Result, results

MODULE, CLASS = "test_nanfunctions", "TestNanFunctions_Quantile"


@pytest.fixture(scope="module")
def found() -> list[Result]:
    """What came of one class, whose tests take little time."""
    return results([f"numpy.lib.tests.{MODULE}"], "-k", CLASS)


def test_a_class_fails_where_reasons_say_so(found: list[Result]) -> None:
    explained = {
        test
        for each in reasons.REASONS.values()
        for test in each.tests
        if test.startswith(f"{MODULE}::{CLASS}::")
    }
    assert explained == {each.test for each in found if each.failed}
    assert len(found) > 2 * len(explained) > 0
    head, *failures = rows_of(found)
    assert head == {
        "class": f"{MODULE}::{CLASS}",
        "tests": len(found),
        "failed": len(explained),
    }
    assert {row["reason"] for row in failures} == {"types"}


def test_each_failure_needs_a_reason_and_each_reason_a_failure(found: list[Result]) -> None:
    new = Result(f"{MODULE}::{CLASS}::test_new", True, "AssertionError: 1 != 2")
    wrong = reasons.mismatches([*found, new])
    assert f"no reason is given for {new.test}, which says {new.says}" in wrong
    assert not any(f"::{CLASS}::" in line and "test_new" not in line for line in wrong)
    passed = [Result(each.test, False, "") for each in found]
    stale = [line for line in reasons.mismatches(passed) if f"::{CLASS}::" in line]
    assert len(stale) == sum(each.failed for each in found)


@given(st.data())
def test_a_partition_around_ranks(data: Any) -> None:
    shape = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    axis = data.draw(st.sampled_from([0, 1, -1, None]))
    length = shape[0] * shape[1] if axis is None else shape[axis]
    ranks = data.draw(st.lists(st.integers(-length, length - 1), min_size=1, max_size=3))
    values = st.sampled_from([0.0, 1.0, 2.0, np.inf, np.nan])
    x = np.array([[data.draw(values) for _ in range(shape[1])] for _ in range(shape[0])])
    parted = adapter.partition(x, ranks, axis=axis)
    ordered = np.sort(x, axis=axis)
    place = axis if axis is not None else 0
    np.testing.assert_array_equal(np.sort(parted, axis=place), ordered)
    for each in ranks:
        k = each % length
        front = np.arange(k)
        np.testing.assert_array_equal(parted.take(k, place), ordered.take(k, place))
        np.testing.assert_array_equal(  # the same keys before the rank
            np.sort(parted.take(front, place), axis=place), ordered.take(front, place)
        )


def test_the_adapter_asks_modern(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(modern, "quantile", lambda x, q, **options: asked.append((x, q, options)))
    adapter.percentile([3, 1, 2], 30, axis=0)
    assert asked == [
        (
            [3, 1, 2],
            0.3,
            {"axis": 0, "out": None, "method": "linear", "keepdims": False, "weights": None},
        )
    ]
