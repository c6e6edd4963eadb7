"""Lesson 4, four sorts for the price of one: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Keys
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.exercises import Case, Exercise, PythonRunner
from shadersort.lessons.four_sorts.counted import count_merge, judge
from shadersort.lessons.four_sorts.mistakes import MERGED, PACKED
from shadersort.lessons.four_sorts.shaders import channel_pairs, one_list, sorted_texel
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.images import without_axes
from shadersort.lessons.shared.style import subplots
from shadersort.pictures.matplotlib_types import Figure


def _sorted_lists(rng: np.random.Generator) -> Iterator[Case]:
    """Yield pairs of sorted lists: alternating, apart, of unequal lengths, empty, and with ties."""
    yield [1, 3, 5], [2, 4, 6]
    yield [1, 2, 3], [7, 8, 9]
    yield [7, 8, 9], [1, 2, 3]
    yield [4], [1, 2, 3, 5, 6]
    yield [], [1, 2]
    yield [3], []
    yield [2, 2, 5], [2, 5, 5, 9]
    for length in (16, 33):
        keys = np.sort(rng.integers(50, size=(2, length)), axis=1)
        yield keys[0].tolist(), keys[1].tolist()


merged = Exercise(
    name="merged",
    specification=lambda first, second: judge(
        np.sort(np.array([*first, *second], np.int64)).tolist(), 0, len(first) + len(second)
    ),
    cases=_sorted_lists,
    hints=(
        "The smallest key of all is the front of one of the two lists. Compare the fronts, take "
        "the smaller one, and go on.",
        "Keep two places, i = j = 0, and a list `out`. While i < len(first) and j < len(second): "
        "append the smaller of first[i] and second[j], and move that place on by one.",
        "When one list is used up, no more comparison is needed: what is left of the other is in "
        "order. return out + first[i:] + second[j:]",
    ),
    runner=PythonRunner(outcome=count_merge),
    mistakes=MERGED,
)


def _packed(windows: Keys, width: int) -> Texels:
    """Put each window into its channel."""
    count, length = windows.shape
    texels = np.empty((count // CHANNELS * length, CHANNELS), windows.dtype)
    for number, window in enumerate(windows):
        top = number // CHANNELS * length
        texels[top : top + length, number % CHANNELS] = window
    return texels.reshape(-1, width, CHANNELS)


def _beside(case: Case, yours: Any, expected: Any) -> Figure:
    height, width, _ = expected.shape
    texel = min(0.45, 1.8 / width)  # inches
    wide, high = max(1.3, texel * width), texel * height + 0.4
    figure, axes = subplots(2, CHANNELS, width=CHANNELS * wide, height=2 * high)
    for channel, name in enumerate(CHANNEL_NAMES):
        right = expected[..., channel]
        crossed: Any = {"among": expected, "expected": right}
        draw_keys(axes[channel], yours[..., channel], f"yours: {name}", **crossed)
        draw_keys(axes[CHANNELS + channel], right, f"expected: {name}", among=expected)
    for ax in axes:
        without_axes(ax)
    return figure


def _some_windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield arrays of windows, each with the width of its texture."""
    for count, length, width in ((4, 4, 4), (8, 4, 4), (8, 8, 4), (12, 4, 2), (4, 16, 8)):
        yield np.arange(count * length).reshape(count, length), width
        yield rng.permutation(count * length).reshape(count, length), width


packed = Exercise(
    name="packed",
    specification=_packed,
    cases=_some_windows,
    hints=(
        "Four windows make a group. The first key of all four is in the first texel of the group, "
        "the second key of all four in the second texel, and so on.",
        "windows.reshape(-1, 4, length) has the groups: [group, channel, place]. The texture wants "
        "them as [group, place, channel].",
        "swapaxes(1, 2) exchanges the last two axes. Then all that is left is to cut the texels "
        "into rows: .reshape(-1, width, 4).",
    ),
    draw=_beside,
    mistakes=PACKED,
)

EXERCISES = (merged, packed, channel_pairs, sorted_texel, one_list)
