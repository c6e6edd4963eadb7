"""The method that suits the keys at hand."""

from shadersort.primitives import Key, Keys
from shadersort.selection import cutting_plane, sort_choose
from shadersort.selection.method import Method
from shadersort.selection.run import Run

__all__ = ["FEW", "METHOD"]

FEW = 1 << 12
"""So few keys are sorted at once."""


def auto(run: Run) -> Key:
    """Sort few keys; reduce many by cutting planes first."""
    chosen = sort_choose.METHOD if run.n <= FEW else cutting_plane.METHOD
    if chosen.missing(run.keys):
        chosen = cutting_plane.METHOD
    run.method = chosen.name
    return chosen.find(run, {})


def auto_many(run: Run) -> Keys:
    """Sort: every rank is found at once."""
    run.method = sort_choose.METHOD.name
    return sort_choose.METHOD.find_many(run, {})


METHOD = Method("auto", auto, needs=(), many=auto_many)
