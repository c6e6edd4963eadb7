"""Keys that count their comparisons, to check the number of comparisons of an answer."""

from collections.abc import Sequence
from functools import total_ordering
from typing import Any


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
