"""one-read, ours: a sample, a bracket, and one read that counts and stages.

`shadersort/selection/primitives/one_read.py` defines the steps. On a GPU all of them are one
launch, which `auto` takes there for any number of keys.
"""

from shadersort.keys.codes import key
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts
from shadersort.selection.selection import Selection


def one_read(selection: Selection) -> Key:
    """Let the device sample, read and prove."""
    keys = selection.keys
    found = keys.one_read(selection.k)
    answer = key(found.code, keys.dtype)
    counts = Counts.of(found.below, found.equal, selection.n)
    ends = {}
    if found.bracket:
        ends = {
            "low": key(found.bracket.first, keys.dtype),
            "high": key(found.bracket.last, keys.dtype),
        }
    selection.record("one read", pivot=answer, counts=counts, candidates=found.inside, **ends)
    return answer


METHOD = Method("one-read", one_read, needs=("one_read",))
