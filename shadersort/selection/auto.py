"""The method that suits the keys at hand.

Measured with NumPy on one CPU: up to 16,384 keys nothing beats sorting them, and above that
`randomized` wins, by five to ten times over sorting a million. Each further rank costs it as much
again, so beyond a handful sorting wins once more. `np.partition` is not among the choices: it is no
primitive, and on a million keys it takes twice as long as `randomized`.
"""

from shadersort.primitives import Key, Keys, Primitives
from shadersort.selection import cutting_plane, randomized, sort_choose
from shadersort.selection.method import Method
from shadersort.selection.run import Run

__all__ = ["FEW", "METHOD", "SEVERAL"]

FEW = 1 << 14
"""So few keys are sorted at once."""

SEVERAL = 8
"""For more ranks than these the keys are sorted."""


def auto(run: Run) -> Key:
    """Sort few keys; reduce many by samples, or by cutting planes where copying is dear."""
    chosen = _for_one(run.keys)
    run.method = chosen.name
    return chosen.find(run, {})


def auto_many(run: Run) -> Keys:
    """Find a few ranks one after the other, and sort for more."""
    together = run.n <= FEW or len(run.ks) > SEVERAL
    if together and not sort_choose.METHOD.missing(run.keys):
        run.method = sort_choose.METHOD.name
        return sort_choose.METHOD.find_many(run, {})
    chosen = _for_one(run.keys)
    run.method = chosen.name
    return run.one_by_one(lambda single: chosen.find(single, {}))


def _for_one(keys: Primitives) -> Method:
    preferred = sort_choose.METHOD if keys.size <= FEW else randomized.METHOD
    usable = keys.tuning.copies and not preferred.missing(keys)
    return preferred if usable else cutting_plane.METHOD


METHOD = Method("auto", auto, needs=(), many=auto_many)
