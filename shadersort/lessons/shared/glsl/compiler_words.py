"""What a compiler of shaders says, in plain words, at the lines of a student's text."""

import re
from typing import NamedTuple

from shadersort.lessons.shared.glsl.habits import HABITS, Habits, corrected
from shadersort.lessons.shared.glsl.surroundings import STUDENT

MOST_ERRORS = 3
"""Errors that are told; what follows is often a consequence of the first."""

MEANINGS: tuple[tuple[str, str], ...] = (
    (r"`(\w+)' undeclared", "“{0}” is not declared. Is it spelled right? Capitals matter."),
    (
        r"no function with name '(\w+)'",
        "There is no function “{0}” here. Is it spelled right? A function of another exercise "
        "cannot be called: write its lines again.",
    ),
    (
        r"no matching function for call to `(texel_at)\((.*?)\)'",
        "“{0}” does not take ({1}). It takes one place: ivec2(column, row).",
    ),
    (
        r"no matching function for call to `(texel_of)\((.*?)\)'",
        "“{0}” does not take ({1}). It takes one int.",
    ),
    (
        r"no matching function for call to `(lessThan|greaterThan|equal)\((.*?)\)'",
        "“{0}” does not take ({1}). It takes two vectors of one size.",
    ),
    (
        r"no matching function for call to `(\w+)\((.*?bvec.*?)\)'",
        "“{0}” does not take ({1}). vec4(…) makes numbers of true and false.",
    ),
    (
        r"no matching function for call to `(min|max|dot)\((.*?)\)'",
        "“{0}” does not take ({1}). It takes two numbers or two vectors.",
    ),
    (
        r"no matching function for call to `(atomic\w+)\(",
        "“{0}” takes one place and a number, as in {0}(counts[b], 1).",
    ),
    (r"no matching function for call to `(\w+)\((.*?)\)'", "“{0}” does not take ({1})."),
    (
        r"`return' with wrong type (float|int), .* returning (\w+)",
        "It returns {0}, not {1}. A {1} is made by {1}(…).",
    ),
    (r"`return' with wrong type (\w+), .* returning (\w+)", "It returns {0}, not {1}."),
    (r"has non-void return type (\w+)", "The function must end with `return` and a {0}."),
    (
        r"of type bool cannot be assigned to variable of type int",
        "True or false stands where a number is needed: write … ? 1 : 0.",
    ),
    (
        r"of type bvec4 cannot be assigned to variable of type vec4",
        "Four times true or false stands where a vec4 is needed: vec4(…) makes numbers of them.",
    ),
    (
        r"(?:initializer|value) of type (\w+) cannot be assigned to variable of type (\w+)",
        "A value of type {0} stands where {1} is needed.",
    ),
    (
        r"convert return value to void|`return' with a value",
        "This function returns nothing: write the result to its place, as in result[i] = …;",
    ),
    (
        r"cannot dereference non-array",
        "[…] stands after something that has no places. In a shader a texel is fetched by texel_at "
        "or texel_of.",
    ),
    (r"invalid swizzle / mask `(\w+)'", "“.{0}” names no part of this value."),
    (r"`(\w+)' redeclared", "“{0}” is declared twice."),
    (
        r"(?:LHS|RHS) of `(&&|\|\|)' must be scalar boolean",
        "“{0}” joins answers, true or false, and not numbers. Bits of whole numbers are joined by "
        "&, | and ^.",
    ),
    (
        r"operands of `([=!]=)' must have the same type",
        "“{0}” compares two values of one type. Should a comparison beside it stand in brackets, "
        "as in (a == 0) == (b == 0)?",
    ),
    (
        r"second and third operands of \?:",
        "After ? stand two values of one type, with : between them.",
    ),
    (
        r"index must be < \d",
        "The number in [ ] is too large. Places are counted from 0, so the last of four is 3.",
    ),
    (r"index must be >= 0", "The number in [ ] is less than 0."),
    (r"vector size mismatch", "The vectors that are joined here have different sizes."),
    (r"unknown method: `(\w+)'", "There is no “.{0}()” here. A function stands first: f(x)."),
    (
        r"scalar boolean",
        "A condition must be one value, true or false: for example i != 0 instead of i.",
    ),
    (
        r"relational operators must be scalar",
        "< and > compare two numbers. Of two vectors, min and max choose in each channel, and "
        "lessThan has an answer for each channel.",
    ),
    (r"read-only variable '(\w+)'", "“{0}” can be read, but not changed."),
    (
        r"(?:LHS|RHS) of `(.+?)' must be an integer",
        "“{0}” joins whole numbers only. Are there brackets around it?",
    ),
    (r"too few components to construct `(\w+)'", "There are too few numbers for a {0}."),
    (r"too many parameters to `(\w+)'", "There are too many numbers for a {0}."),
    (
        r"arithmetic operators must be numeric",
        "Numbers can be added or multiplied, and this is true or false.",
    ),
    (r"Illegal non-directive after #", "A comment begins with //, not with #."),
    (
        r"syntax error, unexpected (?:(?:NEW_|TYPE_)?IDENTIFIER|BASIC_TYPE_TOK)",
        "There is a name where none can stand. Perhaps a semicolon or a sign is missing before it.",
    ),
    (
        r"syntax error, unexpected \w+CONSTANT",
        "There is a number where none can stand. Perhaps a semicolon or a sign is missing before "
        "it.",
    ),
    (
        r"syntax error, unexpected invalid token",
        "A sign on this line has no meaning here: a quote, for example.",
    ),
    (
        r"syntax error, unexpected end of file",
        "The text ends too early. Perhaps a bracket is not closed.",
    ),
    (
        r"syntax error, unexpected '?(\w+|.)'?",
        "The text cannot be read from “{0}” on. Perhaps a semicolon or a bracket is missing, here "
        "or on the line before.",
    ),
)
"""What Mesa's compiler says, and what this means."""

SIGNS = {
    **{"EQ_OP": "==", "NE_OP": "!=", "LE_OP": "<=", "GE_OP": ">=", "AND_OP": "&&", "OR_OP": "||"},
    **{"INC_OP": "++", "DEC_OP": "--", "LEFT_OP": "<<", "RIGHT_OP": ">>", "DOT_TOK": "."},
    **{"ADD_ASSIGN": "+=", "SUB_ASSIGN": "-=", "MUL_ASSIGN": "*=", "DIV_ASSIGN": "/="},
}
"""Signs by the names that Mesa gives them."""

ERROR = re.compile(
    r"^(?:ERROR: *)?(?P<source>\d+)[:(](?P<line>\d+)\)?(?:\(\d+\))? *: *"
    r"(?:(?:preprocessor )?error *\w*:? *)?(?P<said>.*)$"
)
"""A line of the log of Mesa, NVIDIA or ANGLE."""


class ShaderError(NamedTuple):
    """An error of a compiler.

    Attributes
    ----------
    source
        The number of the text: `STUDENT` or `GIVEN`.
    line
        The line in this text.
    said
        What is wrong.
    """

    source: int
    line: int
    said: str


def errors_in(log: str) -> list[ShaderError]:
    """Return the errors in a compiler's log, the first of each line of a text, in plain words.

    Examples
    --------
    >>> errors_in("0:2(20): error: `kees' undeclared")[0].said
    '“kees” is not declared. Is it spelled right? Capitals matter.'
    """
    found: dict[tuple[int, int], ShaderError] = {}
    for line in log.splitlines():
        if (match := ERROR.match(line.strip())) and "warning" not in line:
            place = int(match["source"]), int(match["line"])
            found.setdefault(place, ShaderError(*place, meaning_of(match["said"])))
    return list(found.values())


def meaning_of(said: str) -> str:
    """Return the meaning of a message, or the message itself if it is not known."""
    for pattern, words in MEANINGS:
        if match := re.search(pattern, said):
            told = _word if "syntax error" in said else str  # a name of the text stays as it is
            return words.format(*map(told, match.groups()))
    return said


def _word(token: str) -> str:
    """Return a word of the text; Mesa writes keywords in capitals, and has names for signs."""
    return SIGNS.get(token, token.removesuffix("_TOK").lower()) if token.isupper() else token


def explained(log: str, function: str, habits: Habits = HABITS) -> str:
    r"""Return what a log says of a student's text, with the lines that are wrong.

    If a line shows a habit of those who know Python, this is said of it instead.

    Examples
    --------
    >>> print(explained("0:2(1): error: `kees' undeclared", "vec4 f() {\n    return kees;\n}"))
    line 2, `return kees;`: “kees” is not declared. Is it spelled right? Capitals matter.
    """
    lines = function.rstrip().splitlines()
    own = [each for each in errors_in(log) if each.source == STUDENT]
    if not own:
        return "the text ends too early. Perhaps a bracket or a semicolon is missing near its end."
    told: dict[str, str] = {}  # what follows from the same name is left out
    for each in own:
        number = min(each.line, len(lines))  # a text that ends too early is wrong on its last line
        number, said = corrected(number, each.said, lines, habits)
        told.setdefault(_name(said), f"line {number}, `{lines[number - 1].strip()}`: {said}")
    return " ".join(list(told.values())[:MOST_ERRORS])


def _name(said: str) -> str:
    """Return the name that a message is about, or the message."""
    found = re.match(r"“(\w+)”", said)
    return found[1] if found else said
