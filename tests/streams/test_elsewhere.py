"""A sorter whose keys and summaries lie elsewhere: nothing stays there after an update."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from shadersort.keys.types import Keys
from shadersort.streams import CorrelatedSum, NumPySorter, QuantileSummary, SlidingQuantiles
from shadersort.streams.correlated_masses import MassSummaries
from shadersort.streams.cuts import cuts
from shadersort.streams.gk_list import GKList
from shadersort.streams.greenwald_khanna import GKStack, GKSummaries, Place
from shadersort.streams.levels import Levels
from shadersort.streams.pairs import Pairs
from shadersort.streams.sorted_batch import SortedBatch
from shadersort.streams.summary import Timed
from tests.streams.every import MAKERS, made, stream_for


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


class MassesElsewhere(MassSummaries):
    """Summaries with masses that have to be brought to the host."""

    __slots__ = ()

    def preceded_by(self, *others: GKSummaries) -> "MassesElsewhere":
        here = (MassSummaries(*columns(each)) for each in others)
        return MassesElsewhere(*columns(MassSummaries(*columns(self)).preceded_by(*here)))

    def on_host(self, stacks: Mapping[Place, Any]) -> Mapping[Place, Any]:
        return {place: MassSummaries(*columns(each)) for place, each in stacks.items()}


def columns(stack: Any) -> tuple[Keys, Keys, Keys]:
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
        if isinstance(keys, np.ndarray):
            return super().without_nans(keys)
        numbers, nans = super().without_nans(keys.keys)
        return Away(numbers), nans

    def on_host(self, keys: Any) -> Keys:
        return keys.keys.copy() if isinstance(keys, Away) else keys

    def in_order(
        self, keys: Keys, bounds: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[SortedBatch, int]]:
        for start, stop in bounds:
            part = keys[start:stop].copy()
            numbers, nans = super().without_nans(part)
            ordered = np.sort(numbers, kind="stable")
            yield SortedBatch(ordered), nans
            ordered.view(np.uint8)[:] = 0x41

    def _rows(self, windows: Any, ranks: Keys | None) -> Keys:
        return super()._rows(self.on_host(windows), ranks)

    def whole_pairs(self, x: Any, y: Any) -> tuple[Any, int]:
        pairs, missing = super().whole_pairs(x.keys, y.keys)
        return Pairs(Away(pairs.x), Away(pairs.y)), missing

    def with_pairs(
        self, levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
    ) -> Levels[Any]:
        here = Pairs(self.on_host(pairs.x), self.on_host(pairs.y))
        stack = self.mass_summaries(here, step, slots, map)
        return levels.with_stack(0, MassesElsewhere(*columns(stack)), timed)[0]

    def window_sums(self, windows: Any) -> Keys:
        return super().window_sums(self.on_host(windows))

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
            state = one._state
            if one.structure == "list":
                assert type(state.own) is GKList
            else:
                assert {type(each) for each in state.histogram.buckets.values()} == {GKSummaries}
        if isinstance(one, CorrelatedSum):
            assert {type(each) for each in one._levels.buckets.values()} == {MassSummaries}
        if isinstance(one, SlidingQuantiles):
            assert {type(each) for each in one._blocks.held.values()} == {GKSummaries}
        if not name.startswith("sliding"):  # these do not merge
            one.merge(other)
        found.append(one.to_bytes())
    assert found == [found[0]] * 4
