"""Lesson 2, sorting without branches: known mistakes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Mistake
from shadersort.lessons.networks.inputs import zeros_and_ones

Comparators = list[tuple[int, int]]


def _one_input_only(comparators: Comparators, n: int) -> bool:
    keys = list(range(n))[::-1]
    for low, high in comparators:
        keys[low], keys[high] = sorted((keys[low], keys[high]))
    return keys == sorted(keys)


def _written_before_both_are_known(comparators: Comparators, n: int) -> bool:
    keys = zeros_and_ones(n)
    for low, high in comparators:
        keys[:, low] = np.minimum(keys[:, low], keys[:, high])
        keys[:, high] = np.maximum(keys[:, low], keys[:, high])
    return bool(np.all(keys[:, :-1] <= keys[:, 1:]))


def _after(keys: Keys, comparators: Comparators) -> Keys:
    """Return inputs, one a row, after all comparators."""
    for low, high in comparators:
        keys[:, [low, high]] = np.sort(keys[:, [low, high]], axis=1)
    return keys


def _asks(question: Callable[[Keys], Any]) -> Callable[[Comparators, int], bool]:
    """Return an answer that asks a wrong question about the right outputs."""
    return lambda comparators, n: bool(question(_after(zeros_and_ones(n), comparators)))


SORTS = (
    Mistake(
        "you tried one input only, the reversed one",
        _one_input_only,
        "A network that sorts one input may fail on another. Try every row of zeros_and_ones(n).",
    ),
    Mistake(
        "you wrote the smaller key over the column `low` before you took the larger one",
        _written_before_both_are_known,
        "Compute minimum and maximum of both columns first, and then write both.",
    ),
    Mistake(
        "you looked at the first and the last key of each output only",
        _asks(lambda keys: np.all(keys[:, 0] <= keys[:, -1])),
        "Compare every key with the next: keys[:, :-1] <= keys[:, 1:].",
    ),
    Mistake(
        "you return True for every network",
        lambda comparators, n: True,
        "If you ask whether *some* input is sorted: zeros alone always are. np.all asks for all.",
    ),
)


def _shifted(n: int, block: int) -> Comparators:
    half = block // 2
    return [(first + i, first + i + half) for first in range(0, n, block) for i in range(half)]


def _mirrored(n: int, block: int, last: int = -1) -> Comparators:
    return [(at + i, at + block + last - i) for at in range(0, n, block) for i in range(block // 2)]


BALANCED_COMPARATORS = (
    Mistake(
        "you compared wire i with the wire half a block further on, not with its mirror",
        _shifted,
        "The first wire of a block meets the last: i meets block − 1 − i.",
    ),
    Mistake(
        "you mirrored by one wire too far",
        lambda n, block: _mirrored(n, block, last=0),
        "The last wire of the first block is block − 1.",
    ),
    Mistake(
        "you wrote the comparators of the first block only",
        lambda n, block: _mirrored(block, block),
        "The blocks begin at the wires range(0, n, block).",
    ),
    Mistake(
        "you wrote the pairs as (high, low)",
        lambda n, block: sorted((high, low) for low, high in _mirrored(n, block)),
        "The wire that gets the smaller key stands first.",
    ),
)
