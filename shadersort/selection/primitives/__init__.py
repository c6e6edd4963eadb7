"""Primitives: the few questions about many keys that selection is written over.

Selection methods know no device. They ask a `Primitives` for an extent, for counts at a pivot, for
a histogram, and every answer is a few numbers. What answers is a separate, small thing: NumPy here,
which is the reference; the textures of a 2005 GPU; the GPU of today; several of them.
"""

from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.numpy import NumPyPrimitives, as_keys
from shadersort.selection.primitives.protocol import (
    CALLS,
    Around,
    Bracketed,
    By,
    Primitives,
    counted,
)
from shadersort.selection.primitives.values import Counts, Extent, Objective, Traffic, Tuning

__all__ = [
    "CALLS",
    "Around",
    "Bracketed",
    "Buckets",
    "By",
    "Counts",
    "Extent",
    "NumPyPrimitives",
    "Objective",
    "Primitives",
    "Traffic",
    "Tuning",
    "as_keys",
    "counted",
]
