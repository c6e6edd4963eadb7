"""Slips of the pen: a right answer with one sign, number or word changed."""

import re
from collections.abc import Iterator

SLIPS = (
    *((r"<=", "<"), (r">=", ">"), (r"(?<![<>-])<(?![<=])", "<="), (r"(?<![<>-])>(?![>=])", ">=")),
    *((r"==", "!="), (r" \+ ", " - "), (r" - ", " + "), (r"//", "/"), (r" \* ", " + ")),
    *((r" - 1\b", ""), (r" \+ 1\b", ""), (r"\b0\b(?![.\w])", "1"), (r"\b1\b(?![.\w])", "2")),
    *((r"\bmin", "max"), (r"\bmax", "min"), (r"\bright\b", "left"), (r"axis=1", "axis=0")),
    *((r"\b(?:np\.)?abs\b", ""), (r"\bnot ", ""), (r" and ", " or "), (r"\blow\b", "high")),
    *(
        (r"\bdict\(|\blist\(|\.copy\(", "("),
        (r"\bfirst\b", "second"),
        (r"\bx\b", "y"),
        (r"&&", "||"),
    ),
    *((r"\bthread\b", "i"), (r"barrier\(\);", ""), (r"step \*= 2", "step *= 3"), (r"~", "")),
)
"""A pattern, and what stands in its place."""


def slips(answer: str) -> Iterator[str]:
    """An answer with each of the slips, at each place, one at a time."""
    for pattern, new in SLIPS:
        for found in re.finditer(pattern, answer):
            yield answer[: found.start()] + new + answer[found.end() :]
