"""Lesson 6: the texels that a program writes, and the time that two rates predict."""

from functools import lru_cache

import numpy as np

from shadersort.drawing.compile import build
from shadersort.drawing.networks import Step, network
from shadersort.drawing.passes import texture_size
from shadersort.drawing.program import Program
from shadersort.keys.types import Keys
from shadersort.lessons.shared.records import record

CHIP = record("chip-nvidia-h200")


def write_rate(stage: str, dtype: str = "f4") -> float:
    """Return how many 10⁹ texels of four floats a kind of shader writes in a second."""
    (row,) = CHIP.where(work="write", stage=stage, dtype=dtype)
    return float(row["gtexels_s"])


WRITING = round(write_rate("fragment"), 2)
BLENDING = round(write_rate("fragment, blended"), 2)
"""10⁹ texels of four 32-bit floats that an H200 draws in a second, without and with blending."""


@lru_cache(maxsize=64)
def program_of(name: str, method: str, n: int) -> Program:
    """Return the passes that sort n keys, four channels side by side; n is a power of two."""
    return build(network(name, n // 4), *texture_size(n // 4), method)


def written(program: Program) -> tuple[int, int]:
    """Return the number of texels written without blending, and of those blended."""
    blended = sum(each.texels for each in program.passes if each.blend)
    return program.texels - blended, blended


def partners_of(step: Step, n: int) -> Keys:
    """Return, for each of n wires, its partner in a step; an idle wire is its own partner."""
    partners = np.arange(n)
    low, high = step.comparators(n)
    partners[low], partners[high] = high, low
    return partners


def milliseconds_of(copied: int, blended: int, writing: float, blending: float) -> float:
    """Return the milliseconds that texels take at two rates, in 10⁹ texels a second."""
    return 1e3 * (copied / (writing * 1e9) + blended / (blending * 1e9))


def predicted(network: str, method: str) -> float:
    """Return the milliseconds that two rates predict for sorting 2^23 keys on an H200."""
    return milliseconds_of(*written(program_of(network, method, 1 << 23)), WRITING, BLENDING)
