"""The primitives on textures: what a card of 2005 can answer about keys in its memory.

Counts are occlusion queries; extremes and sums are reductions by a pyramid of textures; a sort is a
network; a copy of an interval of keys is the interval itself. The keys are uploaded once; after
that each question returns only a few numbers.
"""

from shadersort.selection.primitives.textures.costs import cost_of
from shadersort.selection.primitives.textures.primitives import TexturePrimitives

__all__ = ["TexturePrimitives", "cost_of"]
