"""Lesson 11: rounds of buckets."""

from typing import Any, Literal

import numpy as np

from shadersort.keys.types import Keys


def bucket_numbers(keys: Keys, count: int) -> Keys:
    """Return the number of each key's bucket, among `count` buckets of equal width."""
    low, high = float(keys.min()), float(keys.max())
    shares = (keys.astype(np.float64) - low) / (high - low)
    return np.minimum((count * shares).astype(np.int64), count - 1)


def find_bucket(
    counts: Any, ranks: Any, side: Literal["left", "right"] = "right"
) -> tuple[Any, Any]:
    """Return the bucket of each rank, and its place in this bucket."""
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ranks, side=side)
    return buckets, ranks - (ends - counts)[buckets]


def round_of(keys: Keys, k: int, count: int) -> tuple[Keys, int]:
    """Return the keys of the bucket with rank k, and the rank among them."""
    number = bucket_numbers(keys, count)
    chosen, rank = find_bucket(np.bincount(number), k)
    return keys[number == chosen], int(rank)


def bucket_rounds(keys: Keys, k: int, count: int = 1024) -> tuple[Any, list[int]]:
    """Return the key of rank k, and the number of keys left at first and after each round.

    This is bucketSelect of Alabi et al. 2012, without measures against crowded keys.
    """
    left = [len(keys)]
    while keys.min() < keys.max():
        keys, k = round_of(keys, k, count)
        left.append(len(keys))
    return keys[0], left


def describe_round(inside: Keys, rank: int) -> str:
    """Return the keys of a bucket in order, and the rank among them, as a text."""
    return f"rank {rank} among {', '.join(str(key) for key in np.sort(inside).tolist())}"
