"""The bytes of summaries are what docs/format.md says: a reader without NumPy understands them."""

from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.streams import FrequencySummary, QuantileSummary
from shadersort.streams.blob import unpack
from tests.streams.every import MAKERS, made, stream_for
from tests.streams.plain_reader import Ranks, count_bounds, read

PAGE = Path(__file__).parents[2] / "docs" / "format.md"


@pytest.mark.parametrize("name", MAKERS)
def test_the_frame_is_that_of_the_page(name: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for count in (0, 1, 12_345):
        data = made(name, [stream_for(name, count)]).to_bytes()
        kind, parameters, arrays = read(data)
        blob = unpack(data)
        assert (kind, parameters) == (blob.kind, blob.parameters)
        assert arrays.keys() == blob.arrays.keys()
        for each, numbers in arrays.items():
            assert np.array(numbers, blob.arrays[each].dtype).tolist() == blob.arrays[each].tolist()
            assert f"`{each.rstrip('0123456789 ')}" in text
        assert all(f"`{each}`" in text for each in parameters)


@pytest.mark.parametrize("count", [1, 90, 5_000, 30_011])
def test_a_reader_without_numpy_answers_quantiles(count: int) -> None:
    stream = stream_for("quantiles", count)
    printed = QuantileSummary(0.1, 9_000, as_printed=True)
    summaries = (QuantileSummary(0.2), QuantileSummary(0.01), printed)
    updated: list[Any] = [summary.update(stream) for summary in summaries]
    merged = QuantileSummary(0.2).update(stream[::2]).merge(updated[0])
    for summary in (*updated, merged, merged.compact()):
        plain = Ranks(summary.to_bytes())
        for x in [-1.0, *np.unique(stream[~np.isnan(stream)])[:50].tolist(), 1e9]:
            assert plain.rank_bounds(x) == summary.rank_bounds(x)
        for q in (0.0, 0.1, 0.5, 0.9, 0.999, 1.0):
            assert plain.quantile(q) == summary.quantile(q)


@pytest.mark.parametrize("epsilon", [0.3, 0.01, 1 / 49, 0.0001])
def test_windows_of_lists_are_those_of_the_page(epsilon: float) -> None:
    exact, unit = Fraction(epsilon), ceil(1 / Fraction(epsilon))
    random, summary = np.random.default_rng(1), QuantileSummary(epsilon)
    for count in (0, 1, *random.integers(1, 9_000, 30).tolist(), 200_000, 5):
        summary.update(random.normal(size=count))
        arrays = read(summary.to_bytes())[2]
        waiting = len(arrays.get("waiting", []))
        n, e, first = arrays["seen"][0] - waiting, len(arrays.get("values", [])), floor(8 / exact)
        t = (max(8, floor(exact * n)) ** 16).bit_length() - 1
        room = floor((t + 16) / (8 * exact))
        w = max(unit, min(room - e, max(first - e, 4 * unit, 16384))) if n else first
        assert summary.window == w > waiting


def test_a_reader_without_numpy_counts() -> None:
    stream = stream_for("frequencies", 30_011)
    summary = FrequencySummary(0.05).update(stream)
    numbers, exact = np.unique(stream[~np.isnan(stream)] + 0, return_counts=True)
    for item, count in zip(numbers[:200].tolist(), exact.tolist(), strict=False):
        low, high = count_bounds(summary.to_bytes(), item)
        assert low == summary.estimate(item) <= count <= high
