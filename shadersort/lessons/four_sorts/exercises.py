"""Lesson 4, four sorts for the price of one: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Keys
from shadersort.lessons.by_drawing.exercises import mirrored
from shadersort.lessons.drawing.exercises import textures
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner, ShaderRunner
from shadersort.lessons.four_sorts.counted import count_merge
from shadersort.lessons.shared.grids import show_grids
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
    runner=PythonRunner(outcome=count_merge, forbidden=("sort", "argsort", "partition", "unique")),
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


def _beside(case: Case, yours: Texels, expected: Texels) -> Figure:
    """Draw the first channel that differs."""
    channel = int((yours != expected).any(axis=(0, 1)).argmax())
    named = {"yours": yours[..., channel], "expected": expected[..., channel]}
    name = CHANNEL_NAMES[channel]
    return show_grids({f"{each}: {name}": named[each] for each in named}, expected)


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

TEXTURES = textures((2, 2), (2, 4), (4, 4))


def _in_pairs(texels: Texels) -> Texels:
    """Sort red and green, and blue and alpha."""
    return np.sort(texels.reshape(-1, 2), axis=1).reshape(texels.shape)


def _in_pairs_in_place(texels: Texels) -> Texels:
    """Compare for green and alpha after red and blue have their new keys."""
    found = _in_pairs(texels)
    found[..., 1::2] = np.maximum(found[..., ::2], texels[..., 1::2])
    return found


def _joined_halves(four: Texels) -> Texels:
    """Compare red with blue, and green with alpha."""
    return _in_pairs(four[..., [0, 2, 1, 3]])[..., [0, 2, 1, 3]]


channel_pairs = Exercise(
    name="channel_pairs",
    asks="Put red and green in order, and blue and alpha: the smaller key first.",
    specification=_in_pairs,
    cases=TEXTURES,
    hints=(
        "The new red is the smaller of red and green: min(four.r, four.g).",
        "The new green is the larger of the same two: max(four.r, four.g).",
        "A vec4 is made of four numbers: return vec4(min(…), max(…), min(…), max(…));",
    ),
    mistakes=(
        Mistake(
            "you put the larger key of each pair first",
            lambda texels: _in_pairs(texels)[..., [1, 0, 3, 2]],
        ),
        Mistake("you compared red with blue, and green with alpha", _joined_halves),
        Mistake(
            "you wrote the smaller key into red before the old red was compared for green",
            _in_pairs_in_place,
            "Return a new vec4 of four numbers, or keep the smaller keys in names of their own.",
        ),
    ),
    runner=ShaderRunner("vec4 in_pairs(vec4 four)", "in_pairs(texel_at(place))", rules=("choice",)),
)


sorted_texel = Exercise(
    name="sorted_texel",
    asks="Sort the four keys of a texel: red is the smallest, alpha the largest.",
    specification=lambda texels: np.sort(texels, axis=2),
    cases=TEXTURES,
    hints=(
        "The first step is that of the last exercise. Give its result a name: vec4 a = …;",
        "The second step compares red with blue and green with alpha, and all four keys are in two "
        "vectors: min(a.rg, a.ba) and max(a.rg, a.ba).",
        "Now red is the smallest, alpha the largest. Put green and blue in order.",
    ),
    mistakes=(
        Mistake(
            "you sorted from the largest to the smallest",
            lambda texels: np.sort(texels, axis=2)[..., ::-1],
        ),
        Mistake(
            "the last step is missing, which compares green with blue",
            lambda texels: _joined_halves(_in_pairs(texels)),
        ),
        Mistake("only the pairs are in order", _in_pairs),
    ),
    runner=ShaderRunner(
        "vec4 in_order(vec4 four)", "in_order(texel_at(place))", rules=("choice", "loop")
    ),
)


def _one_list(texels: Any, block: int) -> Any:
    """Mirror blocks of one list that runs through the channels of every texel."""
    return mirrored(texels.reshape(-1, 1), block).reshape(texels.shape)


one_list = Exercise(
    name="one_list",
    asks=(
        "Write the step that mirrors blocks of `block` keys, for one list that runs through the "
        "four channels of each texel."
    ),
    specification=_one_list,
    cases=textures((1, 4, 8), (1, 4, 16), (2, 4, 8), (2, 4, 16), (2, 4, 32)),
    hints=(
        "Two questions: which texel is the partner, and which of its keys meets red? Look at both "
        "ends of a block of eight keys: in which texels do they lie, and in which channels?",
        "A block of keys is block / 4 texels. Mirror these: texel ^ (block / 4 - 1).",
        "Red is the first key of a texel, and meets the last key of the other texel: alpha.",
        "So take the partner's keys backwards: texel_of(partner).abgr.",
    ),
    mistakes=(
        Mistake(
            "you mirrored the texels, but not the channels inside them",
            lambda texels, block: mirrored(texels, block // CHANNELS),
            "Key 0 is in red of the first texel, and meets the last key of the block, in alpha.",
        ),
        Mistake(
            "you exchanged smaller and larger", lambda texels, block: -_one_list(-texels, block)
        ),
        Mistake(
            "every texel keeps the smaller keys, so the larger ones are lost",
            lambda texels, block: np.minimum(_one_list(texels, block), -_one_list(-texels, block)),
        ),
    ),
    runner=ShaderRunner("vec4 after_step(int texel)", "after_step(number)", ("block",)),
)

EXERCISES = (merged, packed, channel_pairs, sorted_texel, one_list)
