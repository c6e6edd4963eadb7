"""Sort all keys and take the k-th: what every other method has to beat."""

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.run import Run

__all__ = ["METHOD", "sort_choose", "sort_choose_many"]


def sort_choose(run: Run) -> Key:
    """Sort, and take one key."""
    answer = run.keys.sort().take([run.k])[0]
    run.record("sort")
    return answer


def sort_choose_many(run: Run) -> Keys:
    """Sort, and take as many keys as there are ranks; the sorted keys prove them."""
    ranks = run.ranks
    return run.ranked(run.keys, ranks, ranks, by="sort")


METHOD = Method(
    "sort-choose",
    sort_choose,
    needs=("sort", "take"),
    at_once="sort",
    many=sort_choose_many,
    needs_many=("sort", "take"),
)
