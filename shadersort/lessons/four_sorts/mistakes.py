"""Lesson 4, four sorts for the price of one: known mistakes."""

import heapq
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.mistakes import Mistake


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


def _each_sought_from_the_front(first: list[Any], second: list[Any]) -> list[Any]:
    out = list(first)
    for key in second:
        at = 0
        while at < len(out) and out[at] <= key:
            at += 1
        out.insert(at, key)
    return out


def _by_a_heap_of_all(first: list[Any], second: list[Any]) -> list[Any]:
    heap = first + second
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in range(len(heap))]


MERGED = (
    Mistake(
        "you stopped when one list was used up, and lost what was left of the other",
        _what_is_left_forgotten,
        "What is left is in order: out + first[i:] + second[j:].",
    ),
    Mistake(
        "you took one key of each list in turn",
        _in_turns,
        "After a key was taken, the next one may come from the same list.",
    ),
    Mistake(
        "you kept equal keys only once",
        _equal_keys_once,
        "Take the one of the first list if the fronts are equal, and leave the other for later.",
    ),
    Mistake(
        "you sought the place of each key from the front, which compares too often",
        _each_sought_from_the_front,
        "The next key belongs behind the one before it: go on where you were.",
    ),
    Mistake(
        "you put all keys into a heap, which compares too often",
        _by_a_heap_of_all,
        "Both lists are in order already: only their fronts can be the smallest.",
    ),
    Mistake(
        "you sorted all keys again, which compares too often",
        lambda first, second: sorted(first + second),
        "Both lists are in order already: only their fronts can be the smallest.",
    ),
    Mistake(
        "you appended one list to the other",
        lambda first, second: first + second,
        "The smallest key of all is the front of one of the two lists: compare these.",
    ),
)


def _one_window_in_all_channels(windows: Keys, width: int) -> Keys:
    return np.repeat(windows[::4].reshape(-1, width)[..., np.newaxis], 4, axis=2)


def _column_by_column(windows: Keys, width: int) -> Keys:
    length = windows.shape[1]
    pages = windows.reshape(-1, 4, width, length // width)
    return pages.transpose(0, 3, 2, 1).reshape(-1, width, 4)


def _channels_first(windows: Keys, width: int) -> Keys:
    length = windows.shape[1]
    return windows.reshape(-1, 4, length // width, width)


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
    Mistake(
        "the axis of the channels is not the last one",
        _channels_first,
        "The shape is (height, width, 4): swapaxes before the last reshape.",
    ),
)
