"""Methods as printed: each answer is right, or an error with a trace names the method's fault."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort import selection
from shadersort.errors import AnswerRefuted, BadOption, DidNotConverge, UnknownName
from shadersort.keys.types import Keys
from shadersort.selection import METHODS, SelectionTrace, select, select_many
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.printed import PRINTED
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
