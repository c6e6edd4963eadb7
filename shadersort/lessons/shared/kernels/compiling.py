"""Compiles a kernel; says in plain words why a text is refused."""

import re

import moderngl

from shadersort.lessons.shared.glsl.compiler_words import explained
from shadersort.lessons.shared.glsl.habits import HABITS, Habits
from shadersort.lessons.shared.glsl.surroundings import SILENT
from shadersort.lessons.shared.kernels.checked import checked
from shadersort.lessons.exercises.kernels.dialect import (
    KERNEL,
    SHARED,
    Setting,
    code_of,
    lines_of,
    shared_of,
)
from shadersort.lessons.shared.kernels.watched import GIVEN_ARRAYS

WHOLE_ARRAY = "A thread takes one place of an array, such as keys[i], and not the whole array."
"""What is said of a habit of those who know NumPy."""

ONE_PLACE = (
    "It is declared without a length, so it has one place only. An array has its length behind "
    "its name: shared int sums[THREADS];"
)

OF_KERNELS = (
    (r"\bbarrier\s*;", "A barrier is called, with two brackets: barrier();"),
    (
        r"\batomic\w+\s*\(\s*&",
        "Give the place itself, without &, as in atomicAdd(counts[b], 1). CUDA C writes the &.",
    ),
    (r"\bshared\s+\w+\s*[\[;,]", "A type stands after `shared`: shared int sums[THREADS];"),
    (
        r"\b(?:threadIdx|blockIdx|blockDim|gridDim|__\w+)\b",
        "CUDA's own words are written for you. Here they are thread, block, THREADS, blocks, "
        "shared and barrier().",
    ),
    (r"\b(?:keys|result)\b(?!\s*\[)", WHOLE_ARRAY),
)
"""Habits that show in kernels."""

INSIDE = re.compile(rf"{KERNEL.pattern}.*\bshared\b", re.DOTALL)

OF_DECLARATIONS = (
    (
        re.compile(r"\bshared\b[^;={]*=[^;]*;"),
        "a `shared` variable has no value at first. Threads write to it inside of the function, "
        "before a barrier.",
    ),
    (
        re.compile(r"\bshared\s+\w+\s*\[[^\]]*\]\s*\w+"),
        "the length stands after the name: shared int sums[THREADS];",
    ),
)
"""Declarations that are refused, because they are not C, or have no meaning."""

HIDDEN = (
    "`{0}` is declared again inside of the function, with its type. This hides the `{0}` that all "
    "threads share: leave out the type"
)

EXISTS = "`{1}` exists already: leave out `{0}` before it"
"""What is said of a type before a place of an array."""

UNFOLLOWED = (
    "it uses `keys`, `result` or a shared variable in an unusual way: is its name declared again "
    "inside of the function?"
)


class NotCompiled(Exception):
    """A kernel has a mistake that the compiler found; the text names the student's line."""


def compiled(gl: moderngl.Context, text: str, setting: Setting) -> moderngl.ComputeShader:
    """Compile a kernel, first in the student's own words.

    Raises
    ------
    NotCompiled
        The text is refused; the message names the student's line.
    """
    if told := _told(code_of(text)):
        raise NotCompiled(told)
    try:
        gl.compute_shader(checked(text, setting, watch=False)).release()
    except moderngl.Error as error:
        said = explained(str(error), lines_of(text), (*HABITS, *OF_KERNELS, *_of_shared(text)))
        raise NotCompiled(f"it does not compile: {said}") from None
    if hidden := hidden_of(text):
        raise NotCompiled(HIDDEN.format(hidden))
    try:
        return gl.compute_shader(checked(text, setting))
    except moderngl.Error:
        raise NotCompiled(UNFOLLOWED) from None


def _told(code: str) -> str:
    """Return what is said of code that need not be compiled; "" if it is to be tried."""
    if not KERNEL.search(code):
        return "it has no function `void kernel() {`"
    if INSIDE.search(code):
        return "a `shared` variable is declared before the function, not inside of it"
    for pattern, said in OF_DECLARATIONS:
        if found := pattern.search(code):
            return f"it does not compile: `{found[0].strip()}`: {said}"
    if typed := _typed_place(code):
        return f"it does not compile: `{typed[0]}`: {EXISTS.format(*typed.groups())}"
    return next((said for pattern, said in SILENT if re.search(pattern, code)), "")


def _typed_place(code: str) -> re.Match[str] | None:
    """Return where a place of an array is given a value with a type before it, if anywhere."""
    arrays = "|".join((*GIVEN_ARRAYS, *(each.name for each in shared_of(code) if each.size)))
    types = r"\b(int|bool|uint|float)"
    return re.search(rf"{types}\s+({arrays})\s*\[[^\]]*\](?=\s*=[^=])", SHARED.sub("", code))


def _of_shared(text: str) -> Habits:
    """Return habits that show where the student's own shared variables are used."""
    arrays = "|".join(each.name for each in shared_of(text) if each.size is not None)
    single = "|".join(each.name for each in shared_of(text) if each.size is None)
    return (
        *([(rf"\b(?:{arrays})\b\s*=[^=]", WHOLE_ARRAY)] if arrays else []),
        *([(rf"\b(?:{single})\s*\[", ONE_PLACE)] if single else []),
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
