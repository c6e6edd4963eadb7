"""Lesson 13, a hundred order statistics at once: known mistakes."""

from typing import Any, Literal

import numpy as np

from shadersort.lessons.exercises import Mistake

Side = Literal["left", "right"]


def _right(counts: Any, ks: Any, side: Side = "right") -> Any:
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ks, side=side)
    return buckets, ks - (ends - counts)[buckets]


def _end_subtracted(counts: Any, ks: Any) -> Any:
    buckets, _ = _right(counts, ks)
    return buckets, ks - np.cumsum(counts)[buckets]


def _from_one(counts: Any, ks: Any) -> Any:
    buckets, places = _right(counts, ks)
    return buckets, places + 1


BUCKET_AND_PLACE = (
    Mistake(
        "you put the first rank of a bucket into the bucket before it",
        lambda counts, ks: _right(counts, ks, side="left"),
        "The first bucket whose end is larger than k: side='right'.",
    ),
    Mistake(
        "you subtracted the end of the bucket, and not its beginning",
        _end_subtracted,
        "A bucket begins at ends − counts.",
    ),
    Mistake(
        "you returned the rank among all keys for the place",
        lambda counts, ks: (_right(counts, ks)[0], ks),
        "Subtract the number of keys before the bucket: ends − counts.",
    ),
    Mistake("you counted the places from one", _from_one, "The first place of a bucket is 0."),
)

DENSITY = (
    Mistake(
        "you returned the share of each gap, whatever its width",
        lambda some: np.full(len(some) - 1, 1 / (len(some) - 1)),
        "A density is a share divided by a width: np.diff has the widths.",
    ),
    Mistake(
        "you returned the widths of the gaps",
        np.diff,
        "Where numbers are close together the density is high: divide by the widths.",
    ),
    Mistake(
        "you divided by the number of numbers, and not of gaps",
        lambda some: 1 / len(some) / np.diff(some),
        "Between n numbers there are n − 1 gaps.",
    ),
    Mistake(
        "you did not divide by the number of gaps, so the area is not 1",
        lambda some: 1 / np.diff(some),
        "All gaps together have the share 1.",
    ),
)
