"""The costs of the parts of a sort on the card of 2005, and on better cards."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from shadersort.drawing.compile import build
from shadersort.drawing.cost.estimate import estimate
from shadersort.drawing.cost.profiles import PROFILES, Profile, Quantity
from shadersort.drawing.networks import network
from shadersort.drawing.passes import texture_size
from shadersort.drawing.program import Program
from shadersort.palette import BROWN, GREY, TEAL, VIOLET

CARD = PROFILES["geforce-6800-ultra"]

BASE = 1 << 23
"""Eight million keys: the largest sort in the paper's figures 3 and 4."""

HALF = 2
"""The bytes of a 16-bit key."""

CAUSES = {"blending": VIOLET, "copying": TEAL, "setup": GREY, "bus": BROWN}
"""The parts of a sort's time, with their colours.

Arithmetic has the colour of blending, and memory that of copying."""


def program_of(n: int) -> Program:
    """Return the passes that sort n keys, a power of two from 4, as the paper did."""
    return build(network("pbsn", n // 4), *texture_size(n // 4), "blend")


def causes(n: int, card: Profile = CARD) -> dict[str, float]:
    """Return the seconds of each of `CAUSES` in a sort of n keys."""
    cost = estimate(n, profile=card)
    blended = sum(each.texels for each in program_of(n).passes if each.blend)
    blending = blended * card.cycles_per_blend.float16.value / card.texel_rate
    setup = cost.passes * card.setup_time.value
    return {
        "blending": blending,
        "copying": cost.gpu_seconds - setup - blending,
        "setup": setup,
        "bus": cost.transfer_seconds,
    }


def step_cycles(channels: int, card: Profile = CARD) -> float:
    """Return the cycles of a step for one texel: a blend and a copy, each by its slower part.

    A blend moves a texel three times, a copy twice.
    """
    parts = ((card.cycles_per_blend, 3), (card.cycles_per_copy, 2))
    moved = channels * HALF / card.bytes_per_cycle
    return sum(max(cycles.of("float16"), times * moved) for cycles, times in parts)


def quicksort_seconds(n: Any) -> Any:
    """Return an estimate of a quicksort's seconds on the paper's 3.4 GHz Pentium 4.

    Random keys take about 1.39 n log2 n comparisons. Each counts 17 cycles, the least cost of a
    wrongly predicted branch (section 3.2): half of the branches are predicted wrongly, and the
    other half of the cycles is for loading, comparing and swapping.
    """
    return 1.39 * n * np.log2(n) * 17 / 3.4e9


UPGRADES: Mapping[str, tuple[str, float]] = {
    "bus": ("upload_bandwidth readback_bandwidth", 2),
    "memory": ("memory_bandwidth", 2),
    "pipelines": ("fragment_pipelines", 2),
    "clock": ("core_clock", 2),
    "setup": ("setup_time", 0.5),
}
"""Better cards: the figures of the data sheet that are multiplied, and the factor."""


def faster(upgrade: str, card: Profile = CARD) -> Profile:
    """Return a card that is twice as good in one respect, one of `UPGRADES`."""
    names, factor = UPGRADES[upgrade]
    better: dict[str, Any] = {}
    for name in names.split():
        old: Quantity = getattr(card, name)
        better[name] = replace(old, value=old.value * factor, source="a better card")
    return replace(card, **better)


def scaled_seconds(seconds: float, base: int, sizes: Any) -> Any:
    """Return the seconds that sorts of other sizes take if only the work counts."""
    return seconds * sizes / base * (np.log2(sizes / 4) / np.log2(base / 4)) ** 2
