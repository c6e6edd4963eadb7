"""Lets a kernel tell what it does wrong: places that are not there, loops without end, clashes.

Every use of `keys`, `result` and of a shared variable goes through a function, which notes the
place and the thread. So a fault is seen even where the result happens to be right.
"""

import re
from collections.abc import Callable

GUARD = 64
"""Places after each shared array that belong to no one."""

BEYOND = 256
"""Places after the keys and after the result that belong to no one."""

MOST_TURNS = 10_000
"""Turns of all loops of a thread; no exercise needs half as many."""

OF_ARRAY = 3
"""Numbers that are noted of an array: the largest wrong place, the least one, and a clash."""

OF_PLACE = 5
"""Numbers that are noted of a place of `result`: its first block, whether another block used it,
whether it was used without an atomic, the last thread that wrote to it, and whether one did."""

GIVEN_ARRAYS = ("keys", "result")

LOOP = re.compile(r"\b(for|while)\s*\(")
ATOMIC_BEFORE = re.compile(r"\batomic\w+\s*\(\s*$")
STEP_BEFORE = re.compile(r"(?:\+\+|--)\s*$")
CHANGE_AFTER = re.compile(r"\s*(?:(?:[-+*/%&|^]|<<|>>)=(?!=)|\+\+|--)")
SET_AFTER = re.compile(r"\s*=(?!=)")
READ, SET, CHANGE, ATOMIC = range(4)

NOTED = f"""\
layout(std430, binding = 3) buffer Faults {{ int faults[]; }};
layout(std430, binding = 4) buffer Users {{ int users[]; }};
uniform int places;
int turns = 0;
bool going() {{
    if (++turns <= {MOST_TURNS}) return true;
    atomicMax(faults[0], turns);
    return false;
}}
int now() {{ return met * THREADS + thread + 1; }}
bool of_another(int seen) {{
    if (seen <= 0) return seen == -(met + 1);
    return (seen - 1) / THREADS == met && (seen - 1) % THREADS != thread;
}}
int outside(int array, int i, int size, int room) {{
    atomicMax(faults[1 + {OF_ARRAY} * array], i);
    atomicMin(faults[2 + {OF_ARRAY} * array], i);
    return i >= 0 && i < size + room ? i : size + room - 1;
}}
int at_keys(int i, int use) {{ return i >= 0 && i < n ? i : outside(0, i, n, {BEYOND}); }}
int at_result(int i, int use) {{
    if (i < 0 || i >= places) return outside(1, i, places, {BEYOND});
    int first = atomicCompSwap(users[{OF_PLACE} * i], 0, block + 1);
    if (first != 0 && first != block + 1) users[{OF_PLACE} * i + 1] = 1;
    if (use != {ATOMIC}) users[{OF_PLACE} * i + 2] = 1;
    if (use != {READ}) users[{OF_PLACE} * i + 4] = 1;
    if (use == {SET} || use == {CHANGE}) {{
        int seen = atomicExchange(users[{OF_PLACE} * i + 3], now());
        if (first == block + 1 && of_another(seen)) faults[{2 * OF_ARRAY}] = 1;
    }}
    return i;
}}
"""
"""Functions that note. A thread is written with the number of barriers that it has met; less than
zero is several threads."""


def watching(name: str, size: str, number: int) -> str:
    """Return, in one line, what notes the uses of a shared array."""
    fault = f"faults[{OF_ARRAY * (number + 1)}] = 1;"
    return (
        f" shared int readers_{name}[{size}], writers_{name}[{size}];"
        f" int at_{name}(int i, int use) {{"
        f" if (i < 0 || i >= ({size})) return outside({number}, i, {size}, {GUARD});"
        f" if (use == {READ} || use == {CHANGE}) {{ if (of_another(writers_{name}[i])) {fault}"
        f" int seen = atomicExchange(readers_{name}[i], now());"
        f" if (of_another(seen)) readers_{name}[i] = -(met + 1); }}"
        f" if (use == {SET} || use == {CHANGE}) {{ if (of_another(readers_{name}[i])) {fault}"
        f" writers_{name}[i] = now(); }} return i; }}"
    )


def used(code: str, arrays: tuple[str, ...], single: tuple[str, ...]) -> str:
    """Return code in which every use of an array, or of a single variable, is noted.

    Examples
    --------
    >>> used("sums[i] += sums[j];", ("sums",), ())
    'sums[at_sums(int(i), 2)] += sums[at_sums(int(j), 0)];'
    >>> used("first = 1;", (), ("first",))
    'first[at_first(0, 1)] = 1;'
    """
    name = re.compile(rf"(?<![.\w])({'|'.join((*arrays, *single))})\b")
    parts, end = [], 0
    while found := name.search(code, end):
        parts.append(code[end : found.start()])
        after = found.end()
        place = "0"
        if found[1] in arrays:
            opened = re.compile(r"\s*\[").match(code, after)
            if not opened:
                parts.append(found[0])
                end = after
                continue
            after = closing(code, opened.end() - 1, "[]")
            place = f"int({used(code[opened.end() : after - 1], arrays, single)})"
        parts.append(f"{found[1]}[at_{found[1]}({place}, {use_of(code, found.start(), after)})]")
        end = after
    return "".join(parts) + code[end:]


def use_of(code: str, start: int, end: int) -> int:
    """Return how the value between two places of the code is used."""
    if ATOMIC_BEFORE.search(code[:start]):
        return ATOMIC
    if CHANGE_AFTER.match(code, end) or STEP_BEFORE.search(code[:start]):
        return CHANGE
    return SET if SET_AFTER.match(code, end) else READ


def ending(code: str) -> str:
    """Return code whose loops end after `MOST_TURNS` turns.

    Examples
    --------
    >>> ending("while (i < n) i = 2 * i;")
    'while ((i < n) && going()) i = 2 * i;'
    >>> ending("for (int i = 0; ; ++i) {}")
    'for (int i = 0; going(); ++i) {}'
    """
    for found in reversed(list(LOOP.finditer(code))):
        end = closing(code, found.end() - 1, "()")
        head = code[found.end() : end - 1]
        before, condition, after = "", head, ""
        if found[1] == "for":
            if head.count(";") != 2:
                continue
            before, condition, after = head.split(";")
            before, condition, after = f"{before}; ", condition.strip(), f";{after}"
        kept = f"({condition}) && going()" if condition else "going()"
        code = f"{code[: found.end()]}{before}{kept}{after}{code[end - 1 :]}"
    return code


def numbered(code: str, barrier: re.Pattern[str]) -> str:
    """Return code in which every barrier has a number of its own."""
    count = iter(range(1, len(code)))
    replaced: Callable[[re.Match[str]], str] = lambda found: f"meet({next(count)})"  # noqa: E731
    return barrier.sub(replaced, code)


def closing(code: str, start: int, brackets: str) -> int:
    """Return the place after the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] == brackets[0]) - (code[at] == brackets[1])
        if not depth:
            return at + 1
    return len(code)
