"""What a writer of Python writes out of habit, and C does not take."""

import re

HABITS: tuple[tuple[str, str], ...] = (
    (
        r"^\s*(?:if|elif|else|for|while)\b[^{]*:\s*$",
        "C has parentheses around a condition, and braces: `if (i < n) { … }`.",
    ),
    (r"^\s*(?:if|while)\s+[^(\s]", "C has parentheses around a condition: `while (i < n) { … }`."),
    (r"\bfor\s+\w+\s+in\b", "A loop in C: `for (int i = 0; i < n; i += 1) { … }`."),
    (r"\b(?:and|or|not)\b", "C writes `and` as &&, `or` as ||, and `not` as !."),
    (r"\*\*", "C has no `**`: write x * x."),
    (r"^\s*#", "A comment begins with // in C."),
    (r"\b(?:True|False|None)\b", "C writes `true` and `false`, and has no None."),
    (
        r"\b(?:keys|result)\b(?!\s*\[)",
        "A thread takes one place of an array, such as keys[i], and not the whole array.",
    ),
)
"""A part of a line without its comment, as a regular expression, and what C has in its place."""

DIVISION = re.compile(r"[\w)\]]\s*//[^;]*;\s*$")
NEW = re.compile(r"^\s*\w+\s*=[^=]")

LINE = re.compile(r"\bline (\d+), ")


def habit_in(said: str, text: str) -> str:
    r"""Return what may be wrong in the first line that a compiler's message names; "" if unknown.

    Examples
    --------
    >>> habit_in("line 2, …", "void kernel() {\n    int x = 7 // 2;\n}")
    'In C `//` begins a comment; whole numbers are divided by /.'
    >>> habit_in("line 2, …", "void kernel() {\n    int x = 7  // two\n}")
    ''
    """
    found = LINE.search(said)
    lines = text.splitlines()
    if not found or int(found[1]) > len(lines):
        return ""
    number = int(found[1])
    for line in (lines[number - 1], lines[number - 2] if number > 1 else ""):
        if DIVISION.search(line):
            return "In C `//` begins a comment; whole numbers are divided by /."
        code = line.split("//")[0]
        for pattern, instead in HABITS:
            if re.search(pattern, code):
                return instead
    if "not declared" in said and NEW.search(lines[number - 1]):
        return "Is this a new variable? It needs a type before its name: `int i = 0;`."
    return ""
