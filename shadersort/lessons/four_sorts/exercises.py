"""Lesson 4, four sorts for the price of one: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Keys
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner
from shadersort.lessons.four_sorts.counted import count_merge
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
        yield tuple(np.sort(rng.integers(50, size=(2, length)), axis=1).tolist())


def _gives(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return what a merge gives that compares seldom enough."""
    return lambda first, second: count_merge(lambda *_: make(first, second), first, second)


def _lose_rest(first: list[int], second: list[int]) -> list[int]:
    """Leave out the keys after the last of the other list; of equal keys `first` counts first."""
    if not first or not second:
        return []
    kept = [key for key in first if key <= second[-1]]
    return sorted(kept + [key for key in second if key < first[-1]])


merged = Exercise(
    name="merged",
    specification=_gives(lambda first, second: sorted(first + second)),
    cases=_sorted_lists,
    hints=(
        "The smallest key of all is the front of a list. Compare the fronts, and take one.",
        "While i < len(first) and j < len(second): append the smaller of first[i] and second[j].",
        "When one list is used up, the rest is in order: return out + first[i:] + second[j:]",
    ),
    runner=PythonRunner(outcome=count_merge),
    mistakes=(
        Mistake(
            "you stopped when one list was used up, and lost what was left of the other",
            _gives(_lose_rest),
        ),
        Mistake(
            "you appended one list to the other",
            _gives(lambda first, second: first + second),
        ),
    ),
)


def _packed(windows: Keys, width: int) -> Texels:
    """Put each window into its channel."""
    groups = windows.reshape(-1, CHANNELS, windows.shape[1])
    return groups.swapaxes(1, 2).reshape(-1, width, CHANNELS)


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
        "windows.reshape(-1, 4, length) has [group, channel, place]. Exchange the last two.",
        "swapaxes(1, 2) exchanges them. .reshape(-1, width, 4) cuts the texels into rows.",
    ),
    draw=_beside,
    mistakes=(
        Mistake(
            "you gave the first quarter of the windows to red, the second to green, and so on",
            lambda windows, width: windows.reshape(4, -1).T.reshape(-1, width, 4),
            "Windows 0 to 3 go to the four channels, and windows 4 to 7 follow below them.",
        ),
        Mistake(
            "you put the same window into all four channels",
            lambda windows, width: windows[::4].reshape(-1, width, 1).repeat(4, axis=2),
        ),
        Mistake(
            "you reshaped without moving an axis, so neighbours are in different channels",
            lambda windows, width: windows.reshape(-1, width, 4),
            "Bring the axis of the four windows to the end first: swapaxes.",
        ),
    ),
)

EXERCISES = (merged, packed, channel_pairs, sorted_texel, one_list)
