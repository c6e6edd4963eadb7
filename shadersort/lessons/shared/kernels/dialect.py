"""The words of a kernel, and how GLSL and CUDA C spell them.

A kernel is a text with a function `void kernel()`, and declarations of shared memory before it. Its
words are those of C, and a few that GLSL and CUDA C spell in different ways:

- `thread` and `block`, the numbers of this thread and of its block; `blocks`, how many there are
- `THREADS`, the number of threads in each block
- `shared`, before a variable that the threads of a block share; `barrier()`, where they meet
- `atomicAdd(place, number)`, and the same with Max and Min
- `keys` and `n`, how many keys there are; `result`; and the numbers that an exercise gives
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from shadersort.lessons.shared.glsl.surroundings import GIVEN, STUDENT
from shadersort.lessons.shared.kernels.watched import (
    GIVEN_ARRAYS,
    GUARD,
    NOTED,
    ending,
    numbered,
    used,
    watching,
)

KERNEL = re.compile(r"\bvoid\s+kernel\s*\(\s*\)\s*\{")
BARRIER = re.compile(r"\bbarrier\s*\(\s*\)")
ATOMIC = re.compile(r"\b(atomic(?:Add|Max|Min))\s*\(\s*")
SHARED = re.compile(r"\bshared\s+(\w+)\s+([^;]+);")
VARIABLE = re.compile(r"^\s*(\w+)\s*(?:\[(.*)\])?\s*$", re.DOTALL)
REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
HEADER = re.compile(r"\s*(?:for\b.*\)|while\b.*\)|if\b.*\)|else)$")
BLANK = re.compile(r"^\s*\.\.\.", re.MULTILINE)
"""A line of a text that a student has not finished."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a kernel is written for.

    Attributes
    ----------
    threads
        How many threads a block has: `THREADS`.
    numbers
        The names of whole numbers that the kernel is given besides `n`.
    constants
        Names of constants, with their values.
    """

    threads: int = 64
    numbers: tuple[str, ...] = ()
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def values(self) -> tuple[tuple[str, int], ...]:
        """Every constant by its name."""
        return ("THREADS", self.threads), *self.constants


@dataclass(frozen=True, slots=True)
class Shared:
    """A variable in shared memory; `size` is the text in its brackets, or None for a single one."""

    type: str
    name: str
    size: str | None


def lines_of(text: str) -> str:
    """Return a kernel without the empty line at the beginning of a text in three quotes."""
    return text.removeprefix("\n").rstrip() + "\n"


def code_of(text: str) -> str:
    r"""Return a kernel without its comments; each line keeps its number.

    Examples
    --------
    >>> code_of("int i; // thread\nint j;")
    'int i; \nint j;'
    """
    return REMARK.sub(lambda found: "\n" * found[0].count("\n"), text)


def shared_of(text: str) -> list[Shared]:
    """Return the variables that a kernel has in shared memory.

    Examples
    --------
    >>> shared_of("shared int sums[THREADS], least;")
    [Shared(type='int', name='sums', size='THREADS'), Shared(type='int', name='least', size=None)]
    """
    found = []
    for kind, names in SHARED.findall(code_of(text)):
        parts = (VARIABLE.match(part) for part in names.split(","))
        found += [Shared(kind, each[1], each[2]) for each in parts if each]
    return found


def is_blank(text: str) -> bool:
    r"""Return whether a kernel still has the dots of an exercise.

    Examples
    --------
    >>> is_blank("void kernel() {\n    ...\n}"), is_blank("i = 1;  // and so on ...")
    (True, False)
    """
    return BLANK.search(text) is not None


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


def hidden_of(text: str) -> str:
    """Return the first name of the given arrays and shared variables that is declared again.

    Examples
    --------
    >>> hidden_of("shared int first; void kernel() { int first = 1; }")
    'first'
    """
    code = SHARED.sub("", code_of(text))
    names = (*GIVEN_ARRAYS, *(each.name for each in shared_of(text)))
    again = (name for name in names if re.search(rf"\b(?:int|bool|uint|float)\s+{name}\b", code))
    return next(again, "")


def glsl(text: str, setting: Setting) -> str:
    r"""Return a kernel as a compute shader.

    Examples
    --------
    >>> print(glsl("void kernel() {\n    result[thread] = keys[thread];\n}", Setting(8)))
    layout(local_size_x = 8) in;
    layout(std430, binding = 0) readonly buffer Keys { int keys[]; };
    layout(std430, binding = 1) buffer Result { int result[]; };
    uniform int n;
    const int THREADS = 8;
    <BLANKLINE>
    void main() {
        int thread = int(gl_LocalInvocationID.x);
        result[thread] = keys[thread];
    }
    <BLANKLINE>
    """
    own = {
        "thread": "int(gl_LocalInvocationID.x)",
        "block": "int(gl_WorkGroupID.x)",
        "blocks": "int(gl_NumWorkGroups.x)",
    }
    numbers = "".join(f"uniform int {name};\n" for name in ("n", *setting.numbers))
    written = _opened(text, lambda: "void main() {", own)
    return f"{_layout(setting)}{numbers}{_constants(setting)}\n{written}"


def cuda(text: str, setting: Setting) -> str:
    r"""Return a kernel in CUDA C.

    Examples
    --------
    >>> print(cuda("void kernel() {\n    result[thread] = keys[thread];\n}", Setting(8)))
    const int THREADS = 8;
    <BLANKLINE>
    extern "C" __global__ void kernel(const int* keys, int n, int* result) {
        int thread = threadIdx.x;
        result[thread] = keys[thread];
    }
    <BLANKLINE>
    """
    own = {"thread": "threadIdx.x", "block": "blockIdx.x", "blocks": "gridDim.x"}
    numbers = "".join(f", int {name}" for name in setting.numbers)
    head = f'extern "C" __global__ void kernel(const int* keys, int n{numbers}, int* result) {{'
    written = _opened(text, lambda: head, own)
    written = _outside_remarks(written, lambda code: ATOMIC.sub(r"\1(&", code))
    written = _outside_remarks(written, lambda code: BARRIER.sub("__syncthreads()", code))
    written = _outside_remarks(written, lambda code: re.sub(r"\bshared\b", "__shared__", code))
    return f"{_constants(setting)}\n{written}"


def _constants(setting: Setting) -> str:
    """Return the lines that declare the constants, in both languages."""
    return "".join(f"const int {name} = {value};\n" for name, value in setting.values)


def _layout(setting: Setting) -> str:
    """Return the lines of GLSL that say how many threads a block has, and where its arrays are."""
    return (
        f"layout(local_size_x = {setting.threads}) in;\n"
        "layout(std430, binding = 0) readonly buffer Keys { int keys[]; };\n"
        "layout(std430, binding = 1) buffer Result { int result[]; };\n"
    )


def _opened(text: str, head: Callable[[], str], own: dict[str, str]) -> str:
    """Return a kernel with another head, and its own numbers in the next lines, if it uses them."""
    used = [name for name in own if re.search(rf"\b{name}\b", code_of(text))]
    lines = "".join(f"\n    int {name} = {own[name]};" for name in used)
    return KERNEL.sub(lambda _: head() + lines, lines_of(text))


def _outside_remarks(text: str, change: Callable[[str], str]) -> str:
    """Return a text that is changed everywhere but in comments."""
    parts, end = [], 0
    for found in REMARK.finditer(text):
        parts += [change(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join(parts) + change(text[end:])


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
{_layout(setting)}layout(std430, binding = 2) buffer Meetings {{ int meetings[]; }};
uniform int turn_order;
{numbers}{_constants(setting)}int thread = 0, block = 0, blocks = 0, met = 0, way = 0;
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
