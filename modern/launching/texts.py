"""Launches a kernel that is given as a text of CUDA C, on whole numbers of 32 bits.

This is for the kernels of the lessons. They read `keys`, and write to `result`.
"""

from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np

from modern.launching.compiling import machine_code
from shadersort.keys.types import Integers


def launched(
    text: str,
    keys: Integers,
    result: Integers,
    numbers: Sequence[int] = (),
    *,
    blocks: int = 1,
    threads: int = 64,
) -> Integers:
    """Launch the function `kernel(keys, n, *numbers, result)` of a text; return its result.

    `result` holds what the kernel finds there at first. Launches on the current device, and waits.
    Raises `NotCompiled` with the compiler's message if the text is wrong.
    """
    architecture = f"sm_{cupy.cuda.Device().compute_capability}"
    module = cupy.cuda.function.Module()
    module.load(machine_code(text, architecture, ("--std=c++17",)))
    given, written = (cupy.asarray(each, cupy.int32) for each in (keys, result))
    arguments: tuple[Any, ...] = (given, *map(np.int32, (len(keys), *numbers)), written)
    module.get_function("kernel")((blocks,), (threads,), arguments)
    found: Integers = written.get()
    return found
