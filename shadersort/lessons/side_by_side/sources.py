"""Lesson 14: short shaders and kernels that do the same, to be read side by side.

They are not the package's own, which are fast, long, and know every type of key. Tests hold these
to the answers of the package's.
"""

from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.dialect import Setting, cuda, glsl, lines_of
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate
from shadersort.lessons.shared.opengl import context, open_shader
from shadersort.lessons.side_by_side.columns import Columns, beside

BUCKETS = 100

RANKS_FRAGMENT = """
uniform isampler2D keys, numbers;
uniform int n;
out int rank;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    int number = texelFetch(numbers, place, 0).r;
    int first = 0, last = n;
    while (first < last) {
        int middle = (first + last) / 2;
        int key = texelFetch(keys, ivec2(middle, 0), 0).r;
        if (key < number) first = middle + 1;
        else last = middle;
    }
    rank = first;
}
"""
"""Draws the ranks of numbers among the keys, which are in order, in one row."""

RANKS = """
void kernel() {
    int i = block * THREADS + thread;
    if (i >= count) return;
    int number = result[i];
    int first = 0, last = n;
    while (first < last) {
        int middle = (first + last) / 2;
        int key = keys[middle];
        if (key < number) first = middle + 1;
        else last = middle;
    }
    result[i] = first;
}
"""
"""Replaces `count` numbers in `result` by their ranks among the keys, which are in order."""

BELOW_FRAGMENT = """
uniform isampler2D keys;
uniform int pivot;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    int key = texelFetch(keys, place, 0).r;
    if (key >= pivot) discard;
}
"""
"""Draws where a key is below the pivot; an occlusion query counts these texels."""

BELOW = """
shared int total;

void kernel() {
    if (thread == 0) total = 0;
    barrier();
    int below = 0;
    for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) {
        int key = keys[i];
        if (key < pivot) below += 1;
    }
    atomicAdd(total, below);
    barrier();
    if (thread == 0) atomicAdd(result[0], total);
}
"""
"""Adds the number of keys below the pivot to `result[0]`."""

LEAST_FRAGMENT = """
uniform isampler2D keys;
uniform int half_size;
out int least;

void main() {
    ivec2 place = ivec2(gl_FragCoord.xy);
    int a = texelFetch(keys, place, 0).r;
    int b = texelFetch(keys, place + ivec2(half_size, 0), 0).r;
    int c = texelFetch(keys, place + ivec2(0, half_size), 0).r;
    int d = texelFetch(keys, place + ivec2(half_size, half_size), 0).r;
    least = min(min(a, b), min(c, d));
}
"""
"""Draws the least of four keys, one of each quarter of a square: a level of the pyramid."""

LEAST = """
shared int least[THREADS];

void kernel() {
    int mine = NOTHING;
    for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) {
        mine = min(mine, keys[i]);
    }
    least[thread] = mine;
    barrier();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (thread < step) least[thread] = min(least[thread], least[thread + step]);
        barrier();
    }
    if (thread == 0) atomicMin(result[0], least[0]);
}
"""
"""Lowers `result[0]` to the least key."""

HISTOGRAM = """
void kernel() {
    for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) {
        int bucket = (keys[i] - least) / width;
        atomicAdd(result[bucket], 1);
    }
}
"""
"""Adds the counts of equal buckets to `result`."""

WARP_LEAST = """
void kernel() {
    int mine = thread < n ? keys[thread] : NOTHING;
    for (int step = 16; step > 0; step /= 2) {
        mine = min(mine, __shfl_down_sync(0xffffffff, mine, step));
    }
    if (thread == 0) result[0] = mine;
}
"""
"""Writes the least of at most 32 keys to `result[0]`, by one warp. It is CUDA C alone."""

NOTHING = 2**31 - 1

RANKS_SETTING = Setting(numbers=("count",))
BELOW_SETTING = Setting(numbers=("pivot",))
LEAST_SETTING = Setting(constants=(("NOTHING", NOTHING),))
WARP_SETTING = Setting(threads=32, constants=(("NOTHING", NOTHING),))
HISTOGRAM_SETTING = Setting(numbers=("least", "width"), constants=(("BUCKETS", BUCKETS),))


class Pair(NamedTuple):
    """The texts shown on both sides, and the lines that do the same, as `beside` takes them."""

    title: str  # of what stands on the left
    left: str
    kernel: str  # stands on the right, in CUDA C
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
        RANKS_FRAGMENT,
        RANKS,
        RANKS_SETTING,
        (
            ("int number", "int number"),
            ("int key", "int key"),
            ("if (key < number)", "if (key < number)"),
            ("rank = first", "result[i] = first"),
        ),
    ),
    "counting": Pair(
        "GLSL: a run for each key",
        BELOW_FRAGMENT,
        BELOW,
        BELOW_SETTING,
        (
            ("uniform int pivot", "int pivot"),
            ("int key", "int key"),
            ("discard", "below += 1"),
        ),
    ),
    "least": Pair(
        "GLSL: one level of the pyramid",
        LEAST_FRAGMENT,
        LEAST,
        LEAST_SETTING,
        (("int a", "mine = min(mine"), ("min(min(", "if (thread < step)")),
    ),
    "histogram": Pair(
        "no shader; Python asks about every edge",
        ASKED,
        HISTOGRAM,
        HISTOGRAM_SETTING,
        (("for edge", "for (int i"), ("below.append(number_below", "atomicAdd(&result")),
    ),
    "spellings": Pair(
        "GLSL: a compute shader",
        glsl(BELOW, BELOW_SETTING),
        BELOW,
        BELOW_SETTING,
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

_child = Child(prepare=context)


def columns(name: str) -> Columns:
    """Return one of `PAIRS` side by side."""
    pair = PAIRS[name]
    titles = pair.title, "CUDA C: a kernel"
    left, right = lines_of(pair.left), lines_of(cuda(pair.kernel, pair.setting))
    return beside(left, right, titles=titles, same=pair.same)


def warp_least() -> str:
    """Return the kernel in which the lanes of a warp exchange values, in CUDA C."""
    return cuda(WARP_LEAST, WARP_SETTING).rstrip()


def draw(
    name: str, shape: tuple[int, ...], numbers: dict[str, int], /, **textures: Integers
) -> tuple[Integers, int]:
    """Draw a frame with a shader of `PAIRS`; return it, and how many texels were not discarded."""
    ended = _child.call(_draw_here, PAIRS[name].left, textures, numbers, shape, seconds=30.0)
    if ended.state != "returned":
        raise RuntimeError(ended.told or ended.message)
    frame, count = ended.result
    return frame, count


def _draw_here(
    text: str, textures: dict[str, Integers], numbers: dict[str, int], shape: tuple[int, ...]
) -> tuple[Any, int]:
    texels = {name: each.astype(np.int32) for name, each in textures.items()}
    with open_shader(text, texels, numbers, shape) as drawn:
        return drawn()


def compute(name: str, keys: Integers, result: Integers, *numbers: int) -> Integers:
    """Return what `result` holds after a kernel of `PAIRS`, by four blocks of the simulator."""
    launch = Launch(keys, result, 4, numbers)
    return simulate(PAIRS[name].kernel, PAIRS[name].setting, launch, orders=1).results[0]
