"""Lesson 17, stage 4: what all its kernels have: the rules, and mistakes of the reduction."""

import re

from shadersort.lessons.exercises.kernels.dialect import shared_of
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.rules import IN_SHARED, Rule
from shadersort.lessons.shared.mistakes import Mistake

KEY_BY_KEY = re.compile(r"\batomic\w+\s*\(\s*result\b[^;]*,\s*(?:1|i|keys\b[^;]*)\s*\)")
IN_SHARED_BY_ATOMICS = re.compile(r"\batomic\w+\s*\(\s*(?:first|second)\b")
OWN = re.compile(r"\batomic\w+\s*\(\s*result\b[^;]*,\s*([A-Za-z_]\w*)\s*\)")
DECLARED = re.compile(r"(?<!shared )\bint\s+(\w[\w\s,]*);")


def unset(code: str) -> str:
    """Return a variable that has no value when it is first used; "" if there is none.

    The first mention after its declaration has to write to it.

    Examples
    --------
    >>> unset("int count, sum; count = 0; sum += 1;"), unset("int count = 0; count += 1;")
    ('sum', '')
    """
    for found in DECLARED.finditer(code):
        for name in re.findall(r"\w+", found[1]):
            first = re.search(rf"\b{name}\b\s*(=(?!=))?", code[found.end() :])
            if first and not first[1]:
                return str(name)
    return ""


def own_number(code: str) -> str:
    """Return a variable of one thread that goes to `result` by an atomic; "" if none does.

    Examples
    --------
    >>> own_number("shared int first[8]; atomicAdd(result[0], count);")
    'count'
    >>> own_number("shared int first[8]; int all = first[0]; atomicAdd(result[0], all);")
    ''
    """
    shared = "|".join(each.name for each in shared_of(code)) or "(?!)"
    for name in OWN.findall(code):
        joined = rf"\b{name}\s*[-+*]?=(?!=)[^;]*\b(?:{shared})\b|\b{name}\s*,[^;]*\b(?:{shared})\b"
        if not re.fullmatch(shared, name) and not re.search(joined, code):
            return str(name)
    return ""


RULES = (
    IN_SHARED,
    Rule(
        "it adds each key to `result` by itself. All threads of all blocks wait for one another "
        "there; the exercise forbids it. Add in shared memory, and once for each block to `result`",
        lambda code: KEY_BY_KEY.search(code) is not None,
    ),
    Rule(
        "a thread brings its own number to `result`, which this exercise forbids: only what a "
        "whole block has found goes there. Join the numbers of the block in steps, in shared "
        "memory, and let one thread bring their sum, or the least of them",
        lambda code: own_number(code) != "",
    ),
    Rule(
        "it uses atomics in shared memory, which this exercise forbids: the block adds in steps",
        lambda code: IN_SHARED_BY_ATOMICS.search(code) is not None,
    ),
    Rule(
        "a variable has no value at first, which this exercise forbids: a GPU may leave anything "
        "in it. Give it one, as in `int count = 0;`",
        lambda code: unset(code) != "",
    ),
)


def mistakes_of_blocks(right: str) -> tuple[Mistake, ...]:
    """Return mistakes of the part that both kernels share: the blocks and the reduction."""
    return (
        mistake(
            "every block takes all keys",
            right,
            ("int i = block * THREADS + thread", "int i = thread"),
            ("i += blocks * THREADS", "i += THREADS"),
            hint="Which threads share the work: those of a block, or those of all blocks?",
        ),
        mistake(
            "each thread takes one key only",
            right,
            ("i += blocks * THREADS", "i += n"),
            hint="There may be more keys than threads: go on by blocks * THREADS.",
        ),
        mistake(
            "the first step begins before all threads have written: a barrier is missing before "
            "the loop of steps",
            right,
            ("    barrier();\n    for", "    for"),
        ),
        mistake(
            "a step begins before the one before it has ended: a barrier is missing in the loop",
            right,
            ("        barrier();  // all have added\n", ""),
        ),
        mistake(
            "you counted in `first`, which is not 0 when a thread begins",
            right,
            ("count += 1", "first[thread] += 1"),
            ("    first[thread] = count;\n", ""),
            hint="Shared memory holds what the last user left there: each thread sets its places "
            "first.",
        ),
        mistake("the last step is missing", right, ("step > 0", "step > 1")),
        mistake(
            "the first step is missing, so half of the threads are left out",
            right,
            ("THREADS / 2", "THREADS / 4"),
        ),
        mistake(
            "each block overwrites the count of the others",
            right,
            ("atomicAdd(result[0], first[0])", "result[0] = first[0]"),
            hint="Every block has counted a part: add it by atomicAdd.",
        ),
        mistake(
            "you exchanged the two results",
            right,
            ("first[thread] = count", "second[thread] = count"),
            *(
                [("second[thread] = sum", "first[thread] = sum")]
                if "sum" in right
                else [("second[thread] = place", "first[thread] = place")]
            ),
            hint="result[0] is the count.",
        ),
    )
