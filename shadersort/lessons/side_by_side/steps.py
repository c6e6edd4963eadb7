"""Lesson 14: the steps that are timed by GLSL and by CUDA."""

from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from typing import Any

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.keys.types import Keys
from shadersort.lessons.shared.records import Row
from shadersort.lessons.shared.timing import best_seconds
from shadersort.selection.primitives import Buckets, Primitives
from shadersort.selection.primitives.textures import TexturePrimitives

BUCKETS = 256
"""The number of equal buckets of the histogram, from 0 to 1."""

EDGES = np.arange(1, BUCKETS, dtype=np.float32) / BUCKETS

PIVOT = np.float32(0.5)


def histogram(keys: Primitives) -> list[int]:
    """Return the counts of equal buckets; textures count below every edge, each time anew."""
    if keys.tuning.copies:
        return list(keys.bucket_histogram(Buckets(np.array([0, 1], np.float32), BUCKETS)))
    below = [0, *(keys.below(edge) for edge in EDGES), keys.size]
    return list(np.diff(below))


QUESTIONS: dict[str, Callable[[Primitives], Any]] = {
    "counts": lambda keys: keys.counts(PIVOT)[:2],
    "nearest": lambda keys: keys.at_or_above(PIVOT),
    "extent": lambda keys: astuple(keys.extent())[:2],
    "histogram": histogram,
}
"""The compared steps: questions about keys from 0 to 1."""


def measured(keys: Keys, device: Device, array: Primitives) -> Iterator[Row]:
    """Time every step on a device that draws, and on an array with the same keys.

    Yields rows like those of a record; each time is the least of three.
    """
    with TexturePrimitives(keys, device) as texture:
        for by, where in (("GLSL", texture), ("CUDA", array)):
            for step, ask in QUESTIONS.items():
                ms = 1e3 * best_seconds(partial(ask, where))
                yield {"step": step, "by": by, "keys": len(keys), "ms": ms}
