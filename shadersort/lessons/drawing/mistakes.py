"""Lesson 1, a GPU that can only draw: known mistakes."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Mistake

SWAPPED_HALVES = (
    Mistake(
        "you exchanged the upper and the lower half",
        lambda keys: np.roll(keys, len(keys) // 2, axis=0),
        "x counts columns, from the left. Divide the width by two, and not the height.",
    ),
    Mistake(
        "both halves show what was there before",
        lambda keys: keys,
        "The left half is drawn from x = 0, and shows the texture from s = width // 2.",
    ),
    Mistake(
        "you exchanged the halves and mirrored each of them",
        lambda keys: keys[:, ::-1],
        "Nothing is mirrored here: let s0 be smaller than s1.",
    ),
)


def _first_pair_only(keys: Keys) -> Keys:
    found = keys.copy()
    found[:, :2].sort(axis=1)
    return found


def _mirrored_halves(keys: Keys) -> Keys:
    smaller, larger = np.minimum(keys, keys[:, ::-1]), np.maximum(keys, keys[:, ::-1])
    return np.where(np.arange(keys.shape[1]) < keys.shape[1] // 2, smaller, larger)


PAIRS_IN_ORDER = (
    Mistake(
        "you compared the columns 0 and 1 only",
        _first_pair_only,
        "ss.Repeat draws the same quad again further to the right, once for each pair.",
    ),
    Mistake(
        "you compared the halves of each row, mirrored",
        _mirrored_halves,
        "A quad over column 0 reads column 1, and nothing further away.",
    ),
    Mistake(
        "you gave the larger key to the left",
        lambda keys: np.sort(keys.reshape(-1, 2), axis=1)[:, ::-1].reshape(keys.shape),
        "The first of the two is drawn with MIN: it lies over the even columns.",
    ),
    Mistake(
        "each column reads itself, so each key is compared with itself",
        lambda keys: keys,
        "A quad over column 0 is drawn at x = 0 and reads from s = 1.",
    ),
)
