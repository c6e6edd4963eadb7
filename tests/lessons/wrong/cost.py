from typing import Any

import numpy as np

from tests.lessons.wrong import Answers

RATE = 16 * 400e6


def both_after_each_other(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * (cycles_each + bytes_each / 5.5) / RATE


def the_faster_one(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * min(cycles_each, bytes_each / 5.5) / RATE


def one_pipeline(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * max(cycles_each, bytes_each / 5.5) / 400e6


def setup_for_each_texel(texels: int, bytes_each: float, cycles_each: float) -> float:
    return texels * (5e-6 + max(cycles_each, bytes_each / 5.5) / RATE)


def eighty_eight_for_each(texels: int, bytes_each: float, cycles_each: float) -> float:
    return 5e-6 + texels * max(cycles_each, bytes_each / 88) / RATE


def stages_without_steps(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base * np.log2(sizes / 4) / np.log2(base / 4)


def one_channel(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base * (np.log2(sizes) / np.log2(base)) ** 2


WRONG: Answers = {
    "pass_seconds": [
        *(both_after_each_other, the_faster_one, one_pipeline, setup_for_each_texel),
        eighty_eight_for_each,
        # without setup
        lambda texels, bytes_each, cycles_each: texels * max(cycles_each, bytes_each / 5.5) / RATE,
        # arithmetic alone
        lambda texels, bytes_each, cycles_each: 5e-6 + texels * cycles_each / RATE,
    ],
    "scaled": [
        *(stages_without_steps, one_channel),
        lambda seconds, base, sizes: seconds * sizes / base,  # in proportion
        # as quicksort grows
        lambda seconds, base, sizes: seconds * sizes / base * np.log2(sizes) / np.log2(base),
        # passes alone
        lambda seconds, base, sizes: seconds * (np.log2(sizes / 4) / np.log2(base / 4)) ** 2,
    ],
}
