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


def _of_a_share(sample: Any, rank: int, n: int, wide: float) -> Any:
    m, share = len(sample), rank / n
    return _placed(m, share * m, wide * (share * (1 - share) / m) ** 0.5 + wide**2)


def _without_more(sample: Any, rank: int, n: int, wide: float) -> Any:
    m, middle = len(sample), rank * len(sample) / n
    return _placed(m, middle, _off(m, middle, wide) - wide**2)


def _one_side(sample: Any, rank: int, n: int, wide: float) -> Any:
    return _inside((rank * len(sample) / n, _exact(sample, rank, n, wide)[1]), len(sample))


def _clipped(sample: Any, rank: int, n: int, wide: float) -> Any:
    m = len(sample)
    return tuple(int(min(max(at, 0), m - 1)) for at in _exact(sample, rank, n, wide))


def _exchanged(sample: Any, rank: int, n: int, wide: float) -> Any:
    m = len(sample)
    middle = rank * n / m
    return _placed(m, middle, _off(n, middle, wide))


def _errors_of_all(sample: Any, rank: int, n: int, wide: float) -> Any:
    return _placed(len(sample), rank * len(sample) / n, _off(n, rank, wide))


def _rounded_first(sample: Any, rank: int, n: int, wide: float) -> Any:
    return _inside(map(int, _exact(sample, rank, n, wide)), len(sample))


def _the_keys(sample: Any, rank: int, n: int, wide: float) -> Any:
    found = _inside(_exact(sample, rank, n, wide), len(sample))
    return tuple(None if at is None else sample[at] for at in found)


BRACKET_PLACES = (
    Mistake(
        "you took the rank among all keys, and not the place that it has in the sample",
        _rank_of_all,
        "Of m sampled keys about rank · m / n are below the key of this rank.",
    ),
    Mistake(
        "you left out the root: that is the variance, and not the standard error",
        _without_root,
        "The standard error is the root of the variance: np.sqrt(…).",
    ),
    Mistake(
        "you took the standard error of a share, and not that of a number of keys",
        _of_a_share,
        "Among m tosses the number of heads varies by √(m · p · (1 − p)).",
    ),
    Mistake(
        "you left out the wide² places more",
        _without_more,
        "At rank 0 the standard error is 0, and still the sample need not have the smallest key.",
    ),
    Mistake(
        "you moved the upper end only",
        _one_side,
        "The sample may have too few keys below the answer, or too many: move both ends.",
    ),
    Mistake(
        "you moved an end that is outside the sample to the sample's first or last key",
        _clipped,
        "The answer may be smaller than every key of the sample. None means that there is no end, "
        "so nothing is lost there.",
    ),
    Mistake(
        "you exchanged the number of all keys and the number of sampled ones",
        _exchanged,
        "m = len(sample) is the smaller number, and the places are those of the sample.",
    ),
    Mistake(
        "you took the standard error of all n keys, and not that of the sample",
        _errors_of_all,
        "Only the sample is drawn at random: m tosses, not n.",
    ),
    Mistake(
        "you rounded before you looked whether the place is in the sample",
        _rounded_first,
        "int(-0.4) is 0, but −0.4 is before the first key of the sample.",
    ),
    Mistake(
        "you returned the keys, and not their places in the sample",
        _the_keys,
        "Two places are asked for, from 0 to m − 1, or None.",
    ),
)
