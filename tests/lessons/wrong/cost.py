from collections.abc import Callable
from typing import Any

import numpy as np

Answers = dict[str, list[Callable[..., Any]]]

RATE = 16 * 400e6


def without_setup(texels: int, bytes_each: float, cycles_each: float) -> float:
    return texels * max(cycles_each, bytes_each / 5.5) / RATE


def both_after_each_other(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * (cycles_each + bytes_each / 5.5) / RATE


def arithmetic_alone(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * cycles_each / RATE


def the_faster_one(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * min(cycles_each, bytes_each / 5.5) / RATE


def one_pipeline(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * max(cycles_each, bytes_each / 5.5) / 400e6


def setup_for_each_texel(texels: int, bytes_each: float, cycles_each: float) -> float:
    return texels * (5e-6 + max(cycles_each, bytes_each / 5.5) / RATE)


def eighty_eight_for_each(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * max(cycles_each, bytes_each / 88) / RATE


def in_proportion(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base


def as_quicksort_grows(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base * np.log2(sizes) / np.log2(base)


def stages_without_steps(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base * np.log2(sizes / 4) / np.log2(base / 4)


def one_channel(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base * (np.log2(sizes) / np.log2(base)) ** 2


def passes_alone(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * (np.log2(sizes / 4) / np.log2(base / 4)) ** 2


WRONG: Answers = {
    "pass_seconds": [
        without_setup,
        both_after_each_other,
        arithmetic_alone,
        the_faster_one,
        one_pipeline,
        setup_for_each_texel,
        eighty_eight_for_each,
    ],
    "scaled": [
        in_proportion,
        as_quicksort_grows,
        stages_without_steps,
        one_channel,
        passes_alone,
    ],
}
