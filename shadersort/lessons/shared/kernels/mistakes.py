"""Known wrong kernels, each a right one with one change."""

from shadersort.lessons.shared.mistakes import Mistake


def changed(right: str, *changes: tuple[str, str]) -> str:
    """Return a text with changes; each replaces one part, which is in the text exactly once.

    Examples
    --------
    >>> changed("i < n", ("<", "<="))
    'i <= n'
    """
    for old, new in changes:
        if right.count(old) != 1:
            raise ValueError(f"{right.count(old)} times in the text: {old!r}")
        right = right.replace(old, new)
    return right


def mistake(said: str, right: str, *changes: tuple[str, str], hint: str = "") -> Mistake:
    """Return the mistake of a kernel that differs from a right one by some changes."""
    return Mistake(said, changed(right, *changes), hint)
