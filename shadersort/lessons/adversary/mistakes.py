"""Lesson 12, the adversary: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake


def _far(n: int, far: Any) -> Any:
    return np.append(np.zeros(n - len(far)), far)


def _powers(base: float, rounds: int) -> Any:
    return float(base) ** np.arange(1, rounds + 1)


def _on_both_sides(n: int, count: int, rounds: int) -> Any:
    far = _powers(2 * count, (rounds + 1) // 2)
    return _far(n, np.append(far, -far)[:rounds])


KILLER = (
    Mistake(
        "you made each far key `count` times as far as the one before, which is the width of a "
        "bucket: so this one is in the second bucket, and is dropped, too",
        lambda n, count, rounds: _far(n, _powers(count, rounds)),
        "It must be more than `count` times as far: 2 * count, for example.",
    ),
    Mistake(
        "you made each far key twice as far as the one before, so a round drops several",
        lambda n, count, rounds: _far(n, _powers(2, rounds)),
        "All far keys but one must be in the first of `count` buckets. (The paper's powers of two "
        "lose ten in each round of 1,024 buckets.)",
    ),
    Mistake(
        "you put one key far away, and not one for each round",
        lambda n, count, rounds: _far(n, np.array([1e9])),
        "The far key is gone after the first round. The next one needs a far key of its own.",
    ),
    Mistake(
        "you put far keys on both sides, so each round drops two",
        _on_both_sides,
        "The smallest key and the largest one are in different buckets. Let the smallest be one "
        "of the crowd.",
    ),
)


def _alike(n: int, values: int) -> Any:
    return np.arange(n) % values


ALIKE = (
    Mistake(
        "all codes are equal: then the smallest and the largest tell the answer, and no digit is "
        "counted",
        lambda n, bits: np.zeros(n, np.uint32),
        "The last digit should take all of its 2**bits values.",
    ),
    Mistake(
        "you let the first digit differ, so the first round drops most codes",
        lambda n, bits: (_alike(n, 2**bits) << (32 - bits)).astype(np.uint32),
        "The last digit is that of the smallest value: no shift.",
    ),
    Mistake(
        "you counted up to n, so codes differ in more digits than the last",
        lambda n, bits: np.arange(n, dtype=np.uint32),
        "The remainder % 2**bits stays in the last digit.",
    ),
    Mistake(
        "you left out the largest digit, 2**bits - 1",
        lambda n, bits: _alike(n, 2**bits - 1),
        "% 2**bits has the values from 0 to 2**bits - 1.",
    ),
)


def _given(n: int, taken: Any, given: Any = None) -> Any:
    """Return keys that are made round by round; `taken` has the places that are taken out."""
    keys, left, number = np.zeros(n, np.int64), np.arange(n), 0
    while len(left):
        out = sorted({each % len(left) for each in taken(len(left))})
        some = sorted({each % len(left) for each in (given or taken)(len(left))})
        keys[left[some]] = number + np.arange(len(some))
        number += len(some)
        left = np.delete(left, out)
    return keys


SLOW_PIVOTS = (
    Mistake(
        "you sorted the keys: then the middle one is the median, and found at once",
        lambda n: np.arange(n),
        "The key in the middle must be one of the smallest that are left, in each round.",
    ),
    Mistake(
        "you took all three places out of a round, but a round drops two keys only",
        lambda n: _given(n, lambda size: [0, size // 2, size - 1]),
        "The third key is larger than the pivot. It is left, and has a place in the next round.",
    ),
    Mistake(
        "you gave one of the three places the smallest key: then the pivot is one of the two "
        "others",
        lambda n: _given(n, lambda size: [size // 2]),
        "The median of three is the second smallest only if two of them are the smallest of all.",
    ),
    Mistake(
        "you put the smallest keys first and last, and the order in between is ascending",
        lambda n: np.append(np.arange(n - 1) + 1, 0),
        "Two of three places are the smallest once. In the next round other places are looked at.",
    ),
)


UNFAIR = (
    Mistake(
        "you sorted the keys: then every m-th one is a very good sample",
        lambda n, every: np.arange(n),
        "The sampled places must all have small keys, and no other place may.",
    ),
    Mistake(
        "you put the small keys first, and the sample has places everywhere",
        lambda n, every: np.where(np.arange(n) < n // every, 0, 1),
        "The small keys belong at 0, every, 2 · every, and so on.",
    ),
    Mistake(
        "you put the small keys one place after the sampled ones",
        lambda n, every: np.where(np.arange(n) % every == 1, 0, 1),
        "Places begin at 0, and so does the sample.",
    ),
    Mistake(
        "all keys are equal",
        lambda n, every: np.zeros(n),
        "Keys that are not sampled must be larger than those that are.",
    ),
)
