"""Lesson 6: the numbers of its text, from records."""

from itertools import product

from shadersort.drawing.cost.estimate import estimate
from shadersort.drawing.networks import NETWORKS
from shadersort.lessons.ladder.rates import BLENDING, CHIP, WRITING, predicted, write_rate
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.selecting import reads_of

LADDER = record("ladder-nvidia-h200")
MODERN = record("modern-nvidia-h200")
MS = {(row["network"], row["method"]): row["program_ms"] for row in LADDER.rows}
PAPER = MS["pbsn", "blend"]
DRAWN = list(product(NETWORKS, ("blend", "fragment", "fused")))
TFLOPS = {row["stage"]: row["tflops"] for row in CHIP.where(work="arithmetic")}
(HALVES,) = record("sort-nvidia-h200").where(
    keys=1 << 23, dtype="float16", network="pbsn", method="blend"
)
THEN = 1e3 * estimate(1 << 23).gpu_seconds
WORST = max(MS[way] / predicted(*way) for way in DRAWN)

NUMBERS = {
    "range": f"{PAPER / MS['', 'cupy.sort']:,.0f}",
    "paper_seconds": f"{PAPER / 1e3:.2f}",
    "seconds_2005": f"{THEN / 1e3:.2f}",
    "halves_faster": f"{THEN / HALVES['program_ms']:.1f}",
    "flops_ratio": f"{TFLOPS['compute'] * 1e12 / 45e9:,.0f}",
    "blend_over_fragment": f"{MS['bitonic', 'blend'] / MS['bitonic', 'fragment']:.1f}",
    "writing": f"{WRITING:.1f}",
    "arithmetic": f"{TFLOPS['compute'] / TFLOPS['fragment']:.0f}",
    "stored": f"{write_rate('compute') / WRITING:.0f}",
    "blended_slower": f"{WRITING / BLENDING:.1f}",
    "span": f"{PAPER / min(MS[way] for way in DRAWN):.0f}",
    "worst": f"{WORST - 1:.0%}",
    "halves_written": f"{write_rate('fragment', 'f2') / WRITING:.1f}",
    "compute_pbsn": f"{PAPER / MS['pbsn', 'compute']:.0f}",
    "compute_bitonic": f"{PAPER / MS['bitonic', 'compute']:.0f}",
    "sort_reads": f"{reads_of(MODERN, 'sort'):.0f}",
    "median_reads": f"{reads_of(MODERN, 'randomized'):.1f}",
}
"""Each number by its name in the text."""
