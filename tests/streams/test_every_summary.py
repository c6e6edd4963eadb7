"""What every summary does: neither cuts, sorters, failures, nor bytes make a difference."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import (
    BadOption,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.names import SortMethod
from shadersort.streams import (
    FrequencySummary,
    HierarchicalHeavyHitters,
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
    for counts in (FrequencySummary(0.1), SlidingFrequencies(0.1, 100)):
        for times in (1, 2, 3):
            assert counts.update(5).estimate(5) == times
    for ranks in (QuantileSummary(0.1), SlidingQuantiles(0.1, 100)):
        for value in (1.0, 5.0):
            assert ranks.update([value]).maximum == value
        with pytest.raises(UnsupportedKeys):
            ranks.update("many")
        assert ranks.maximum == 5
    left, right = QuantileSummary(0.1).update([1.0]), QuantileSummary(0.1).update([9.0])
    assert left.maximum == 1
    assert left.merge(right).maximum == 9


def test_options_that_are_not() -> None:
    bad: Any
    for bad in (0, 1, -0.1, 2, np.nan, np.inf, "0.1", None, True, 1j):
        with pytest.raises(BadOption):
            QuantileSummary(bad)
    for bad in ("complex64", "no type"):
        with pytest.raises(UnsupportedKeys):
            QuantileSummary(0.1, dtype=bad)


@pytest.mark.parametrize("name", MAKERS)
def test_update_returns_the_summary(name: str) -> None:
    summary, stream = MAKERS[name](), stream_for(name, 10)
    pairs = 1 + (name == "sums")
    assert summary.update(*[stream] * pairs) is summary
    assert summary.update(*[[]] * pairs).update(*[stream] * pairs) is summary


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
