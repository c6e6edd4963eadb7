"""Lesson 11, buckets, digits, dice: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.shared.mistakes import Mistake


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


def _the_fullest_bucket(keys: Any, k: int, count: int) -> Any:
    number = _numbers(keys, count)
    chosen = np.argmax(np.bincount(number, minlength=count))
    return keys[number == chosen], k - np.sum(number < chosen)


def _largest_in_a_bucket_of_its_own(keys: Any, k: int, count: int) -> Any:
    shares = (keys - keys.min()) / (keys.max() - keys.min())
    number = (count * shares).astype(int)
    chosen = np.searchsorted(np.cumsum(np.bincount(number)), k, side="right")
    return keys[number == chosen], k - np.sum(number < chosen)


def _equally_many_in_each(keys: Any, k: int, count: int) -> Any:
    parts = np.array_split(np.sort(keys), count)
    ends = np.cumsum([len(part) for part in parts])
    chosen = int(np.searchsorted(ends, k, side="right"))
    return parts[chosen], k - (int(ends[chosen]) - len(parts[chosen]))


ONE_ROUND = (
    Mistake(
        "you returned the rank k among all keys, and not the rank inside the bucket",
        _rank_left_as_it_was,
        "Subtract the number of keys in all buckets before it.",
    ),
    Mistake(
        "you took the bucket before, if k is the first rank of a bucket",
        _one_bucket_too_early,
        "The first bucket whose end is larger than k: side='right'.",
    ),
    Mistake(
        "you subtracted the keys inside the bucket, too",
        _keys_up_to_the_bucket,
        "Only the keys of the buckets before it come before: number < chosen.",
    ),
    Mistake(
        "you took the fullest bucket",
        _the_fullest_bucket,
        "The rank decides: np.cumsum of the counts says which ranks a bucket has.",
    ),
    Mistake(
        "you gave the largest key a bucket of its own",
        _largest_in_a_bucket_of_its_own,
        "np.minimum(…, count - 1) puts it into the last bucket.",
    ),
    Mistake(
        "you made buckets with equally many keys, and not of equal width",
        _equally_many_in_each,
        "The number of a bucket follows from the key alone: ⌊count · (x − min) / (max − min)⌋.",
    ),
    Mistake(
        "you sorted, and returned the key alone",
        lambda keys, k, count: (np.sort(keys)[k : k + 1], 0),
        "All keys of its bucket are asked for; nothing needs to be sorted.",
    ),
)


CODES = (
    Mistake(
        "you returned the bits as they are",
        lambda bits: bits,
        "The bits of negative numbers begin with 1, so they come last.",
    ),
    Mistake(
        "you turned the sign bit, and did not reverse the order of negative numbers",
        lambda bits: bits + np.uint32(0x80000000),
        "−2 comes before −1, but its bits are larger: invert all bits of a negative number, ~bits.",
    ),
    Mistake(
        "you inverted the bits of positive numbers, too",
        lambda bits: ~bits,
        "Positive numbers are in order already: set their first bit only.",
    ),
    Mistake(
        "you inverted negative numbers, and left positive ones below them",
        lambda bits: np.where(bits >> 31 == 1, ~bits, bits),
        "Set the first bit of positive numbers, so that they come after the negative ones.",
    ),
    Mistake(
        "you returned another type than uint32: the bits as signed numbers",
        lambda bits: bits.view(np.int32),
        "Keep the type: np.uint32(2**31) is a constant of the same type.",
    ),
)
