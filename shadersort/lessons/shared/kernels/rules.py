"""Rules of exercises with kernels, which are seen in the text."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from shadersort.lessons.exercises.kernels.dialect import code_of, shared_of

HEADER = re.compile(r"\s*(?:for\b.*\)|while\b.*\)|if\b.*\)|else)$")

ONE_STATEMENT = (
    "without braces, a loop or an `if` takes one statement, however the next lines are indented: "
    "write { … } around all that belongs to it"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a lesson: what is said of a kernel that breaks it, and how this is seen.

    `broken` is called with the text of the kernel, without its comments.
    """

    said: str
    broken: Callable[[str], bool]


IN_SHARED = Rule(
    "it has no `shared` variable; keeping the numbers in `result` instead is slow, and the "
    "exercise "
    "forbids it",
    lambda code: not shared_of(code),
)

NO_LOOP = Rule(
    "it has a loop, which this exercise forbids: each thread takes one key",
    lambda code: re.search(r"\b(for|while|do)\b", code) is not None,
)

NO_ATOMICS = Rule(
    "it uses an atomic, which this exercise forbids: the threads add in steps",
    lambda code: "atomic" in code,
)


def adds_ones_to_result(code: str) -> bool:
    """Return whether a kernel adds 1 to `result` by an atomic: once for each key, that is.

    Examples
    --------
    >>> adds_ones_to_result("atomicAdd(result[bucket], 1);")
    True
    >>> adds_ones_to_result("atomicAdd(counts[bucket], 1); atomicAdd(result[b], counts[b]);")
    False
    """
    return re.search(r"\batomicAdd\s*\(\s*result\b[^;]*,\s*1\s*\)", code) is not None


DECLARED_AGAIN = (
    "`{0}` is declared again in a part of the text where it is known already, with its type. This "
    "is another `{0}`, which ends with that part: leave out the type"
)

NAMED = re.compile(
    r"[{}]|(?P<alone>\)|\belse\b)?\s*(?<!\()\b(?:int|bool|uint|float)\s+(?P<name>\w+)\s*[=;,]"
)


def declared_again(text: str) -> str:
    """Return the first name that is declared in braces, or behind an `if`, and before them, too.

    Examples
    --------
    >>> declared_again("int a = 0; if (b) { int a = 1; }"), declared_again("if (b) int a; int a;")
    ('a', '')
    """
    known: list[set[str]] = [set()]
    for found in NAMED.finditer(code_of(text)):
        name = found["name"]
        if found[0] == "{":
            known.append(set())
        elif found[0] == "}":
            known = known[:-1] or [set()]
        elif any(name in each for each in (known if found["alone"] else known[:-1])):
            return name
        elif not found["alone"]:
            known[-1].add(name)
    return ""


def one_statement(text: str) -> bool:
    r"""Return whether lines are indented as if a loop or an `if` without braces took them all.

    Examples
    --------
    >>> one_statement("if (a)\n    b = 1;\n    c = 1;")
    True
    >>> one_statement("if (a)\n    b = 1;\nc = 1;")
    False
    """
    lines = [line.rstrip() for line in code_of(text).splitlines() if line.strip()]
    indents = [len(line) - len(line.lstrip()) for line in lines]
    return any(
        HEADER.match(lines[at])
        and indents[at] < indents[at + 1] == indents[at + 2]
        and lines[at + 1].endswith(";")
        for at in range(len(lines) - 2)
    )


def in_text(text: str) -> str:
    """Return what may make a kernel wrong, as far as its text shows it; "" if nothing does."""
    if name := declared_again(text):
        return DECLARED_AGAIN.format(name)
    return ONE_STATEMENT if one_statement(text) else ""
