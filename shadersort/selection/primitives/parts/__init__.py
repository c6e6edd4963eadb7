"""The primitives over parts: keys that stay in several places, each of which answers for itself.

Counts, sums and histograms of parts add up, extents join, and a sample is drawn from all parts as
if they were one array. So a method takes the same steps as on one array, and only its few numbers
travel (Beliakov 2011, section VII). The keys of parts come together only where they are few.
"""

from shadersort.selection.primitives.parts.kept import BracketedParts, KeptParts
from shadersort.selection.primitives.parts.part import (
    Ask,
    AskAll,
    Call,
    InMemory,
    Part,
    answer,
    in_threads,
)
from shadersort.selection.primitives.parts.primitives import COLLECTED, PartsPrimitives

__all__ = [
    "COLLECTED",
    "Ask",
    "AskAll",
    "BracketedParts",
    "Call",
    "InMemory",
    "KeptParts",
    "Part",
    "PartsPrimitives",
    "answer",
    "in_threads",
]
