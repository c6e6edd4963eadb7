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

KERNEL = re.compile(r"\bvoid\s+kernel\s*\(\s*\)\s*\{")
BARRIER = re.compile(r"\bbarrier\s*\(\s*\)")
ATOMIC = re.compile(r"\b(atomic(?:Add|Max|Min))\s*\(\s*")
SHARED = re.compile(r"\bshared\s+(\w+)\s+([^;]+);")
VARIABLE = re.compile(r"^\s*(\w+)\s*(?:\[(.*)\])?\s*$", re.DOTALL)
REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
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
    return f"{layout_of(setting)}{numbers}{constants_of(setting)}\n{written}"


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
    return f"{constants_of(setting)}\n{written}"


def constants_of(setting: Setting) -> str:
    """Return the lines that declare the constants, in both languages."""
    return "".join(f"const int {name} = {value};\n" for name, value in setting.values)


def layout_of(setting: Setting) -> str:
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
