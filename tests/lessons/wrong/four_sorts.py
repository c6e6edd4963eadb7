import heapq
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.four_sorts.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders


def what_is_left_forgotten(first: list[Any], second: list[Any]) -> list[Any]:
    out, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] <= second[j]:
            out.append(first[i])
            i += 1
        else:
            out.append(second[j])
            j += 1
    return out


def in_turns(first: list[Any], second: list[Any]) -> list[Any]:
    out = []
    for one, other in zip(first, second, strict=False):
        out += [one, other] if one <= other else [other, one]
    longer = first if len(first) > len(second) else second
    return out + longer[min(len(first), len(second)) :]


def equal_keys_once(first: list[Any], second: list[Any]) -> list[Any]:
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


def each_sought_from_the_front(first: list[Any], second: list[Any]) -> list[Any]:
    out = list(first)
    for key in second:
        at = 0
        while at < len(out) and out[at] <= key:
            at += 1
        out.insert(at, key)
    return out


def by_a_heap_of_all(first: list[Any], second: list[Any]) -> list[Any]:
    heap = first + second
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in range(len(heap))]


def groups_in_channels(windows: Keys, width: int) -> Keys:
    length = windows.shape[1]
    return windows.reshape(4, -1, length).transpose(1, 2, 0).reshape(-1, width, 4)


def four_times_the_first(windows: Keys, width: int) -> Keys:
    return np.repeat(windows[::4].reshape(-1, width)[..., np.newaxis], 4, axis=2)


def column_by_column(windows: Keys, width: int) -> Keys:
    length = windows.shape[1]
    pages = windows.reshape(-1, 4, width, length // width)
    return pages.transpose(0, 3, 2, 1).reshape(-1, width, 4)


WRONG: Answers = {
    "merged": [
        *(what_is_left_forgotten, in_turns, equal_keys_once, each_sought_from_the_front),
        by_a_heap_of_all,
        lambda first, second: sorted(first + second),  # sorted again
        lambda first, second: first + second,  # one after the other
    ],
    "packed": [
        *(groups_in_channels, four_times_the_first, column_by_column),
        lambda windows, width: windows.reshape(-1, width, 4),  # reshaped only
        # all in four channels
        lambda windows, width: windows.reshape(4, -1).T.reshape(-1, width, 4),
    ],
    **wrong_shaders(SHADERS),
}
