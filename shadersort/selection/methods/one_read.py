"""one-read, ours: a sample, a bracket, and one read that counts and stages.

`shadersort/selection/primitives/one_read.py` defines the steps. On a GPU all of them are one
launch, which `auto` takes there for any number of keys. A GPU may also find many ranks in two
reads, by `cells`: one counts the keys in cells that are fitted to a sample, and one stages the keys
of the cells that hold a rank.
"""

from shadersort.keys.codes import key
from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts
from shadersort.selection.selection import Selection

SEVERAL = 2
"""More ranks than this are found by cells, where the device has them."""


def one_read(selection: Selection) -> Key:
    """Let the device sample, read and prove."""
    dtype, found = selection.keys.dtype, selection.keys.one_read(selection.k)
    answer = key(found.code, dtype)
    counts = Counts.complete(found.below, found.equal, selection.n)
    ends = {}
    if found.bracket:
        ends = {"low": key(found.bracket.first, dtype), "high": key(found.bracket.last, dtype)}
    selection.record("one read", pivot=answer, counts=counts, candidates=found.inside, **ends)
    return answer


def one_read_many(selection: Selection) -> Keys:
    """Find many ranks by cells; few ranks, or all where there are no cells, one after another."""
    if selection.ranks.size <= SEVERAL or not selection.keys.supports("cells"):
        return selection.one_by_one(one_read)
    found = selection.keys.cells(selection.ranks)
    selection.learn(*found)
    selection.record("cells")
    return found.keys


METHOD = Method("one-read", one_read, one_read_many, needs=("one_read",))
