"""Primitives: the few questions about many keys that selection is written over.

Selection methods do not know the device. They ask a `Primitives` for an extent, for counts at a
pivot or for a histogram, and every answer is a few numbers. NumPy answers here, and is the
reference; so do the textures of a 2005 GPU. A CUDA GPU answers in `modern`.
"""

from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.numpy import NumPyPrimitives
from shadersort.selection.primitives.protocol import Primitives
from shadersort.selection.primitives.values import Counts

__all__ = ["Buckets", "Counts", "NumPyPrimitives", "Primitives"]
