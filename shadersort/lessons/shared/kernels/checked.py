"""Turns a kernel into the compute shader that is run: one that shows what the kernel does wrong."""

import re

from shadersort.lessons.shared.glsl.surroundings import GIVEN, STUDENT
from shadersort.lessons.exercises.kernels.dialect import (
    BARRIER,
    SHARED,
    Setting,
    Shared,
    code_of,
    constants_of,
    layout_of,
    lines_of,
    shared_of,
)
from shadersort.lessons.shared.kernels.watched import (
    GIVEN_ARRAYS,
    GUARD,
    NOTED,
    ending,
    numbered,
    used,
    watching,
)

LEFTOVER = 7
"""What shared memory holds before a kernel writes to it."""


def checked(text: str, setting: Setting, *, watch: bool = True) -> str:
    """Return a kernel as the compute shader that `running` runs.

    It differs from `glsl` in what it makes visible. Threads and blocks are numbered in one of four
    orders. Shared memory holds something before the kernel runs, and there is room after each
    array. Each thread counts its barriers. What `watched` adds is left out unless `watch`: a
    compiler is to see the student's own words. Lines keep their numbers.
    """
    kept = shared_of(text)
    left = "".join(_leftover(each, watch) for each in kept)
    numbers = "".join(f"uniform int {name};\n" for name in ("n", *setting.numbers))
    code = code_of(lines_of(text))
    body = _watched(code, kept) if watch else BARRIER.sub("meet(1)", SHARED.sub(_with_guards, code))
    return f"""#version 430
{layout_of(setting)}layout(std430, binding = 2) buffer Meetings {{ int meetings[]; }};
uniform int turn_order;
{numbers}{constants_of(setting)}int thread = 0, block = 0, blocks = 0, met = 0, way = 0;
{NOTED if watch else ""}void meet(int number) {{ ++met; way = 31 * way + number; barrier(); }}
#line 1 {STUDENT}
{body}
#line 1 {GIVEN}
void main() {{
    int number = int(gl_LocalInvocationID.x);
    if ((turn_order & 2) != 0) number = number * 8 % THREADS + number / (THREADS / 8);
    if ((turn_order & 1) != 0) number = THREADS - 1 - number;
    thread = number;
    blocks = int(gl_NumWorkGroups.x);
    block = int(gl_WorkGroupID.x);
    if ((turn_order & 1) != 0) block = blocks - 1 - block;
{left}    barrier();
    kernel();
    {"atomicMax(faults[0], turns);" if watch else ""}
    meetings[2 * (block * THREADS + thread)] = met;
    meetings[2 * (block * THREADS + thread) + 1] = way;
}}
"""


def _watched(code: str, kept: list[Shared]) -> str:
    """Return a kernel that notes what it does."""
    arrays = tuple(each.name for each in kept if each.size is not None)
    single = tuple(each.name for each in kept if each.size is None)
    numbers = {each.name: at for at, each in enumerate(kept, start=len(GIVEN_ARRAYS))}
    parts, end = [], 0
    for found in SHARED.finditer(code):
        parts.append(used(code[end : found.start()], (*GIVEN_ARRAYS, *arrays), single))
        parts += [_declared(each, numbers[each.name]) for each in shared_of(found[0])]
        parts.append("\n" * found[0].count("\n"))
        end = found.end()
    parts.append(used(code[end:], (*GIVEN_ARRAYS, *arrays), single))
    return ending(numbered("".join(parts), BARRIER))


def _declared(each: Shared, number: int) -> str:
    """Return the declaration of a shared variable as an array, with what notes its uses."""
    size = "1" if each.size is None else " ".join(each.size.split())
    declared = f"shared {each.type} {each.name}[({size}) + {GUARD}];"
    return declared + watching(each.name, size, number)


def _leftover(each: Shared, watch: bool) -> str:
    """Return the lines that let a shared variable hold something."""
    value = f"{each.type}({LEFTOVER})"
    if each.size is None and not watch:
        return f"    {each.name} = {value};\n"
    size = each.size or "1"
    loop = f"    for (int at = number; at < ({size})"
    filled = f"{loop} + {GUARD}; at += THREADS) {each.name}[at] = {value};\n"
    if not watch:
        return filled
    unused = f"readers_{each.name}[at] = writers_{each.name}[at] = 0;"
    return f"{filled}{loop}; at += THREADS) {unused}\n"


def _with_guards(found: re.Match[str]) -> str:
    """Return a declaration of shared memory with room after each array."""
    return re.sub(r"\[([^\]]*)\]", rf"[(\1) + {GUARD}]", found[0])
