"""Lesson 15, what a kernel costs: the exercises. All are kernels, and their cost is judged, too."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises import Case, Exercise, KernelRunner, Mistake, Setting
from shadersort.lessons.exercises.kernel_runner import (
    KEY_OF_THREAD,
    NO_ONES,
    SHARED_SUMS,
    blank_kernel,
)
from shadersort.lessons.exercises.kernels.simulator import LANES, blocks_for

FEW, MANY = 64, 256
"""Threads of a block."""


def _some_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys: fewer than there are threads, and up to twelve for each."""
    yield (np.array([3, 1, 4, 1, 5]),)
    yield (np.arange(40) // 2,)
    for count in (64, 500, 1500):
        yield (rng.integers(1, 9, size=count),)


falls = Exercise(
    name="falls",
    specification=lambda keys: np.array([np.sum(keys[:-1] > keys[1:])]),
    cases=_some_keys,
    hints=(
        "The lanes of a warp read at the same time: in each turn of the loop, thread t + 1 should "
        "read the place after that of thread t.",
        "So a thread does not take keys that are neighbours. It takes one key of each round: its "
        "first place is `block * THREADS + thread`, and all threads together go on by "
        "`blocks * THREADS`.",
        "`for (int i = block * THREADS + thread; i < n; i += blocks * THREADS)`, and in it the "
        "same `if` as before.",
    ),
    mistakes=(
        Mistake(
            "you counted rises: a key falls if its left neighbour is larger",
            lambda keys: np.array([np.sum(keys[:-1] < keys[1:])]),
        ),
        Mistake(
            "you counted equal neighbours, too",
            lambda keys: np.array([np.sum(keys[:-1] >= keys[1:])]),
        ),
    ),
    runner=KernelRunner(
        setting=Setting(FEW),
        start=lambda n: [0],
        blocks=lambda n, threads: min(2, blocks_for(n, threads)),
        rules=(NO_ONES,),
        limits=lambda launch: {"sectors": 12 * blocks_for(launch.keys.size, LANES) + 16},
        text=blank_kernel(
            "shared int total;",
            "if (thread == 0) total = 0;\nbarrier();\nint falls = 0;\n",
            "atomicAdd(total, falls);\nbarrier();\nif (thread == 0) atomicAdd(result[0], total);\n",
        ),
    ),
    asks="Count the places at which a key is smaller than its left neighbour, and let "
    "neighbouring lanes read neighbouring keys.",
)


def _matrices(rng: np.random.Generator) -> Iterator[Case]:
    """Yield the numbers of matrices row by row, and the length of a row."""
    yield np.arange(LANES * LANES), LANES
    for width in (LANES, 2 * LANES):
        yield rng.permutation(2 * LANES * LANES), width


transposed = Exercise(
    name="transposed",
    specification=lambda keys, width: keys.reshape(-1, width).T.ravel(),
    cases=_matrices,
    hints=(
        "Reading from `keys` and writing to `result`, the lanes of a warp (x) take neighbouring "
        "places. Rows become columns in the tile: it is written by rows, and read by columns.",
        "In a tile with rows of 33 the number of row y and column x is at `33 * y + x`. Written "
        "are the places of one y; read are those of one column, `33 * x + y`.",
        "Of `keys`: row `top + y`, column `left + x`, so `tile[33 * y + x] = keys[(top + y) * "
        "width + left + x];`",
        "In `result` the rows have `height` numbers, and rows and columns are exchanged: "
        "`result[(left + y) * height + top + x] = tile[33 * x + y];`",
    ),
    mistakes=(
        Mistake("nothing is transposed: `result` has the numbers of `keys`", lambda keys, _: keys),
        Mistake(
            "each tile is transposed, but stays at its place in the matrix",
            lambda keys, width: (
                keys.reshape(-1, LANES, width // LANES, LANES).swapaxes(1, 3).ravel()
            ),
            "The tile that begins in row `top` and column `left` of `keys` goes to row `left` and "
            "column `top` of `result`, whose rows have `height` numbers.",
        ),
    ),
    runner=KernelRunner(
        setting=Setting(MANY, numbers=("width",)),
        blocks=lambda n, threads: n // LANES**2,
        limits=lambda launch: {"sectors": launch.keys.size // 3, "ways": launch.keys.size // 12},
        text=blank_kernel(
            "shared int tile[32 * 33];",
            "int height = n / width, x = thread % 32;\n"
            "int left = block % (width / 32) * 32, top = block / (width / 32) * 32;\n",
        ),
    ),
    asks="Transpose a matrix through a tile in shared memory: neighbouring lanes use neighbouring "
    "places of `keys` and of `result`, and different banks of the tile.",
)


def _keys_of_blocks(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys: fewer than a block has threads, exactly as many, and more."""
    yield (np.array([3, 1, 4, 1, 5]),)
    for count in (MANY, 300, 1000):
        yield (rng.integers(1, 100, size=count),)


def swept(keys: Integers) -> Integers:
    """Return what the up-sweep makes of the keys of each block, after Blelloch 1990."""
    rows = np.pad(keys, (0, -len(keys) % MANY)).reshape(-1, MANY)
    step = 1
    while step < MANY:
        rows[:, 2 * step - 1 :: 2 * step] += rows[:, step - 1 :: 2 * step]
        step *= 2
    return rows.ravel()[: len(keys)]


def _mirrored(keys: Integers) -> Integers:
    rows = np.pad(keys, (0, -len(keys) % MANY)).reshape(-1, MANY)
    return swept(rows[:, ::-1].ravel()).reshape(-1, MANY)[:, ::-1].ravel()[: len(keys)]


up_sweep = Exercise(
    name="up_sweep",
    specification=swept,
    cases=_keys_of_blocks,
    hints=(
        "In a step there are THREADS / (2 * step) sums. Let the threads 0, 1, 2 … make them, one "
        "each: these are neighbours. The others have nothing to do.",
        "Thread 0 makes the sum at place 2 * step - 1, thread 1 that at place 4 * step - 1. Which "
        "one makes thread t?",
        "`int right = 2 * step * (thread + 1) - 1;`, and it adds only if `right < THREADS`.",
        "`if (right < THREADS) sums[right] += sums[right - step];`, and after it a barrier, "
        "outside of the `if`.",
    ),
    mistakes=(
        Mistake(
            "the sums stand at the left end of their keys, and not at the right one", _mirrored
        ),
    ),
    runner=KernelRunner(
        setting=Setting(MANY),
        limits=lambda launch: {"divergent": 24 * launch.blocks},
        text=blank_kernel(
            SHARED_SUMS,
            f"{KEY_OF_THREAD}sums[thread] = i < n ? keys[i] : 0;\nbarrier();\n",
            "if (i < n) result[i] = sums[thread];\n",
        ),
    ),
    asks="Sum up the keys of each block by a tree whose partial sums stay, and let neighbouring "
    "threads do the work of a step.",
)

EXERCISES = (falls, transposed, up_sweep)
