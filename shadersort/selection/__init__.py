"""Selection: the k-th smallest key, by every method of the papers, each written once.

A call is a request that the **driver** checks, a **method** that finds the answer, and a proof.

==============  ===================================================================================
`Primitives`    keys where they are, and the few questions that they answer: counts at a pivot, the
                extent, sums, copies, histograms, a sample, a sort (`primitives/protocol.py`). Four
                implementations: `NumPyPrimitives`, the reference; `TexturePrimitives`, what a card
                of 2005 can answer; CUDA's in `modern`; and pieces, which add up what each answers.
`Selection`     one request at work: primitives, ranks, the steps so far, and the counts that the
                steps found. It proves the answers by these counts, and counts what is missing.
`Method`        a function over a `Selection`, for one rank or many, and the calls that it needs. A
                missing call raises `MethodUnavailable` before the first read. `METHODS` has all by
                name; `printed/` has those that do exactly what their papers print, faults included.
`Search`        a bracket that provably holds the answer: the methods in `methods/searches/` choose
                pivots, and share its loop.
`Tuning`        what suits a device: the defaults of the methods' options. `auto` chooses by it.
==============  ===================================================================================

An answer is accepted only if counts prove it: at most k keys are below it, and more than k keys are
below or equal to it. So every method is exact on every input, or raises `DidNotConverge` or
`AnswerRefuted`, which carry the trace. Medians and quantiles are arithmetic over ranks.
"""

from shadersort.selection.driver import select, select_many
from shadersort.selection.methods import METHODS
from shadersort.selection.quantiles import median, quantile
from shadersort.selection.selection_trace import Iteration, SelectionTrace

__all__ = [
    "METHODS",
    "Iteration",
    "SelectionTrace",
    "median",
    "quantile",
    "select",
    "select_many",
]
