"""Sort all keys and take the k-th: what every other method has to beat."""

from shadersort.keys.types import Keys
from shadersort.selection.method import Method
from shadersort.selection.selection import Selection


def sort_choose(selection: Selection) -> Keys:
    """Sort, and take the keys of all ranks; the sorted keys prove them."""
    return selection.finish(selection.keys, selection.ranks, selection.ranks, sort=True)


METHOD = Method("sort-choose", many=sort_choose, needs=("sort",))
