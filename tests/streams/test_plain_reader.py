"""The bytes of summaries are what docs/format.md says: a reader without NumPy understands them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.streams import (
    FrequencySummary,
    HierarchicalHeavyHitters,
    QuantileSummary,
    TailSummary,
)
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
            assert numbers == blob.arrays[each].tolist()
            assert f"`{each.rstrip('0123456789 ')}" in text
        assert all(f"`{each}`" in text for each in parameters)


@pytest.mark.parametrize("count", [1, 90, 5_000, 30_011])
def test_a_reader_without_numpy_answers_quantiles(count: int) -> None:
    stream = stream_for("quantiles", count)
    summaries: tuple[Any, ...] = (TailSummary(0.2), TailSummary(0.3, tail="both"))
    if "levels" in unpack(QuantileSummary(0.2).update(stream).to_bytes()).arrays:
        summaries += (QuantileSummary(0.2), QuantileSummary(0.1, 9_000, as_printed=True))
    for summary in summaries:
        summary.update(stream)
        plain = Ranks(summary.to_bytes())
        for x in [-1.0, *np.unique(stream[~np.isnan(stream)])[:50].tolist(), 1e9]:
            assert plain.rank_bounds(x) == summary.rank_bounds(x)
        for q in (0.0, 0.1, 0.5, 0.9, 0.999, 1.0):
            assert plain.quantile(q) == summary.quantile(q)


def test_a_reader_without_numpy_counts() -> None:
    stream = stream_for("frequencies", 30_011)
    summary = FrequencySummary(0.05).update(stream)
    numbers, exact = np.unique(stream[~np.isnan(stream)] + 0, return_counts=True)
    for item, count in zip(numbers[:200].tolist(), exact.tolist(), strict=False):
        low, high = count_bounds(summary.to_bytes(), item)
        assert low == summary.estimate(item) <= count <= high


def test_levels_of_prefixes_are_items_without_digits() -> None:
    items = np.tile(np.array([0x0A010203, 0x0A010204, 0x0A020304], np.uint32), 5_000)
    _, _, arrays = read(HierarchicalHeavyHitters(0.05).update(items).to_bytes())
    for level in range(4):
        assert arrays[f"items {level}"] == sorted({int(each) >> 8 * level for each in items})
