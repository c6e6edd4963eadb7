"""Keys that count their comparisons, to check the number of comparisons of an answer."""

from collections.abc import Callable, Sequence
from functools import total_ordering
from typing import Any

from shadersort.lessons.exercises import parts_of


@total_ordering
class Counted:
    """A key that records each comparison by <, <=, > or >= in a list."""

    def __init__(self, key: int, comparisons: list[int]) -> None:
        self.key, self.comparisons = key, comparisons

    def __repr__(self) -> str:
        return f"{self.key}"

    def __lt__(self, other: Any) -> bool:
        self.comparisons.append(self.key)
        return bool(self.key < getattr(other, "key", other))

    def __eq__(self, other: object) -> bool:
        return bool(self.key == getattr(other, "key", other))


def count_merge(merge: Callable[..., Any], *lists: Sequence[int]) -> dict[str, Any]:
    """Return what a merge makes of lists, and whether it compares too often.

    Examples
    --------
    >>> count_merge(lambda first, second: first + second, [3], [1, 2])
    {'merged': [3, 1, 2], 'comparisons': 'at most 3'}
    """
    comparisons: list[int] = []
    counted = ([Counted(key, comparisons) for key in keys] for keys in lists)
    keys = [getattr(key, "key", key) for key in parts_of(merge(*counted), "one list")]
    found, most = len(comparisons), sum(map(len, lists))
    told = f"{found}, and {most} are enough" if found > most else f"at most {most}"
    return {"merged": keys, "comparisons": told}
