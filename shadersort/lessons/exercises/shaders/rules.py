"""Rules for the text of a student's function, as regular expressions, and what is said of each."""

import re
from collections.abc import Mapping
from types import MappingProxyType

Rule = tuple[str, str]
"""What must not be in a text, as a regular expression, and what is said of a text with it."""

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "loop": (r"\b(for|while|do)\b", "it has a loop, which this exercise forbids"),
        "choice": (r"\b(if|switch)\b|\?", "it chooses by `if` or `?`, which this exercise forbids"),
    }
)
"""Rules that an exercise may have."""

OUT = r"\b(?:break|return)\b"
CHANGE = (
    r"\b(?:\1|\2)\b(?:\.\w+)?\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)\s*(?:\1|\2)\b"
)


def _body(without: str) -> str:
    """Return the pattern of a body in braces, with others inside it, that has no such code."""
    sign = rf"(?!{without})[^{{}}]"
    return rf"\s*\{{(?:{sign}|\{{(?:{sign})*\}})*\}}"


SILENT: tuple[Rule, ...] = (
    (
        r"(?:[-+*/=,(]|\breturn)\s*\((?:[^(),]|\([^()]*\))*,",
        "it has numbers in brackets with no type before them, as in (1, 0). This makes no vector, "
        "and only the last number counts: write ivec2(…) or vec4(…)",
    ),
    (
        r"[;{}]\s*\w+(?:\.\w+|\[[^\]]*\])?\s*,[^;(){}]*[^=!<>]=[^=]",
        "it gives values to several names at once, as in a, b = 1, 2. Only one of them gets a "
        "value here: write a statement for each",
    ),
    (
        r"\b(?:if|for\s*(?=\(\s*int\b))\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*;",
        "a semicolon stands right behind `if (…)` or `for (…)`, so nothing depends on it: leave it "
        "out",
    ),
    (
        rf"\b(?:while\s*\(\s*true\s*\)|for\s*\([^;)]*;\s*(?:true\s*)?;[^)]*\)){_body(OUT)}",
        "it has an endless loop: it has no condition, and no `break` ends it",
    ),
    (
        rf"\bwhile\s*\(\s*(\w+)\s*[<>!=]=?\s*([\w.]+)\s*\){_body(f'{OUT}|{CHANGE}')}",
        "it has an endless loop: no turn changes what its condition compares",
    ),
    (
        r"\bif\b[^;]*\breturn\b[^;]*;\s*(?:\}\s*)?\}\s*$",
        "it returns nothing where the condition of its last `if` is false: a `return` must stand "
        "after it, too",
    ),
)
"""What compiles, and is not what was meant."""


def words(text: str) -> str:
    """Return a text with one space between its words and signs, to compare it with another."""
    return " ".join(re.findall(r"\w+|\S", text))
