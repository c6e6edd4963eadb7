"""What people who know Python write in GLSL by habit; a compiler's words do not help there."""

import re

from shadersort.lessons.shared.glsl.surroundings import COMMENT

HABITS: tuple[tuple[str, str], ...] = (
    (r"\bnp\.", "There is no NumPy in GLSL, but there are functions such as min and max."),
    (r"\b(and|or|not)\b", "GLSL writes && for `and`, || for `or`, and ! for `not`."),
    (
        r"(=|\breturn\b).*\bif\b.*\belse\b",
        "What Python writes as `b if a else c` is `a ? b : c` in GLSL.",
    ),
    (r"\bif\s*[^(\s]", "A condition stands in round brackets: if (…)."),
    (r"\belif\b", "GLSL writes `else if` for `elif`."),
    (r"\*\*", "GLSL has no `**`. Multiply instead."),
    (r"^\s*#", "A comment begins with // in GLSL, not with #."),
    (r"\[[^\]]*[,:]", "A vector is made by its type, as in ivec2(…) or vec4(…), not by [ ]."),
    (
        r"\b(def|lambda|None|True|False)\b",
        "This is Python. GLSL has true and false, and no functions inside of functions.",
    ),
)
"""A habit, as a regular expression for one line, and what is said of it."""

DIVIDED = "// begins a comment in GLSL. Between whole numbers / divides, and leaves out the rest."

UNENDED = "Perhaps a semicolon is missing at the end of this line."

NEW = "“{0}” is new here, so its type stands before it, as in `vec4 own = …` or `int partner = …`."

UNREADABLE = re.compile(r"cannot be read from|where none can stand")
"""What is said of a text that is no GLSL at all."""

UNDECLARED = re.compile(r"^“(\w+)” is not declared")


def corrected(number: int, said: str, lines: list[str]) -> tuple[int, str]:
    """Return the line to look at, and what is said of it, if a habit explains an error.

    `number` is the line of the error, counted from 1, and `lines` are those of the student's text.

    Examples
    --------
    >>> corrected(2, "“own” is not declared.", ["{", "own = texel_at(place);"])[1][:18]
    '“own” is new here,'
    >>> corrected(2, "The text cannot be read from “}” on.", ["    return a", "}"])
    (1, 'Perhaps a semicolon is missing at the end of this line.')
    """
    line = _code(lines[number - 1])
    unreadable, undeclared = UNREADABLE.search(said), UNDECLARED.match(said)
    if undeclared and re.match(rf"\s*{undeclared[1]}\s*=[^=]", line):
        return number, NEW.format(undeclared[1])
    if unreadable or undeclared:
        for pattern, words in HABITS:
            if re.search(pattern, line):
                return number, words
    if unreadable:
        return _unended(number, said, lines)
    return number, said


def _unended(number: int, said: str, lines: list[str]) -> tuple[int, str]:
    """Return the line before, if it is a statement without its semicolon."""
    before = number - 1
    while before and not _code(lines[before - 1]).strip():
        before -= 1
    if not before or re.search(r"[;{},(\[&|^+*/<>=?:-]\s*$", _code(lines[before - 1])):
        return number, said
    return before, DIVIDED if "//" in lines[before - 1] else UNENDED


def _code(line: str) -> str:
    return COMMENT.sub("", line)
