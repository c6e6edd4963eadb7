"""What every summary does: neither cuts, sorters, failures, nor bytes make a difference."""

import copy
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import (
    FrequencySummary,
    HostSorter,
    NumPySorter,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
    TextureSorter,
)
from shadersort.streams.cuts import cuts
from shadersort.streams.greenwald_khanna import GKStack, GKSummaries, Place
from shadersort.streams.summary import Summary
from tests.streams.every import MAKERS, feed, made, stream_for


@pytest.mark.parametrize("name", MAKERS)
def test_every_cut_and_every_sorter_gives_the_same_bytes(
    name: str, software: Device, egl: Device
) -> None:
    stream = stream_for(name, 12_000)
    expected = made(name, [stream]).to_bytes()
    ends = np.sort(np.random.default_rng(3).integers(0, 11_950, 30))
    parts = [*stream[:50], *np.split(stream[50:], ends)]
    for sorter in (NumPySorter(), NumPySorter(batch=2_000), NumPySorter(batch=1)):
        assert made(name, parts, sorter=sorter).to_bytes() == expected
    for device, method in ((software, "fragment"), (software, "auto"), (egl, "auto")):
        textures = TextureSorter(device=device, method=method)
        assert made(name, [stream[:5_000], stream[5_000:]], sorter=textures).to_bytes() == expected
    whole = MAKERS[name]()
    feed(whole, parts)
    assert whole.to_bytes() == expected


@pytest.mark.parametrize("name", MAKERS)
def test_bytes_pickles_and_copies_go_on_as_before(name: str) -> None:
    for count in (0, 1, 100, 27_077):
        stream, more = stream_for(name, count), np.abs(stream_for(name, 3_001, seed=2))
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


class Fails(HostSorter):
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


@pytest.mark.parametrize("name", [each for each in MAKERS if "whole" not in each])
def test_a_failed_update_leaves_the_summary_as_it_was(name: str) -> None:
    stream = stream_for(name, 27_077)
    whole = made(name, [stream])
    for call in (1, 2, 5):
        failing = made(name, [stream[:1_500]], sorter=(sorter := Fails()))
        before, sorter.left = failing.to_bytes(), call
        with pytest.raises(MemoryError):
            feed(failing, np.array_split(stream[1_500:], 7))
        assert failing.to_bytes() == before
        with pytest.raises(UnsupportedKeys):
            failing.update(*[iter([stream[1_500:], "more"])] * (1 + (name == "sums")))
        assert failing.to_bytes() == before
        feed(failing, stream[1_500:])
        assert failing == whole


class Elsewhere(GKSummaries):
    """Summaries that have to be brought to the host."""

    __slots__ = ()

    def preceded_by(self, *others: GKSummaries) -> "Elsewhere":
        here = (GKSummaries(*columns(each)) for each in others)
        return Elsewhere(*columns(GKSummaries(*columns(self)).preceded_by(*here)))

    def compressed(self, size: int, step: int) -> "Elsewhere":
        return Elsewhere(*columns(super().compressed(size, step)))

    def on_host(self, stacks: Mapping[Place, GKStack]) -> Mapping[Place, GKStack]:
        return {place: GKSummaries(*columns(each)) for place, each in stacks.items()}


def columns(stack: GKStack) -> tuple[Keys, Keys, Keys]:
    assert isinstance(stack, GKSummaries)
    return stack.values, stack.lower, stack.upper


class Away:
    """Keys that NumPy cannot read, with what a summary asks of them."""

    def __init__(self, keys: Keys) -> None:
        self.keys, self.dtype, self.shape, self.size = keys, keys.dtype, keys.shape, keys.size

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, part: slice) -> "Away":
        return Away(self.keys[part])

    def reshape(self, *shape: int) -> "Away":
        return Away(self.keys.reshape(*shape))


class Staging(NumPySorter):
    """Takes all liberties that a sorter has: keys and summaries lie elsewhere.

    Parts are overwritten once they have been used.
    """

    def staged(self, keys: Keys, first: int, window: int) -> Iterator[Any]:
        for start, stop in cuts(len(keys), first, window, self.batch, self.batch // 5):
            part = keys[start:stop].copy()
            yield Away(part)
            part.view(np.uint8)[:] = 0x41

    def without_nans(self, keys: Any) -> tuple[Any, int]:
        numbers, nans = super().without_nans(keys.keys)
        return Away(numbers), nans

    def on_host(self, keys: Any) -> Keys:
        return keys.keys.copy() if isinstance(keys, Away) else keys

    def _rows(self, windows: Any, ranks: Keys | None) -> Keys:
        return super()._rows(self.on_host(windows), ranks)

    def gk_summaries(self, windows: Any, ranks: Keys) -> GKStack:
        return Elsewhere(*columns(super().gk_summaries(windows, ranks)))


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_is_kept_where_a_sorter_has_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    preceded = GKSummaries.preceded_by

    def here(self: GKSummaries, *others: GKSummaries) -> GKSummaries:
        assert not any(isinstance(each, Elsewhere) for each in others)  # NumPy cannot read them
        return preceded(self, *others)

    monkeypatch.setattr(GKSummaries, "preceded_by", here)
    parts = np.split(stream_for(name, 40_000), [100, 9_000, 9_001, 30_000])
    found = []
    for sorter in (NumPySorter(), *(Staging(batch=batch) for batch in (1, 5_000, 1 << 22))):
        one, other = (made(name, parts, sorter=sorter) for _ in range(2))
        if isinstance(one, QuantileSummary):
            assert {type(each) for each in one._histogram.buckets.values()} == {GKSummaries}
        if isinstance(one, SlidingQuantiles):
            assert {type(each) for each in one._blocks.held.values()} == {GKSummaries}
        if not name.startswith("sliding"):  # these do not merge
            one.merge(other)
        found.append(one.to_bytes())
    assert found == [found[0]] * 4


@pytest.mark.parametrize("name", MAKERS)
def test_an_array_is_its_owners_after_an_update(name: str) -> None:
    for count in (1, 100, 20_000):
        stream = stream_for(name, 2 * count)
        summary, whole = MAKERS[name](), made(name, [stream.copy()])
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


def test_nans_are_counted_and_left_out() -> None:
    stream = np.repeat(np.array([1, np.nan, 2], np.float32), [3_000, 5, 2_000])
    for summary in (FrequencySummary(0.05), SlidingFrequencies(0.05, 2_500)):
        summary.update(stream)
        assert (summary.n, summary.nans) == (5_000, 5)
    assert summary.estimate([1, 2]).tolist() == [500, 2_000]
