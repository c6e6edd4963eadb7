"""Summaries of groups: every group within its guarantee, and all of them together one summary."""

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort import Device
from shadersort.errors import (
    BadEpsilon,
    BadOption,
    BadWeights,
    CorruptSummary,
    EmptySummary,
    KeysNotFlat,
    NaNRefused,
    SummariesDiffer,
    UnsupportedKeys,
    ValuesMismatch,
)
from shadersort.keys.types import Keys
from shadersort.streams import GroupedQuantiles, NumPySorter, QuantileSummary, TextureSorter
from shadersort.streams.blob import Blob, pack
from shadersort.streams.gk_budget import list_budget
from shadersort.streams.summary import Summary
from tests.helpers import telling_floats
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.exact import GRID, assert_ranks_within, merged

Groups = GroupedQuantiles[QuantileSummary]
SIZES = (0, 1, 2, 3, 7, 8, 9, 255, 256, 257, 1023, 1024, 1025)


def grouped(keys: Any, values: Any, epsilon: float = 0.1, **options: Any) -> Groups:
    return QuantileSummary.grouped(keys, values, epsilon, **options)


def keys_for(random: np.random.Generator, n: int) -> Keys:
    """Keys of a few large groups, and of many small ones."""
    return np.minimum(random.zipf(1.3, n), 1 << 20) % int(random.integers(1, 50)) - 5


def assert_groups_within(groups: Groups, keys: Keys, values: Keys) -> None:
    """Each group has its size and is within the guarantee; one question answers for all."""
    epsilon, present = groups.epsilon, ~np.isnan(values)
    exact = {key: values[present & (keys == key)] for key in np.unique(keys[present]).tolist()}
    assert list(groups) == list(exact)
    assert groups.n == sum(map(len, exact.values()))
    if not exact:
        return
    assert groups.sizes.tolist() == [len(each) for each in exact.values()]
    assert np.all(groups.rank_errors <= epsilon * groups.sizes)
    quantiles, points = groups.quantile(GRID), [-2.0, 0.0, np.inf, 7.5]
    ranks, below = groups.rank_bounds(points), groups.rank_bounds(points, side="left")
    for place, (key, stream) in enumerate(exact.items()):
        summary = groups[key]
        assert_ranks_within(summary, stream, epsilon * stream.size)
        assert summary.rank_error == groups.rank_errors[place]
        np.testing.assert_array_equal(summary.quantile(GRID), quantiles[place])
        np.testing.assert_array_equal(summary.rank_bounds(points), [r[place] for r in ranks])
        left = summary.rank_bounds(points, side="left")
        np.testing.assert_array_equal(left, [r[place] for r in below])
        if stream.size <= list_budget(epsilon).first:
            assert summary.rank_error == 0


def room_of(epsilon: float, n: int) -> float:
    return max(8.0, 2 * float(np.log2(max(1, epsilon * n))) + 2) / epsilon


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_every_group_is_within_the_guarantee(name: str) -> None:
    """Updates of any lengths, restored in the middle."""
    for random, values in draws(name, 20_000, count=max(2, STREAMS // 300)):
        epsilon, keys = float(random.choice([0.3, 0.1, 0.02])), keys_for(random, values.size)
        groups = Groups(epsilon)
        for places in np.array_split(np.arange(values.size), random.integers(1, 9)):
            groups.update(keys[places], values[places])
            if random.random() < 0.3:
                groups = Groups.from_bytes(groups.to_bytes())
        assert_groups_within(groups, keys, values)
        for summary in groups.values():
            assert len(summary) <= room_of(epsilon, summary.n) + 4096


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_merged_groups_are_within_the_guarantee(name: str) -> None:
    for random, values in draws(name, 20_000, count=max(1, STREAMS // 600)):
        epsilon, keys = float(random.choice([0.3, 0.05])), keys_for(random, values.size)
        cuts = np.sort(random.integers(0, values.size + 1, random.integers(1, 30)))
        parts = zip(np.split(keys, cuts), np.split(values, cuts), strict=True)
        whole = merged([grouped(*part, epsilon, dtype=values.dtype) for part in parts], random)
        assert_groups_within(whole, keys, values)


ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.floats(width=32), st.integers(0, 9)))


@given(ROWS, st.integers(0, 60))
def test_any_rows_are_within_the_guarantee(rows: list[tuple[str, float, int]], cut: int) -> None:
    keys = np.array([key for key, _, _ in rows], "U1")
    values = np.array([value for _, value, _ in rows], np.float32)
    weights = np.array([weight for _, _, weight in rows], np.int64)
    groups = Groups(0.45, dtype="float32")
    for part in (slice(0, cut), slice(cut, None)):
        groups.update(keys[part], values[part], weights[part])
    assert groups.nans == weights[np.isnan(values)].sum()
    assert_groups_within(groups, np.repeat(keys, weights), np.repeat(values, weights))
    assert Groups.from_bytes(groups.to_bytes()) == groups


def test_all_sizes_of_groups_at_once() -> None:
    keys = np.repeat(np.arange(len(SIZES)), SIZES)
    random = np.random.default_rng(1)
    for values in (np.arange(keys.size), -np.arange(keys.size), np.full(keys.size, 7)):
        order = random.permutation(keys.size)
        assert_groups_within(grouped(keys, values), keys, values)
        assert_groups_within(grouped(keys[order], values[order]), keys[order], values[order])


def test_telling_floats_are_told_from_each_other() -> None:
    for dtype in ("float16", "float32", "float64"):
        values = np.repeat(telling_floats(dtype), 30)
        keys = np.arange(values.size) % 3
        groups = grouped(keys, values)
        assert groups.nans == np.isnan(values).sum()
        assert_groups_within(groups, keys, values)


def test_large_integers_are_exact() -> None:
    values = np.array([2**53, 2**53 + 1, 2**63 - 1, -(2**63)] * 5)
    groups = grouped([2**62] * 10 + [-(2**63)] * 10, values)
    assert list(groups) == [-(2**63), 2**62]
    assert groups.rank(2**53, side="left").tolist() == groups.rank(-(2**63)).tolist() == [3, 2]
    assert groups.rank([2**53, 2.0**53]).tolist() == [[5, 5], [5, 5]]


def test_long_groups_are_as_small_as_a_summary_of_their_own() -> None:
    random = np.random.default_rng(3)
    groups = Groups(0.01)
    for _ in range(40):
        groups.update(random.integers(0, 5, 10_000), random.normal(size=10_000))
    assert np.all(groups._lists.counts <= 800)
    assert np.all(groups._lists.counts <= [room_of(0.01, n) for n in groups.sizes])
    zig_zag = np.arange(60_000) * np.where(np.arange(60_000) % 2, -1, 1)
    for stream in (zig_zag, zig_zag[::-1]):
        groups = Groups(0.05)
        for part in np.split(stream, 60):
            groups.update(np.zeros(part.size, int), part)
        assert len(groups._lists) <= room_of(0.05, 60_000)
        assert len(groups._lists.shortened(list_budget(0.05))) <= len(groups._lists)


def test_weights_are_repeats() -> None:
    random = np.random.default_rng(4)
    keys, values = random.integers(0, 9, 3_000), random.integers(0, 99, 3_000).astype(np.int16)
    weights = random.integers(0, 50, 3_000)
    groups = grouped(keys, values, weights=weights)
    assert_groups_within(groups, np.repeat(keys, weights), np.repeat(values, weights))
    heavy = grouped(["a", "a", "b"], [1.0, 2.0, 3.0], weights=[1 << 50, 1 << 51, 1])
    assert heavy.quantile([0.3, 0.5]).tolist() == [[1, 2], [3, 3]]


def test_it_is_a_mapping_of_summaries() -> None:
    groups = grouped(["b", "a", "b"], [1, 2, 3])
    assert isinstance(groups, Mapping)
    assert (len(groups), list(groups), list(groups.keys())) == (2, ["a", "b"], ["a", "b"])
    assert {key: each.n for key, each in groups.items()} == {"a": 1, "b": 2}
    assert "a" in groups
    assert groups.get("c") is None
    for key in ("c", "", "z", 5, None, True, (1,)):
        assert key not in groups
        with pytest.raises(KeyError):
            groups[key]
    mine = groups["b"].update([9, 9])
    assert (mine.n, groups["b"].n) == (4, 2)
    numbers = grouped([3, 5], [1.0, 2.0])
    assert numbers[np.int64(3)].n == numbers[3].n == 1
    other: Any
    for other in (4, 2**70, -(2**70), True, 3.0, "3"):
        assert other not in numbers


def test_a_group_goes_on_as_a_summary() -> None:
    random = np.random.default_rng(5)
    values = random.normal(size=30_000)
    summary = grouped(np.zeros(20_000, int), values[:20_000], 0.01)[0]
    summary.update(values[20_000:]).merge(QuantileSummary(0.01).update(values))
    assert_ranks_within(summary, np.tile(values, 2), 0.01 * 60_000)
    assert QuantileSummary.from_bytes(summary.to_bytes()) == summary
    assert len(summary.compact()) <= 150


def test_every_sorter_and_every_way_through_bytes_gives_the_same(software: Device) -> None:
    random = np.random.default_rng(6)
    keys, values = random.integers(0, 40, 9_000), random.normal(size=9_000).astype(np.float32)
    values[::9], values[1::9] = -0.0, 0.0
    expected = None
    for sorter in (None, NumPySorter(threads=1), TextureSorter(device=software)):
        groups = Groups(0.1, sorter=sorter)
        for part in np.array_split(np.arange(keys.size), 7):
            groups.update(keys[part], values[part])
            if sorter is not None:
                groups = pickle.loads(pickle.dumps(groups)) if len(part) % 2 else groups.copy()
            groups.median()
        expected = expected or groups.to_bytes()
        assert groups.to_bytes() == expected
    assert type(Summary.from_bytes(expected or b"")) is GroupedQuantiles


def test_what_is_asked_of_no_groups() -> None:
    empty = Groups(0.1)
    assert (len(empty), list(empty), empty.n, empty.labels.size, empty.sizes.size) == (
        0,
        [],
        0,
        0,
        0,
    )
    assert Groups.from_bytes(empty.to_bytes()) == empty.copy().merge(empty)
    for ask in (empty.median, lambda: empty.rank(1), lambda: empty.rank_errors):
        with pytest.raises(EmptySummary):
            ask()
    only_nans = grouped([1, 2], [np.nan, np.nan])
    assert (len(only_nans), only_nans.nans) == (0, 2)
    assert 1 not in only_nans
    assert only_nans.copy().update([2], [5.0])[2].n == 1


BAD: list[tuple[Any, Any, Any, type[Exception]]] = [
    ([1, 2], [1.0], None, ValuesMismatch),
    ([], [1.0], None, ValuesMismatch),
    (1, [1.0, 2.0], None, ValuesMismatch),
    (["a"], [1.0], None, UnsupportedKeys),
    ([1.0], [1.0], None, UnsupportedKeys),
    ([None], [1.0], None, UnsupportedKeys),
    ([True], [1.0], None, UnsupportedKeys),
    ([1 << 63], [1.0], None, UnsupportedKeys),
    ([1 << 80], [1.0], None, UnsupportedKeys),
    (np.array(["2005-06-14"], "M8[D]"), [1.0], None, UnsupportedKeys),
    (["a", None], [1.0, 2.0], None, UnsupportedKeys),
    ([["a"], ["b", "c"]], [1.0, 2.0], None, UnsupportedKeys),
    ([[1], [2]], [1.0, 2.0], None, KeysNotFlat),
    ([1], ["a"], None, UnsupportedKeys),
    ([1], [[1.0]], None, KeysNotFlat),
    ([1, 2], [1.0, 2.0], [1], BadWeights),
    ([1, 2], [1.0, 2.0], [1, -1], BadWeights),
    ([1, 2], [1.0, 2.0], [1, 0.5], BadWeights),
    ([1], [np.nan], None, NaNRefused),
]


@pytest.mark.parametrize(("keys", "values", "weights", "error"), BAD)
def test_bad_rows_are_refused_and_nothing_changes(
    keys: Any, values: Any, weights: Any, error: type[Exception]
) -> None:
    groups = grouped([7, 8], [1.0, 2.0], nan="raise")
    before = groups.to_bytes()
    with pytest.raises(error):
        groups.update(keys, values, weights)
    assert groups.to_bytes() == before


def test_masked_columns_are_refused() -> None:
    groups = QuantileSummary.grouped([1, 2], [3.0, 4.0])
    data, mask = groups.to_bytes(), [False, True]
    masked: Any = np.ma.masked_array
    refused: tuple[tuple[Any, ...], ...] = (
        (masked([1, 2], mask), [3.0, 4.0]),
        (masked(["a", "b"], mask), [3.0, 4.0]),
        ([1, 2], masked([3.0, 4.0], mask)),
        ([1, 2], [3.0, 4.0], masked([3, 4], mask)),
    )
    for columns in refused:
        with pytest.raises(UnsupportedKeys, match="masked arrays"):
            groups.update(*columns)
        assert groups.to_bytes() == data
    for ask in (groups.rank, groups[1].rank, groups[1].cdf):
        with pytest.raises(UnsupportedKeys, match="masked arrays"):
            ask(masked([1.0, 2.0], mask))


def test_a_stream_has_one_type_of_values() -> None:
    groups = grouped([1], np.array([1], np.int32))
    for values in ([0.5], np.array([1 << 40])):
        with pytest.raises(UnsupportedKeys, match="the type of this stream"):
            groups.update([1], values)
    assert groups.n == 1
    with pytest.raises(UnsupportedKeys, match="the keys of the groups are integers, and not text"):
        groups.update(["a"], [1])


def test_options_that_are_not() -> None:
    with pytest.raises(BadEpsilon):
        grouped([1], [1], 2)
    options: Any
    for options in ({"nan": "keep"}, {"sorter": "numpy"}):
        with pytest.raises(BadOption):
            grouped([1], [1], **options)
    with pytest.raises(BadOption):
        grouped([1], [1]).rank(1, side="middle")  # type: ignore[arg-type]
    texts, numbers = grouped(["a"], [1.0]), grouped([1], [1.0])
    before = texts.to_bytes()
    for other in (numbers, grouped(["a"], [1]), grouped(["a"], [1.0], 0.2), QuantileSummary(0.1)):
        with pytest.raises(SummariesDiffer):
            texts.merge(other)  # type: ignore[arg-type]
        assert texts.to_bytes() == before


FORGED: list[dict[str, Any]] = [
    {"lower": np.array([2, 1, 1])},
    {"upper": np.array([1, 3, 1])},
    {"lower": np.array([1, -1, 3])},
    {"values": np.array([1.0, np.nan, 2.0])},
    {"values": np.array([5.0, 4.0, 2.0])},
    {"counts": np.array([2, 2])},
    {"counts": np.array([-1, 4])},
    {"labels": np.array([4, 3])},
    {"labels": np.array([3, 4], np.int32)},
    {"labels": np.array([3, 4, 5])},
    {"groups": np.array([2])},
    {"groups": np.array([-1])},
    {"weights": np.array([0])},
    {"weights": np.array([1, 1])},
    {"weights": np.array([2])},
    {"waiting": np.array([np.nan])},
    {"waiting": np.array([1], np.int32)},
    {"more": np.array([1])},
]


@pytest.mark.parametrize("changed", FORGED)
def test_forged_bytes_are_refused(changed: dict[str, Any]) -> None:
    arrays = {
        "seen": np.array([4, 0]),
        "labels": np.array([3, 4]),
        "counts": np.array([2, 1]),
        "values": np.array([1.0, 2.0, 2.0]),
        "lower": np.array([1, 1, 1]),
        "upper": np.array([1, 1, 1]),
        "waiting": np.array([5.0]),
        "groups": np.array([1]),
        "weights": np.array([1]),
    }
    parameters = {"dtype": None, "epsilon": 0.1, "nan": "omit"}
    right = pack(Blob("GroupedQuantiles", parameters, arrays))
    assert Groups.from_bytes(right).quantile([0, 1]).tolist() == [[1, 2], [2, 5]]
    with pytest.raises(CorruptSummary):
        Summary.from_bytes(pack(Blob("GroupedQuantiles", parameters, arrays | changed)))


def test_it_shows_its_groups() -> None:
    groups = grouped(["a", "b"], [1.0, np.nan]).update(["é"], [2.0])
    assert repr(groups) == (
        "<GroupedQuantiles(epsilon=0.1, nan='omit'): 2 values of 2 groups in 2 entries, "
        "1 NaNs left out of float64>"
    )
    assert "median of é" in groups._repr_html_()
    assert Groups(0.1)._repr_html_()
