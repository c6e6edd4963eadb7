"""Primitives: the few questions about many keys that selection is written over.

Selection methods know no device. They ask a `Primitives` for an extent, for counts at a pivot, for
a histogram, and every answer is a few numbers. What answers is a separate, small thing: NumPy here,
which is the reference; the textures of a 2005 GPU; the GPU of today; several of them.
"""

from shadersort.primitives.buckets import Buckets
from shadersort.primitives.host import NumPyPrimitives, as_keys
from shadersort.primitives.protocol import CALLS, Around, Bracketed, By, Primitives, counted
from shadersort.primitives.values import (
    Counts,
    Extent,
    Key,
    Keys,
    Objective,
    Ranks,
    Traffic,
    Tuning,
)

__all__ = [
    "CALLS",
    "Around",
    "Bracketed",
    "Buckets",
    "By",
    "Counts",
    "Extent",
    "Key",
    "Keys",
    "NumPyPrimitives",
    "Objective",
    "Primitives",
    "Ranks",
    "Traffic",
    "Tuning",
    "as_keys",
    "counted",
]
