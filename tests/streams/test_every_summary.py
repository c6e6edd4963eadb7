"""What every summary does: neither cuts, sorters, failures, nor bytes make a difference."""

import copy
import pickle
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import BadOption, NotMergeable, SummariesDiffer, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.names import SortMethod
from shadersort.streams import (
    FrequencySummary,
    HierarchicalHeavyHitters,
    NumPySorter,
    QuantileSummary,
    SlidingFrequencies,
    Sorter,
    TextureSorter,
)
from shadersort.streams.summary import Summary
from tests.streams.every import LISTS, MAKERS, MERGING, feed, made, no_value, stream_for


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


def test_options_that_are_not() -> None:
    bad: Any
    for bad in (0, 1, -0.1, 2, np.nan, np.inf, "0.1", None, True, 1j):
        with pytest.raises(BadOption):
            QuantileSummary(bad)
    for bad in ("complex64", "no type"):
        with pytest.raises(UnsupportedKeys):
            QuantileSummary(0.1, dtype=bad)


@pytest.mark.parametrize("name", MAKERS)
def test_a_notebook_shows_a_table(name: str) -> None:
    for count in (0, 1, 20_000):
        summary = made(name, [stream_for(name, count)])
        shown = summary._repr_html_()
        title = type(summary).__name__ + ", as printed" * name.endswith("as printed")
        assert shown.startswith(f"<b>{title}</b><table>")
        assert f"<th>values</th><td>{summary.n:,}</td>" in shown
        assert 60 < len(shown) < 1_500
        assert len(repr(summary)) < 200
        assert "[(" not in repr(summary)


def test_a_notebook_shows_answers() -> None:
    assert (
        "<th>median</th><td>5</td>" in QuantileSummary(0.1).update(np.arange(1, 11))._repr_html_()
    )
    counted = FrequencySummary(0.1).update([7, 7, 7, 8])._repr_html_()
    assert "<th>item 7</th><td>3</td>" in counted
    prefixes = HierarchicalHeavyHitters(0.1).update([(10 << 24) + 1] * 8)._repr_html_()
    assert "<th>10.0.0.1/32</th><td>8</td>" in prefixes


# merging

LARGE = (1 << 53) + 1
"""No float64: a summary that turns items into floats counts it for 2**53."""


def read_again(summary: Any) -> Any:
    """Return what the bytes of a summary hold."""
    return Summary.from_bytes(summary.to_bytes())


def integers_for(name: str, n: int) -> Keys:
    """A stream of integers that float64 does not have; addresses for prefixes."""
    kept = name.startswith("heavy") or name == "words"
    return stream_for(name, n) if kept else np.arange(n) % 7 + LARGE


@pytest.mark.parametrize("count", [0, 3, 100, 27_077])
@pytest.mark.parametrize("name", MERGING)
def test_an_empty_part_changes_nothing(name: str, count: int) -> None:
    if "halves" in name:
        return
    for stream in (stream_for(name, count), integers_for(name, count)):
        full = made(name, [stream])
        before = full.to_bytes()
        for merged in (
            made(name, [stream]).merge(MAKERS[name]()),
            MAKERS[name]().merge(made(name, [stream])),
            MAKERS[name]().merge(MAKERS[name]()).merge(full),
        ):
            assert merged == full
            assert merged.copy() == read_again(merged) == full
            assert getattr(merged, "dtype", None) == getattr(full, "dtype", None)
            feed(merged, stream[: count // 2])
            assert merged == made(name, [stream, stream[: count // 2]])
        assert full.to_bytes() == before


@pytest.mark.parametrize("name", MERGING)
def test_parts_that_hold_only_nans_are_counted(name: str) -> None:
    if name.startswith("heavy") or name == "words":
        return
    nans = np.full(3, np.nan, np.float16 if "halves" in name else np.float32)
    for parts in ((stream_for(name, 100), nans), (nans, stream_for(name, 100)), (nans, nans)):
        one, other = (made(name, [part]) for part in parts)
        assert one.copy().merge(other) == read_again(one.merge(other))
        spoilt = [part for part in parts if part.dtype.kind == "f"]
        assert one.nans == sum(int(np.isnan(part).sum()) for part in spoilt)


def test_only_summaries_with_the_same_parameters_merge() -> None:
    summary, other = (QuantileSummary(0.5).update(np.arange(n, dtype="f4")) for n in (1_001, 700))
    before, kept = summary.to_bytes(), other.to_bytes()
    assert summary.copy().merge(other).n == 1_701
    assert other.to_bytes() == kept
    bad: Any
    for bad in (
        *(QuantileSummary(0.2), QuantileSummary(0.5, dtype="float32"), QuantileSummary(0.5, 5)),
        *(QuantileSummary(0.5).update([1.0]), FrequencySummary(0.5)),
    ):
        with pytest.raises(SummariesDiffer):
            summary.merge(bad)
        with pytest.raises(SummariesDiffer):
            summary + bad
    with pytest.raises(TypeError, match="unsupported operand"):
        summary + 1  # type: ignore[operator]
    with pytest.raises(NotMergeable):
        SlidingFrequencies(0.1, 10) + SlidingFrequencies(0.1, 10)
    assert summary.to_bytes() == before
    assert summary != "a summary"
    with pytest.raises(TypeError):
        hash(summary)


@pytest.mark.parametrize("name", MERGING)
def test_a_sum_is_a_new_summary_of_both(name: str) -> None:
    parts = [made(name, [stream_for(name, 9_000, seed)]) for seed in range(3)]
    before = [each.to_bytes() for each in parts]
    total = parts[0] + parts[1] + parts[2]
    assert total == made(name, [stream_for(name, 9_000, 0)]).merge(parts[1]).merge(parts[2])
    assert total == reduce(add, parts)
    assert [each.to_bytes() for each in parts] == before
    parts[0] += parts[1]
    assert parts[0].to_bytes() != before[0]
    assert parts[1].to_bytes() == before[1]
