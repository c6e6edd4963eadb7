"""Values that signs cannot join: two comparisons, two vectors of answers, two bool."""

import re

NESTED = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
"""Brackets, with brackets inside."""

OPERAND = rf"(?:(?!\b(?:and|or|not)\b)[\w.\s+*/%-]|\[[^\]]*\]|{NESTED})+?"

CHAINED = (
    rf"^(?!.*#).*?(?<![<>])[<>]=?(?![<>=]){OPERAND}[<>]=?(?![<>=])",
    "Two comparisons are joined by &&, as in 0 <= i && i < n.",
)

COMPARED = r"(?:bvec4|not|(?:lessThan|greaterThan)(?:Equal)?|equal|notEqual)"


def _value(function: str) -> str:
    """Return what a call of a function looks like, perhaps in brackets."""
    return rf"(?:\b{function}\s*{NESTED}|(?<!\w)\(\s*{function}\s*{NESTED}\s*\))"


INSIDE = rf"(?:[^()?]|{NESTED})*"
ANSWER = rf"\({INSIDE}(?:[<>]|[=!]=){INSIDE}\)"
LEFT = rf"(?:\bbool\(\)|(?<!\w){ANSWER}|[<>]=?\s*[\w.]+(?:\[[^\]]*\])?)\s*"
RIGHT = rf"\s*(?:bool\(\)|{ANSWER}|[\w.]+(?:\[[^\]]*\])?\s*[<>](?![<>]))"

JOINED = (
    CHAINED,
    (
        rf"{_value(COMPARED)}\s*(?:\|\|?|\bor\b)\s*{_value(COMPARED)}",
        "Two bvec4 cannot be joined: make numbers first, and take the larger one of each channel, "
        "as in max(vec4(a), vec4(b)).",
    ),
    (
        rf"{_value(COMPARED)}\s*(?:&&?|\*|\band\b)\s*{_value(COMPARED)}",
        "Two bvec4 cannot be joined: make numbers first, and multiply, as in vec4(a) * vec4(b).",
    ),
    (
        rf"{_value('vec4')}\s*(?:&&?|\band\b)\s*{_value('vec4')}",
        "Two vec4 are not joined by & or &&. Where both are 1.0 or 0.0, multiply: a * b.",
    ),
    (rf"{LEFT}\^(?!\^){RIGHT}", "Two bool are compared by == or !=, and not joined by ^."),
    (
        rf"{LEFT}(?:(?<!&)&(?!&)|(?<!\|)\|(?!\|)){RIGHT}",
        "Two bool are joined by &&, or by || for “or”. & and | join the bits of whole numbers.",
    ),
)
"""Regular expressions for a statement in which names of `TYPES` are written as their type with
brackets, such as bool(), and what is said of a wrong line in it."""

TYPES = ("bool", "bvec4", "vec4")

BEFORE_NAME = rf"\s+(?:\w+\s*(?:=(?:[^;,()]|{NESTED})*)?,\s*)*"
"""What stands between a type and a name that is declared with it."""


def joined(number: int, code: list[str]) -> str:
    """Return what is said of the statement around a line, counted from 1; "" if nothing is.

    Examples
    --------
    >>> joined(2, ["bool a = x < y, b = y < z;", "bool c = a & b;"])[:26]
    'Two bool are joined by &&,'
    >>> joined(1, ["int a = (x & 1) == 0 && y < z ? 1 : 0;"])
    ''
    """
    statement = _typed(_statement(number, code), " ".join(code))
    return next((said for pattern, said in JOINED if re.search(pattern, statement)), "")


def _statement(number: int, code: list[str]) -> str:
    """Return the lines from the end of the statement before to the end of this one."""
    first = last = number - 1
    while first and not _ends(code[first - 1]):
        first -= 1
    while last + 1 < len(code) and not _ends(code[last]):
        last += 1
    return " ".join(code[first : last + 1])


def _ends(line: str) -> bool:
    return re.search(r"[;{}]\s*$", line) is not None


def _typed(statement: str, text: str) -> str:
    """Return a statement in which names of known types are written as these types."""

    def written(found: re.Match[str]) -> str:
        kinds = (each for each in TYPES if re.search(rf"\b{each}{BEFORE_NAME}{found[0]}\b", text))
        kind = next(kinds, None)
        return f"{kind}()" if kind else found[0]

    return re.sub(rf"\b(?!(?:{'|'.join(TYPES)})\b)[A-Za-z_]\w*\b(?!\s*[(.\[])", written, statement)
