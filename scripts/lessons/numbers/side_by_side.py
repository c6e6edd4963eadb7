"""Lesson 13: the numbers of its text, from records."""

from shadersort.lessons.shared.records import record

STEPS = record("steps-nvidia-h200")
MS = {(row["step"], row["by"], row["keys"]): row["ms"] for row in STEPS.rows}
FEWEST, MOST = min(row["keys"] for row in STEPS.rows), max(row["keys"] for row in STEPS.rows)
SHORT = ("counts", "nearest", "extent")
SHEET = 4.8
"""10¹² bytes a second that the memory moves at most, by NVIDIA's data sheet of the H200."""
READ = 4 * MOST / MS["counts", "CUDA", MOST] / 1e9
"""10¹² bytes a second that the counting kernel reads."""


def ratios(keys: int, *steps: str) -> list[float]:
    """Return how many times longer drawing takes than CUDA, in order."""
    return sorted(MS[step, "GLSL", keys] / MS[step, "CUDA", keys] for step in steps)


FEW, MANY = (ratios(keys, *SHORT) for keys in (FEWEST, MOST))

NUMBERS = {
    "call_us": f"{1e3 * min(MS[step, 'CUDA', FEWEST] for step in SHORT):.0f}",
    "few_least": f"{FEW[0]:.0f}",
    "few_most": f"{FEW[-1]:.0f}",
    "histogram_us": f"{1e3 * MS['histogram', 'CUDA', FEWEST]:.0f}",
    "histogram_ratio": f"{ratios(FEWEST, 'histogram')[0]:,.0f}",
    "read": f"{READ:.1f}",
    "sheet": f"{SHEET}",
    "limit": f"{SHEET / READ:.1f}",
    "many_least": f"{MANY[0]:.0f}",
    "many_most": f"{MANY[-1]:.0f}",
}
"""Each number by its name in the text."""
