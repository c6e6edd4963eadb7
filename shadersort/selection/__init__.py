"""Selection: the k-th smallest key, by every method of the papers, each written once.

A method asks questions of a `Primitives` and does not know the device. Its answer is accepted only
if counts prove it: at most k keys are below it, and more than k keys are below or equal to it.
With `as_printed=True` a method does exactly what its paper prints, faults included (`printed/`).
"""

from shadersort.selection.driver import select, select_many
from shadersort.selection.methods import METHODS
from shadersort.selection.quantiles import median, nanmedian, nanquantile, quantile
from shadersort.selection.selection_trace import Iteration, SelectionTrace

__all__ = [
    "METHODS",
    "Iteration",
    "SelectionTrace",
    "median",
    "nanmedian",
    "nanquantile",
    "quantile",
    "select",
    "select_many",
]
