"""Lesson 5: the numbers of its text, computed by the cost model."""

from shadersort.drawing.cost.estimate import estimate
from shadersort.lessons.cost.prices import BASE, program_of

OURS = estimate(BASE)
ONE_KEY, FOUR_KEYS = (
    estimate(texels, network="bitonic", method="fragment", precision="float16").seconds
    for texels in (4 * BASE, BASE)
)
"""Seconds of the earlier bitonic sort, with one key and with four keys in a texel."""

NUMBERS = {
    "texels": f"{program_of(1 << 14).texels / 1e6:.2f} million",
    "seconds": f"{OURS.seconds:.1f}",
    "bus_share": f"{OURS.transfer_seconds / OURS.seconds:.0%}",
    "bitonic_least": f"{FOUR_KEYS / OURS.seconds:.0f}",
    "bitonic_most": f"{ONE_KEY / OURS.seconds:.0f}",
}
"""Each number by its name in the text."""
