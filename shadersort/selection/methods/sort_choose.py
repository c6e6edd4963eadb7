"""Sort all keys and take the k-th: what every other method has to beat."""

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.selection import Selection

__all__ = ["METHOD", "sort_choose", "sort_choose_many"]


def sort_choose(selection: Selection) -> Key:
    """Sort, and take one key."""
    answer = selection.keys.sort().take([selection.k])[0]
    selection.record("sort")
    return answer


def sort_choose_many(selection: Selection) -> Keys:
    """Sort, and take as many keys as there are ranks; the sorted keys prove them."""
    ranks = selection.ranks
    return selection.ranked(selection.keys, ranks, ranks, by="sort")


METHOD = Method(
    "sort-choose",
    sort_choose,
    needs=("sort", "take"),
    at_once="sort",
    many=sort_choose_many,
    needs_many=("sort", "take"),
)
