"""Errors say in the user's words what is missing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.streams import (
    FrequencySummary,
    HierarchicalHeavyHitters,
    Histogram,
    QuantileSummary,
    ipv4_numbers,
)

heavy = HierarchicalHeavyHitters(0.1).update([1])
digits = HierarchicalHeavyHitters(0.1, "decimal", digits=3)
bits = HierarchicalHeavyHitters(0.1, "bits")
counts = FrequencySummary(0.1)
ranks = QuantileSummary(0.1).update([1.0])
any_sorter: Any = "numpy"
no_summary: Any = counts

ASKED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: heavy.update(["10.1.2.3"]), UnsupportedKeys, r"text: .*ipv4_numbers\(addresses\)"),
    (lambda: heavy.update("10.1.2.3"), UnsupportedKeys, "ipv4_numbers"),
    (lambda: heavy.update(np.array(["10.1.2.3"])), UnsupportedKeys, "ipv4_numbers"),
    (lambda: heavy.update([b"10.1.2.3"]), UnsupportedKeys, "ipv4_numbers"),
    (lambda: heavy.estimate("10.1.2.3", 32), UnsupportedKeys, "ipv4_numbers"),
    (lambda: heavy.update([-1]), UnsupportedKeys, "integers from 0 to 4294967295"),
    (lambda: heavy.update([0.5]), UnsupportedKeys, "integers from 0 to 4294967295"),
    (lambda: digits.update(["12"]), UnsupportedKeys, r"\[int\(word\) for word in words\]"),
    (lambda: bits.update(["101"]), UnsupportedKeys, r"\[int\(word, 2\) for word in words\]"),
    (lambda: digits.update([1000]), UnsupportedKeys, "more than 3 digits"),
    (lambda: counts.update(["a", "b"]), UnsupportedKeys, "give each word a number"),
    (lambda: counts.update([None, 1]), UnsupportedKeys, "leave out each None"),
    (lambda: counts.update([True]), UnsupportedKeys, r"values.astype\(np.uint8\)"),
    (lambda: counts.update(np.array(["2005-06-14"], "M8[D]")), UnsupportedKeys, "np.int64"),
    (lambda: ranks.update([1j]), UnsupportedKeys, r"abs\(values\)"),
    (lambda: ranks.rank("many"), UnsupportedKeys, "points are numbers, not <U4: 'many'"),
    (lambda: ranks.rank([[1], [1, 2]]), UnsupportedKeys, "points are a number or an array"),
    (lambda: QuantileSummary(0.1, sorter=any_sorter), BadOption, r"NumPySorter\(\)"),
    (lambda: Histogram(no_summary), BadOption, "QuantileSummary say, not of FrequencySummary"),
    (lambda: ipv4_numbers("10.1.2.3"), UnsupportedKeys, r"\['10.1.2.3'\]"),
]


@pytest.mark.parametrize(("ask", "error", "words"), ASKED)
def test_an_error_says_what_would_be_right(
    ask: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ask()
