"""Lesson 4, four sorts for the price of one: known mistakes."""

from functools import partial
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Mistake
from shadersort.lessons.four_sorts.counted import count_merge


def _what_is_left_forgotten(first: list[Any], second: list[Any]) -> list[Any]:
    out, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] <= second[j]:
            out.append(first[i])
            i += 1
        else:
            out.append(second[j])
            j += 1
    return out


def _in_turns(first: list[Any], second: list[Any]) -> list[Any]:
    out = []
    for one, other in zip(first, second, strict=False):
        out += [one, other] if one <= other else [other, one]
    longer = first if len(first) > len(second) else second
    return out + longer[min(len(first), len(second)) :]


def _equal_keys_once(first: list[Any], second: list[Any]) -> list[Any]:
    out, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] < second[j]:
            out.append(first[i])
            i += 1
        elif second[j] < first[i]:
            out.append(second[j])
            j += 1
        else:
            out.append(first[i])
            i, j = i + 1, j + 1
    return out + first[i:] + second[j:]


MERGED = (
    Mistake(
        "you stopped when one list was used up, and lost what was left of the other",
        partial(count_merge, _what_is_left_forgotten),
        "What is left is in order: out + first[i:] + second[j:].",
    ),
    Mistake(
        "you took one key of each list in turn",
        partial(count_merge, _in_turns),
        "After a key was taken, the next one may come from the same list.",
    ),
    Mistake(
        "you kept equal keys only once",
        partial(count_merge, _equal_keys_once),
        "Take the one of the first list if the fronts are equal, and leave the other for later.",
    ),
    Mistake(
        "you appended one list to the other",
        partial(count_merge, lambda first, second: first + second),
        "The smallest key of all is the front of one of the two lists: compare these.",
    ),
)


def _one_window_in_all_channels(windows: Keys, width: int) -> Keys:
    return np.repeat(windows[::4].reshape(-1, width)[..., np.newaxis], 4, axis=2)


def _column_by_column(windows: Keys, width: int) -> Keys:
    length = windows.shape[1]
    pages = windows.reshape(-1, 4, width, length // width)
    return pages.transpose(0, 3, 2, 1).reshape(-1, width, 4)


PACKED = (
    Mistake(
        "you gave the first quarter of the windows to red, the second to green, and so on",
        lambda windows, width: windows.reshape(4, -1).T.reshape(-1, width, 4),
        "Windows 0 to 3 go to the four channels, and windows 4 to 7 follow below them.",
    ),
    Mistake(
        "you put the same window into all four channels",
        _one_window_in_all_channels,
        "Four different windows share a texel, one in each channel.",
    ),
    Mistake(
        "you read each window column by column",
        _column_by_column,
        "A window is read like a page: its second key is to the right of its first.",
    ),
    Mistake(
        "you reshaped without moving an axis, so neighbours are in different channels",
        lambda windows, width: windows.reshape(-1, width, 4),
        "Bring the axis of the four windows to the end first: swapaxes.",
    ),
)
