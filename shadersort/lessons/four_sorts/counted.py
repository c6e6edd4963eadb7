"""Keys that count their comparisons, to check the number of comparisons of an answer."""

from collections.abc import Callable, Sequence
from functools import total_ordering
from typing import Any

from shadersort.lessons.exercises import parts_of


@total_ordering
class Counted:
    """A key that records each comparison by <, <=, > or >=."""

    def __init__(self, key: int, comparisons: list[int]) -> None:
        self.key, self.comparisons = key, comparisons

    def __repr__(self) -> str:
        return f"{self.key}"

    def __lt__(self, other: Any) -> bool:
        self.comparisons.append(self.key)
        return bool(self.key < getattr(other, "key", other))

    def __eq__(self, other: object) -> bool:
        return bool(self.key == getattr(other, "key", other))


def counted(lists: Sequence[Sequence[int]]) -> tuple[list[list[Counted]], list[int]]:
    """Return lists of counting keys, and a list with one entry for each comparison.

    Examples
    --------
    >>> (keys,), comparisons = counted([[2, 1]])
    >>> [each.key for each in sorted(keys)], len(comparisons)
    ([1, 2], 1)
    """
    comparisons: list[int] = []
    return [[Counted(key, comparisons) for key in keys] for keys in lists], comparisons


def count_merge(
    merge: Callable[..., Any], first: Sequence[int], second: Sequence[int]
) -> dict[str, Any]:
    """Return what a merge makes of two lists, and whether it compares too often.

    Examples
    --------
    >>> count_merge(lambda first, second: first + second, [3], [1, 2])
    {'merged': [3, 1, 2], 'comparisons': 'at most 3'}
    """
    lists, comparisons = counted((first, second))
    keys = [getattr(key, "key", key) for key in parts_of(merge(*lists), "one list")]
    return judge(keys, len(comparisons), len(first) + len(second))


def judge(keys: Sequence[Any], comparisons: int, most: int) -> dict[str, Any]:
    """Return a merged list with a sentence about its comparisons, of which `most` are enough.

    Examples
    --------
    >>> judge([1, 2], 9, 4)
    {'merged': [1, 2], 'comparisons': '9, and 4 are enough'}
    """
    count = f"{comparisons}, and {most} are enough" if comparisons > most else f"at most {most}"
    return {"merged": list(keys), "comparisons": count}
