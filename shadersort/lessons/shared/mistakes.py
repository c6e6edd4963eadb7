"""Known wrong answers: the mistake behind an answer is recognised by what the answer does."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from shadersort.lessons.shared.calling import Call
from shadersort.lessons.shared.comparing import same

Case = tuple[Any, ...]
"""The arguments of one call of the answer."""


@dataclass(frozen=True, eq=False, slots=True)
class Mistake:
    """A known wrong answer.

    Attributes
    ----------
    said
        What the student did, in words that follow "It looks as if": "you mirrored the rows, too".
    answer
        The wrong answer, in the form in which a student gives one.
    hint
        What helps after this mistake; it is shown before the exercise's own hints.
    """

    said: str
    answer: Any
    hint: str = ""


def alike(one: Call, other: Call) -> bool:
    """Return whether two calls did the same: result or error, and what they changed.

    Examples
    --------
    >>> alike(Call([1, 2], None, "", None), Call((1, 2), None, "printed", None))
    True
    >>> alike(Call(None, ValueError("no"), "", None), Call(None, TypeError("no"), "", None))
    False
    """
    if one.changed != other.changed or type(one.error) is not type(other.error):
        return False
    if one.error is not None:
        return str(one.error) == str(other.error)
    return same(one.result, other.result)


def recognised(
    answer: Any,
    mistakes: Iterable[Mistake],
    cases: Sequence[Case],
    call: Callable[[Any, Case], Call],
    seconds: float,
) -> Mistake | None:
    """Return the first mistake that does the same as an answer in every case; None if none does.

    `call` calls an answer with a case. After `seconds` it is given up.
    """
    left, end = list(mistakes), monotonic() + seconds
    for case in cases:
        if not left or monotonic() > end:
            return None
        done = call(answer, case)
        left = [each for each in left if alike(call(each.answer, case), done)]
    return left[0] if left else None
