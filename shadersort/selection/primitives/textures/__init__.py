"""The primitives on textures: what a card of 2005 can answer about keys that it holds.

Counts are occlusion queries; the smallest key, the largest, and sums are reductions down a pyramid
of textures; a sort is a network. The keys are uploaded once. After that only a few numbers come
back for each question, until the answer.
"""

from shadersort.selection.primitives.textures.costs import cost_of
from shadersort.selection.primitives.textures.primitives import TexturePrimitives

__all__ = ["TexturePrimitives", "cost_of"]
