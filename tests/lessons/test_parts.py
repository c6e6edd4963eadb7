"""Parts that lessons share: a trace as frames, images by rank, keys that count."""

import operator
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.lessons import subplots
from shadersort.lessons.by_drawing.passes import passes_of
from shadersort.lessons.four_sorts.counted import counted
from shadersort.lessons.shared.images import draw_ranks
from shadersort.lessons.shared.timing import best_seconds
from shadersort.names import NetworkName


def traced(texels: int, network: NetworkName) -> ss.Trace:
    keys = np.random.default_rng(texels).permutation(texels).astype(np.float32)
    return ss.trace(np.repeat(keys, 4), network=network, device="software")


def written(ax: Any, count: int) -> list[float]:
    """The keys that stand in a grid; letters at the corners of quads follow them."""
    return [float(text.get_text()) for text in ax.texts[:count]]


@pytest.mark.parametrize("network", ss.NETWORKS)
def test_a_frame_shows_what_its_pass_left(network: NetworkName) -> None:
    seen = traced(16, network)
    frames = passes_of(seen)
    assert frames.count == len(seen)
    for index in (0, 1, 3, 7, len(seen) - 1):
        each, axes = seen[index], frames.draw(index).axes
        target = axes[1] if each.command.target == "frame" else axes[0]
        other = axes[0] if target is axes[1] else axes[1]
        assert written(target, 16) == each.after[..., 0].ravel().tolist()
        assert written(other, 16) == each.source[..., 0].ravel().tolist()
        assert len(axes[2].texts) == seen.program.network.depth


def test_a_stage_is_a_row() -> None:
    expected: dict[NetworkName, list[int]] = {"pbsn": [4, 4, 4, 4], "bitonic": [1, 2, 3, 4]}
    for network, rows in expected.items():
        places = [
            text.get_position()[1] for text in passes_of(traced(16, network)).draw(0).axes[2].texts
        ]
        assert np.unique(places, return_counts=True)[1].tolist() == rows


@pytest.mark.parametrize("texels", [2, 4, 16])
def test_the_film_begins_at_the_first_pass_and_ends_at_the_last(texels: int) -> None:
    seen = traced(texels, "pbsn")
    kept = passes_of(seen).kept
    assert (kept[0], kept[-1]) == (0, len(seen) - 1)
    assert set(kept) <= set(range(len(seen)))


def test_images_are_coloured_by_rank() -> None:
    _, axes = subplots(1, 2)
    keys = np.array([[30.0, -1.0], [2.0, 1e9]])
    draw_ranks(axes[0], keys, keys, "one channel")
    assert np.asarray(axes[0].images[0].get_array()).tolist() == [[2 / 3, 0], [1 / 3, 1]]
    draw_ranks(axes[1], np.full((1, 1, 3), 1e9), keys, "three channels")
    assert np.asarray(axes[1].images[0].get_array()).tolist() == [[[1, 1, 1]]]


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_comparison_counts_once(compare: Any) -> None:
    for one, other in ((1, 2), (2, 1), (2, 2)):
        (keys,), comparisons = counted([[one, other]])
        assert compare(*keys) == compare(one, other)
        assert len(comparisons) == 1
        assert compare(keys[0], 1.5) == compare(one, 1.5)


def test_equality_is_not_counted() -> None:
    lists, comparisons = counted([[3], [3, 4]])
    assert lists[0][0] == lists[1][0] != lists[1][1]
    assert not comparisons
    assert repr(lists) == "[[3], [3, 4]]"


def test_the_first_run_is_not_timed() -> None:
    runs: list[int] = []
    waits: list[int] = []
    assert best_seconds(lambda: runs.append(1), turns=2, wait=lambda: waits.append(1)) > 0
    assert (len(runs), len(waits)) == (3, 6)
