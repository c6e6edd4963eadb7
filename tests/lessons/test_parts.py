"""Parts that lessons share: the first steps of a sort, images by rank, keys that count."""

import operator
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.lessons import subplots
from shadersort.lessons.by_drawing.pictures import show_stage
from shadersort.lessons.four_sorts.counted import Counted
from shadersort.lessons.shared.images import draw_ranks
from shadersort.names import NetworkName


def traced(texels: int, network: NetworkName) -> ss.Trace:
    keys = np.random.default_rng(texels).permutation(texels).astype(np.float32)
    return ss.trace(np.repeat(keys, 4), network=network, device="software")


def written(ax: Any, count: int) -> list[float]:
    """The keys that stand in a grid; letters at the corners of quads follow them."""
    return [float(text.get_text()) for text in ax.texts[:count]]


@pytest.mark.parametrize("network", ss.NETWORKS)
def test_a_picture_of_the_first_steps_shows_what_each_pass_left(network: NetworkName) -> None:
    seen = traced(16, network)
    blending = [each for each in seen if each.command.blend][:8]
    axes = show_stage(seen).axes
    for ax, each in zip(axes, (*blending[::2], *blending[1::2]), strict=True):
        assert f"pass {each.index}: {str(each.command.blend).upper()}" in ax.get_title()
        assert written(ax, 16) == each.after[..., 0].ravel().tolist()
    for ax, step in zip(axes[:4], seen.program.network.steps[:4], strict=True):
        assert ax.get_title().startswith(f"blocks of {step.block}\n")


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
        comparisons: list[int] = []
        keys = [Counted(key, comparisons) for key in (one, other)]
        assert compare(*keys) == compare(one, other)
        assert len(comparisons) == 1
        assert compare(keys[0], 1.5) == compare(one, 1.5)
