"""Sort all keys and take the k-th: what every other method has to beat."""

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.selection import Selection


def sort_choose(selection: Selection) -> Key:
    """Sort, and take one key; a device with `ranked` also counts in the sorted keys."""
    if selection.keys.supports("ranked"):
        return _sort_choose_many(selection)[0]
    answer = selection.keys.sort().take([selection.k])[0]
    selection.record("sort")
    return answer


def _sort_choose_many(selection: Selection) -> Keys:
    """Sort, and take the keys of all ranks; the sorted keys prove them."""
    return selection.sorted(selection.keys, selection.ranks, selection.ranks)


METHOD = Method(
    "sort-choose",
    sort_choose,
    needs=("sort", "take"),
    many=_sort_choose_many,
    needs_many=("sort", "take"),
)
