"""Keys that count their comparisons, to check the number of comparisons of an answer."""

from collections.abc import Callable
from typing import Any

from shadersort.lessons.exercises import parts_of


def _counting(name: str) -> Callable[[Any, Any], Any]:
    """Return a comparison of int that counts."""

    def compare(one: Any, other: Any) -> Any:
        Counted.comparisons += 1
        return getattr(int, name)(one, other)

    return compare


class Counted(int):
    """A key that counts each comparison by <, <=, > or >=."""

    comparisons = 0  # of all keys
    __lt__, __le__, __gt__, __ge__ = map(_counting, ("__lt__", "__le__", "__gt__", "__ge__"))


def count_merge(merge: Callable[..., Any], *lists: list[int]) -> dict[str, Any]:
    """Return what a merge makes of lists, and whether it compares too often.

    A list that it changes is changed here, too.

    Examples
    --------
    >>> count_merge(lambda first, second: first + second, [3], [1, 2])
    {'merged': [3, 1, 2], 'comparisons': 'at most 3'}
    """
    counted, most = [[*map(Counted, keys)] for keys in lists], sum(map(len, lists))
    Counted.comparisons = 0
    merged = parts_of(merge(*counted), "one list")
    found = Counted.comparisons
    for given, own in zip(lists, counted, strict=True):
        given[:] = map(_plain, own)
    told = f"{found}, and {most} are enough" if found > most else f"at most {most}"
    return {"merged": [*map(_plain, merged)], "comparisons": told}


def _plain(key: Any) -> Any:
    return int(key) if isinstance(key, Counted) else key
