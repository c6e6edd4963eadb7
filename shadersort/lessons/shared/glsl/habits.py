"""What people who know Python write in GLSL and C by habit; a compiler does not name it."""

import re

from shadersort.lessons.shared.glsl.joined import BEFORE_NAME, joined
from shadersort.lessons.shared.glsl.surroundings import COMMENT

Habits = tuple[tuple[str, str], ...]
"""Regular expressions for the code of a line, and what is said of a wrong line with such code."""

HABITS: Habits = (
    (r"\bnp\.", "There is no NumPy here, but there are functions such as min and max."),
    (r"\b(?:and|or|not)\b", "`and` is written &&, `or` is ||, and `not` is !."),
    (
        r"(?:=|\breturn\b)[^;]*\bif\b[^;]*\belse\b",
        "What Python writes as `b if a else c` is `a ? b : c` here.",
    ),
    (r"\bfor\s+[^(\s]", "A loop is written for (int i = 0; i < n; i += 1) { … }."),
    (
        r"^\s*(?:if|elif|else|for|while)\b[^{]*:\s*$",
        "A condition stands in round brackets, and what depends on it in braces: if (…) { … }.",
    ),
    (
        r"\bfor\s*\([^;()]*;[^;()]*\)",
        "The brackets of `for` have three parts, with two semicolons between: "
        "for (int i = 0; i < n; i += 1) { … }.",
    ),
    (r"\b(?:if|while)\b\s*[^(\s]", "A condition stands in round brackets: if (…) { … }."),
    (
        r"\b(?:if|while)\s*\((?:[^=!<>()]|\([^()]*\))*[^=!<>()+*/%&|^-]=[^=]",
        "Two values are compared by ==, and = gives a value.",
    ),
    (r"\?[^:;]*;", "`a ? b : c` has three parts: behind : stands what counts if a is false."),
    (r"\belif\b", "`elif` is written `else if`."),
    (r"\*\*", "There is no `**`: multiply, x * x."),
    (r"^\s*#", "A comment begins with //, not with #."),
    (
        r"\b(?:texel_at|texel_of|min|max|abs|dot|equal|lessThan|greaterThan|atomicAdd)\s*\[",
        "A function is called with round brackets, as in min(a, b).",
    ),
    (
        r"\btexel_at\s*\(\s*(?:wire|texel|number|partner)\b",
        "texel_at takes a place: ivec2(column, row). By its number a texel is fetched by texel_of.",
    ),
    (
        r"[\w)\]]\[[^\](?]*:",
        "There are no slices, such as x[1:3] or x[::-1]: one place stands in [ ].",
    ),
    (r"[\w)\]]\[[^\](]*,", "One place stands in [ ], and no comma."),
    (
        r"\[[^\](?]*[,:]",
        "A vector is made by its type, as in ivec2(…) or vec4(…), not by [ ].",
    ),
    (
        r"\b(?:lessThan|greaterThan)(?:Equal)?\s*\(.*\?",
        "`?` asks one question, and two vectors have an answer for each channel. min and max "
        "choose in each channel.",
    ),
    (
        r",\s*(?:int|float|bool|ivec2|vec4)\s+\w+\s*=",
        "One type stands for all names of a statement: vec4 a = …, b = …; or end the statement "
        "by a semicolon.",
    ),
    (
        r"\b(?:int|float|bool|ivec2|vec4)\s+\w+(?:\s*,\s*\w+)+\s*="
        r"(?:[^;,()]|\([^()]*\))*,\s*(?!\w+\s*=[^=])",
        "Each name has its own value behind it: vec4 a = …, b = …;",
    ),
    (
        r"(?:^|[;{])\s*(?!(?:int|uint|float|bool|[biu]?vec\d|mat\d|const|shared|return|else|do)\b)"
        r"\w+\s+\w+\s*=[^=]",
        "A type stands before a new name, such as int, float or vec4, in small letters.",
    ),
    (
        r"\b(?:True|False|None)\b",
        "`True` and `False` are written true and false, and there is no `None`.",
    ),
)

DIVIDED = "// begins a comment. Whole numbers are divided by /, which leaves out the rest."

QUOTIENT = re.compile(r"//\s*(?:\d|.*;\s*$)")
"""What looks as if // were to divide: a comment does not begin with a number, or end in ;."""

UNENDED = "Perhaps a semicolon is missing at the end of this line."

NEW = "“{0}” is new here, so its type stands before it, as in `int i = …` or `vec4 own = …`."

ENDED = (
    "“{0}” is declared in a part that has ended. A name ends with the braces, or the loop, in "
    "which it is declared: declare it before them."
)

DECLARED = rf"\b(?:int|float|bool|ivec2|b?vec4){BEFORE_NAME}"
"""What stands before a name that is declared."""

UNREADABLE = re.compile(r"cannot be read from|where none can stand")
"""What is said of a text whose grammar is wrong."""

UNDECLARED = re.compile(r"^“(\w+)” is not declared")


def corrected(number: int, said: str, lines: list[str], habits: Habits = HABITS) -> tuple[int, str]:
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
    undeclared = UNDECLARED.match(said)
    if undeclared and re.match(rf"\s*(?:for\s*\(\s*)?{undeclared[1]}\s*=[^=]", line):
        return number, NEW.format(undeclared[1])
    if undeclared and any(
        re.search(rf"{DECLARED}{undeclared[1]}\b", _code(each)) for each in lines[: number - 1]
    ):
        return number, ENDED.format(undeclared[1])
    if words := joined(number, [_code(each) for each in lines]):
        return number, words
    for pattern, words in habits:
        if re.search(pattern, line):
            return number, words
    return _unended(number, said, lines) if UNREADABLE.search(said) else (number, said)


def _unended(number: int, said: str, lines: list[str]) -> tuple[int, str]:
    """Return the line before, if it is a statement without its semicolon."""
    before = number - 1
    while before and not _code(lines[before - 1]).strip():
        before -= 1
    if not before or re.search(r"[;{},(\[&|^+*/<>=?:-]\s*$", _code(lines[before - 1])):
        return number, said
    return before, DIVIDED if QUOTIENT.search(lines[before - 1]) else UNENDED


def _code(line: str) -> str:
    return COMMENT.sub("", line)
