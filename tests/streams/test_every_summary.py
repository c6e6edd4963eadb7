"""What every summary does: neither cuts, sorters, failures, nor bytes make a difference."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import (
    BadOption,
    KeysNotFlat,
    SummariesDiffer,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.names import SortMethod
from shadersort.streams import (
    FrequencySummary,
    NumPySorter,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
    Sorter,
    TextureSorter,
)
from shadersort.streams.summary import Summary
from tests.streams.every import LISTS, MAKERS, feed, made, no_value, stream_for


@pytest.mark.parametrize("name", MAKERS)
def test_every_cut_and_every_sorter_gives_the_same_bytes(
    name: str, software: Device, egl: Device
) -> None:
    stream = stream_for(name, 12_000)
    ends = np.sort(np.random.default_rng(3).integers(0, 11_950, 30))
    parts = [*stream[:50], *np.split(stream[50:], ends)]
    halves = [stream[:5_000], stream[5_000:]]
    expected, of_halves = (made(name, each).to_bytes() for each in (parts, halves))
    if name not in LISTS:
        assert expected == of_halves == made(name, [stream]).to_bytes()
    for sorter in (NumPySorter(), NumPySorter(batch=2_000), NumPySorter(batch=1)):
        assert made(name, parts, sorter=sorter).to_bytes() == expected
    ways: list[tuple[Device, SortMethod]]
    ways = [(software, "fragment"), (software, "auto"), (egl, "auto")]
    for device, method in ways:
        textures = TextureSorter(device=device, method=method)
        assert made(name, halves, sorter=textures).to_bytes() == of_halves
    whole = MAKERS[name]()
    feed(whole, parts)
    assert whole.to_bytes() == expected


@pytest.mark.parametrize("name", LISTS)
def test_updates_shorter_than_a_window_may_be_cut_anywhere(name: str) -> None:
    random = np.random.default_rng(4)
    stream, summaries = stream_for(name, 12_000), [MAKERS[name](), MAKERS[name]()]
    for summary in summaries:
        place = 0
        while place < len(stream):
            count = int(random.integers(1, summary.window))
            summary.update(stream[place : place + count])
            place += count
    assert summaries[0] == summaries[1]


def plain(stream: Keys) -> Keys:
    """A stream without −0.0."""
    return np.abs(stream) if stream.dtype.kind == "f" else stream


@pytest.mark.parametrize("name", MAKERS)
def test_bytes_pickles_and_copies_go_on_as_before(name: str) -> None:
    for count in (0, 1, 100, 27_077):
        stream, more = stream_for(name, count), plain(stream_for(name, 3_001, seed=2))
        whole = made(name, [stream])
        summary = Summary.from_bytes(whole.to_bytes())  # this has 0.0 for the −0.0 that wait
        others: tuple[Any, ...] = (
            pickle.loads(pickle.dumps(whole)),
            copy.deepcopy(whole),
            copy.copy(whole),
            type(whole).from_bytes(whole.to_bytes(), sorter=NumPySorter(threads=1)),
        )
        feed(summary, more)
        for other in others:
            assert other == whole
            assert other.to_bytes() == whole.to_bytes()
            feed(other, more)
            assert other != whole
            assert other == summary
        assert f"{whole.n:,} values in {len(whole):,} entries" in repr(whole)


class Fails(Sorter):
    """Fails at some sort, and only then."""

    batch = 1 << 10

    def __init__(self) -> None:
        self.left = 0

    def _ask(self) -> None:
        self.left -= 1
        if not self.left:
            raise MemoryError("no room")

    def sort(self, windows: Keys) -> Keys:
        self._ask()
        return np.sort(windows, axis=1)

    def order(self, windows: Keys) -> Keys:
        self._ask()
        return super().order(windows)


@pytest.mark.parametrize(
    "name", [each for each in MAKERS if not {"whole", "networks"} & {*each.split()}]
)
def test_a_failed_update_leaves_the_summary_as_it_was(name: str) -> None:
    stream = stream_for(name, 27_077)
    whole = made(name, [stream[:1_500], stream[1_500:]])
    for call in (1, 2):
        failing = made(name, [stream[:1_500]], sorter=(sorter := Fails()))
        before, sorter.left = failing.to_bytes(), call
        with pytest.raises(MemoryError):
            feed(failing, np.array_split(stream[1_500:], 7))
        assert failing.to_bytes() == before
        with pytest.raises(UnsupportedKeys):
            failing.update(*[iter([stream[1_500:], no_value(failing)])] * (1 + (name == "sums")))
        assert failing.to_bytes() == before
        feed(failing, stream[1_500:])
        assert failing == whole


@pytest.mark.parametrize("name", MAKERS)
def test_an_array_is_its_owners_after_an_update(name: str) -> None:
    for count in (1, 100, 20_000):
        stream = stream_for(name, 2 * count)
        summary, whole = MAKERS[name](), made(name, np.split(stream.copy(), 2))
        for part in np.split(stream, 2):
            feed(summary, part)
            part[:] = 17
        assert summary.to_bytes() == whole.to_bytes()


def test_answers_are_of_the_stream_until_now() -> None:
    for summary in (FrequencySummary(0.1), SlidingFrequencies(0.1, 100)):
        for times in (1, 2, 3):
            summary.update(5)
            assert summary.estimate(5) == times
    left, right = FrequencySummary(0.1), FrequencySummary(0.1)
    left.update([1])
    right.update([1])
    assert left.estimate(1) + left.merge(right).estimate(1) == 3
    for ranks in (QuantileSummary(0.1), SlidingQuantiles(0.1, 100)):
        for value in (1.0, 5.0):
            ranks.update([value])
            assert ranks.maximum == value
        with pytest.raises(UnsupportedKeys):
            ranks.update("many")
        assert ranks.maximum == 5
    nine = QuantileSummary(0.1)
    nine.update([9.0])
    assert nine.copy().merge(nine).maximum == 9


STREAM = np.random.default_rng(6).normal(size=1_001).astype(np.float32)


def quantiles(*parts: Any, **options: Any) -> QuantileSummary:
    summary = QuantileSummary(0.5, **options)
    for part in parts:
        summary.update(part)
    return summary


def test_nans_are_counted_and_left_out() -> None:
    spoilt = np.insert(STREAM, [0, 5, 50, 1_001], np.nan)
    summary = quantiles(spoilt)
    assert (summary.n, summary.nans) == (1_001, 4)
    assert summary.rank_bounds(0) == quantiles(STREAM).rank_bounds(0)
    assert "4 NaNs left out" in repr(summary)
    sliding = SlidingFrequencies(0.05, 2_500)
    sliding.update(np.repeat(np.array([1, np.nan, 2], np.float32), [3_000, 5, 2_000]))
    assert (sliding.n, sliding.nans) == (5_000, 5)
    assert sliding.estimate([1, 2]).tolist() == [500, 2_000]


def test_scalars_lists_and_arrays_are_alike() -> None:
    middle = [float(value) for value in STREAM[20:40]]
    parts = *STREAM[:20], middle, float(STREAM[40]), STREAM[41:].astype(">f4")
    options: dict[str, Any] = {"dtype": "float32", "expected": 9_000, "as_printed": True}
    assert quantiles(*parts, **options) == quantiles(STREAM, **options)
    assert quantiles(*parts[:-1], dtype="float32") == quantiles(*STREAM[:41], dtype="float32")
    nothing = quantiles([])
    assert nothing.dtype is None
    assert nothing == quantiles()


def broken() -> Iterator[Any]:
    yield STREAM
    yield STREAM.reshape(1, -1)


def test_what_is_no_stream_is_refused_and_leaves_the_summary_as_it_was() -> None:
    summary = quantiles(STREAM[:13])
    before = summary.to_bytes()
    refused: list[Any] = [
        *(["1", "2"], "17", None, [1, [2]], {3, 4}, 1e300, 1 << 70, np.array([0.1])),
        *(np.array([True]), np.array([1j]), np.array(["2005-06-14"], "M8[D]")),
        *(np.array([1], np.longdouble), np.ma.masked_array([1.0, 2.0], [True, False])),
    ]
    for values in refused:
        with pytest.raises(UnsupportedKeys):
            summary.update(values)
        assert summary.to_bytes() == before
    for values in (np.zeros((2, 2), np.float32), broken()):
        with pytest.raises(KeysNotFlat):
            summary.update(values)
        assert summary.to_bytes() == before
    summary.update(STREAM[13:])
    assert summary == quantiles(STREAM[:13], STREAM[13:])


def test_values_of_other_types_are_taken_if_nothing_is_lost() -> None:
    summary = quantiles(np.array([1, 2], "int32"), np.array([3, 4], "float64"), np.int8(-5))
    assert summary._waiting().tolist() == [1, 2, 3, 4, -5]
    for first, bad in (
        *(("int32", 0.5), ("int32", 1 << 31), ("int32", np.array([1 << 63], "uint64"))),
        *(("int32", np.array([np.inf], "float32")), ("int32", np.array([np.nan]))),
        *(("uint64", np.array([-1])), ("float64", np.array([(1 << 53) + 1]))),
    ):
        with pytest.raises(UnsupportedKeys):
            quantiles(np.array([1], first), bad)


def test_only_summaries_with_the_same_parameters_merge() -> None:
    summary, other = quantiles(STREAM), quantiles(STREAM[:700])
    kept = other.to_bytes()
    assert summary.copy().merge(other).n == 1_701
    assert other.to_bytes() == kept
    for bad in (
        *(QuantileSummary(0.2), quantiles(dtype="float32")),
        *(quantiles(STREAM.astype(np.float64)), FrequencySummary(0.5)),
    ):
        with pytest.raises(SummariesDiffer):
            summary.merge(bad)  # type: ignore[arg-type]
    assert summary == quantiles(STREAM)
    assert summary != "a summary"
    with pytest.raises(TypeError):
        hash(summary)


def test_options_that_are_not() -> None:
    bad: Any
    for bad in (0, 1, -0.1, 2, np.nan, np.inf, "0.1", None, True, 1j):
        with pytest.raises(BadOption):
            QuantileSummary(bad)
    for bad in ("complex64", "no type"):
        with pytest.raises(UnsupportedKeys):
            quantiles(dtype=bad)
