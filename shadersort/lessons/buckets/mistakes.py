"""Lesson 11, buckets, digits, dice: known mistakes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.bins import describe_places, describe_round
from shadersort.lessons.exercises import Mistake


def _numbers(keys: Any, count: int) -> Any:
    shares = (keys - keys.min()) / (keys.max() - keys.min())
    return np.minimum((count * shares).astype(int), count - 1)


def _ends(number: Any, count: int) -> Any:
    return np.cumsum(np.bincount(number, minlength=count))


def _rank_left_as_it_was(keys: Any, k: int, count: int) -> Any:
    number = _numbers(keys, count)
    return keys[number == np.searchsorted(_ends(number, count), k, side="right")], k


def _one_bucket_too_early(keys: Any, k: int, count: int) -> Any:
    number = _numbers(keys, count)
    chosen = np.searchsorted(_ends(number, count), k)
    return keys[number == chosen], k - np.sum(number < chosen)


def _keys_up_to_the_bucket(keys: Any, k: int, count: int) -> Any:
    number = _numbers(keys, count)
    chosen = np.searchsorted(_ends(number, count), k, side="right")
    return keys[number == chosen], k - np.sum(number <= chosen)


def _largest_in_a_bucket_of_its_own(keys: Any, k: int, count: int) -> Any:
    shares = (keys - keys.min()) / (keys.max() - keys.min())
    number = (count * shares).astype(int)
    chosen = np.searchsorted(np.cumsum(np.bincount(number)), k, side="right")
    return keys[number == chosen], k - np.sum(number < chosen)


ONE_ROUND = (
    Mistake(
        "you returned the rank k among all keys, and not the rank inside the bucket",
        lambda *case: describe_round(*_rank_left_as_it_was(*case)),
        "Subtract the number of keys in all buckets before it.",
    ),
    Mistake(
        "you took the bucket before, if k is the first rank of a bucket",
        lambda *case: describe_round(*_one_bucket_too_early(*case)),
        "The first bucket whose end is larger than k: side='right'.",
    ),
    Mistake(
        "you subtracted the keys inside the bucket, too",
        lambda *case: describe_round(*_keys_up_to_the_bucket(*case)),
        "Only the keys of the buckets before it come before: number < chosen.",
    ),
    Mistake(
        "you gave the largest key a bucket of its own",
        lambda *case: describe_round(*_largest_in_a_bucket_of_its_own(*case)),
        "np.minimum(…, count - 1) puts it into the last bucket.",
    ),
)


def _order_by(code: Callable[[Any], Any]) -> Callable[[Keys], Keys]:
    """Return floats in the order of their codes."""
    return lambda keys: keys[np.argsort(code(keys.view(np.uint32)), kind="stable")]


CODES = (
    Mistake(
        "you returned the bits as they are",
        _order_by(lambda bits: bits),
        "The bits of negative numbers begin with 1, so they come last.",
    ),
    Mistake(
        "you turned the sign bit, and did not reverse the order of negative numbers",
        _order_by(lambda bits: bits + np.uint32(0x80000000)),
        "−2 comes before −1, but its bits are larger: invert all bits of a negative number, ~bits.",
    ),
    Mistake(
        "you inverted the bits of positive numbers, too",
        _order_by(lambda bits: ~bits),
        "Positive numbers are in order already: set their first bit only.",
    ),
    Mistake(
        "you inverted negative numbers, and left positive ones below them",
        _order_by(lambda bits: np.where(bits >> 31 == 1, ~bits, bits)),
        "Set the first bit of positive numbers, so that they come after the negative ones.",
    ),
)


def _inside(places: Any, m: int) -> Any:
    return tuple(int(at) if 0 <= at < m else None for at in places)


def _placed(m: int, middle: float, off: float) -> Any:
    return _inside((middle - off, middle + off), m)


def _off(m: int, middle: float, wide: float) -> float:
    return float(wide * np.sqrt(max(middle * (1 - middle / m), 0)) + wide**2)


def _exact(sample: Any, rank: int, n: int, wide: float) -> tuple[float, float]:
    m = len(sample)
    middle = rank * m / n
    return middle - _off(m, middle, wide), middle + _off(m, middle, wide)


def _rank_of_all(sample: Any, rank: int, n: int, wide: float) -> Any:
    m = len(sample)
    return _placed(m, rank, _off(m, rank * m / n, wide))


def _without_root(sample: Any, rank: int, n: int, wide: float) -> Any:
    m = len(sample)
    middle = rank * m / n
    return _placed(m, middle, wide * middle * (1 - middle / m) + wide**2)


def _without_more(sample: Any, rank: int, n: int, wide: float) -> Any:
    m, middle = len(sample), rank * len(sample) / n
    return _placed(m, middle, _off(m, middle, wide) - wide**2)


def _clipped(sample: Any, rank: int, n: int, wide: float) -> Any:
    m = len(sample)
    return tuple(int(min(max(at, 0), m - 1)) for at in _exact(sample, rank, n, wide))


BRACKET_PLACES = (
    Mistake(
        "you took the rank among all keys, and not the place that it has in the sample",
        lambda *case: describe_places(_rank_of_all(*case)),
        "Of m sampled keys about rank · m / n are below the key of this rank.",
    ),
    Mistake(
        "you left out the root: that is the variance, and not the standard error",
        lambda *case: describe_places(_without_root(*case)),
        "The standard error is the root of the variance: np.sqrt(…).",
    ),
    Mistake(
        "you left out the wide² places more",
        lambda *case: describe_places(_without_more(*case)),
        "At rank 0 the standard error is 0, and still the sample need not have the smallest key.",
    ),
    Mistake(
        "you moved an end that is outside the sample to the sample's first or last key",
        lambda *case: describe_places(_clipped(*case)),
        "The answer may be smaller than every key of the sample. None means that there is no end, "
        "so nothing is lost there.",
    ),
)
