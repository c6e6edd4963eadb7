"""Lesson 14: short shaders and kernels side by side, and the lines that do the same."""

from dataclasses import dataclass

from shadersort.lessons.exercises.kernels.dialect import Setting, cuda, glsl, lines_of
from shadersort.lessons.side_by_side import teaching
from shadersort.lessons.side_by_side.columns import Columns, beside


@dataclass(frozen=True, slots=True)
class Pair:
    """The texts shown on both sides.

    Attributes
    ----------
    title, left
        What stands on the left, and its text.
    kernel, setting
        The kernel that stands on the right, in CUDA C, and what it is written for.
    same
        The lines that do the same, as `beside` takes them.
    """

    title: str
    left: str
    kernel: str
    setting: Setting
    same: tuple[tuple[str, str], ...]


ASKED = """
below = [0]
for edge in edges:
    below.append(number_below(keys, edge))
below.append(keys.size)
histogram = np.diff(below)
"""
"""Python code in the place of the shader, which cannot exist."""

PAIRS = {
    "search": Pair(
        "GLSL: a run for each number",
        teaching.RANKS_FRAGMENT,
        teaching.RANKS,
        teaching.RANKS_SETTING,
        (
            ("int number", "int number"),
            ("int key", "int key"),
            ("if (key < number)", "if (key < number)"),
            ("rank = first", "result[i] = first"),
        ),
    ),
    "counting": Pair(
        "GLSL: a run for each key",
        teaching.BELOW_FRAGMENT,
        teaching.BELOW,
        teaching.BELOW_SETTING,
        (
            ("uniform int pivot", "int pivot"),
            ("int key", "int key"),
            ("discard", "below += 1"),
        ),
    ),
    "least": Pair(
        "GLSL: one level of the pyramid",
        teaching.LEAST_FRAGMENT,
        teaching.LEAST,
        teaching.LEAST_SETTING,
        (("int a", "mine = min(mine"), ("min(min(", "if (thread < step)")),
    ),
    "histogram": Pair(
        "no shader; Python asks about every edge",
        ASKED,
        teaching.HISTOGRAM,
        teaching.HISTOGRAM_SETTING,
        (("for edge", "for (int i"), ("below.append(number_below", "atomicAdd(&result")),
    ),
    "spellings": Pair(
        "GLSL: a compute shader",
        glsl(teaching.BELOW, teaching.BELOW_SETTING),
        teaching.BELOW,
        teaching.BELOW_SETTING,
        (
            ("uniform int pivot", 'extern "C"'),
            ("shared int total", "__shared__ int total"),
            ("int thread", "int thread"),
            ("int block", "int block"),
            ("barrier()", "__syncthreads()"),
            ("atomicAdd(total", "atomicAdd(&total"),
        ),
    ),
}
"""Every pair by its name."""


def columns(name: str) -> Columns:
    """Return one of `PAIRS` side by side."""
    pair = PAIRS[name]
    titles = pair.title, "CUDA C: a kernel"
    left, right = lines_of(pair.left), lines_of(cuda(pair.kernel, pair.setting))
    return beside(left, right, titles=titles, same=pair.same)


def warp_least() -> str:
    """Return the kernel in which the lanes of a warp exchange values, in CUDA C."""
    return cuda(teaching.WARP_LEAST, teaching.WARP_SETTING).rstrip()
