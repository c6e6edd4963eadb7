"""Exercises with kernels as data, for the simulator that runs in a browser."""

import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from shadersort.lessons.exercises import kernel_runner as runners
from shadersort.lessons.exercises.shaders.compiler_words import HABITS, NEW

WORDS = {
    "faults": runners.FAULTS,
    "consequences": runners.CONSEQUENCES,
    "race": runners.RACE,
    "busy": runners.BUSY,
    "nothing": runners.NOTHING,
    "costs": runners.COSTS,
    "unwritten": runners.UNWRITTEN,
    "turns_a_key": runners.TURNS_A_KEY,
    "habits": (*runners.HABITS_OF_KERNELS, *HABITS),
    "new_name": NEW,
}
"""What a verdict says, and what it says it of."""


def as_data(exercise: Any) -> dict[str, Any]:
    """Return what JSON holds of an `Exercise`: setting, texts, rules, and all cases with results.

    Known mistakes have the CRC-32 of what they give in each case, as whole numbers of 32 bits.
    """
    runner: Any = exercise.runner
    cases = exercise.all_cases()
    launches = [(runner.launch(*each), each) for each in cases]
    return {
        "name": exercise.name,
        "told": exercise.asks,
        "text": runner.text,
        "hints": exercise.hints,
        "mistakes": [
            {
                "said": each.said,
                "hint": each.hint,
                "sums": [
                    zlib.crc32(np.asarray(each.result(case)).astype("<i4").tobytes())
                    for case in cases
                ],
            }
            for each in exercise.mistakes
        ],
        "threads": runner.setting.threads,
        "numbers": runner.setting.numbers,
        "constants": dict(runner.setting.constants),
        "unordered": runner.unordered and runner.unordered._asdict(),
        "rules": runner.rules,
        "turns": runner.turns,
        "cases": [
            {
                "keys": launch.keys.tolist(),
                "result": launch.result.tolist(),
                "blocks": launch.blocks,
                "numbers": [int(each) for each in launch.numbers],
                "limits": runner.limits(launch),
                "expected": np.asarray(exercise.specification(*case)).tolist(),
            }
            for launch, case in launches
        ],
    }


def named_exercises() -> Iterator[tuple[str, Any]]:
    """Yield every exercise with a kernel, with a name of its own."""
    for lesson in ("median", "buckets", "side_by_side", "kernel_costs"):
        for each in import_module(f"shadersort.lessons.{lesson}.exercises").EXERCISES:
            if isinstance(each.runner, runners.KernelRunner):
                yield each.name, each
    for name, each in import_module("shadersort.lessons.capstone.exercises").STATISTICS.items():
        yield name.replace(" ", "_"), each.by_kernel
