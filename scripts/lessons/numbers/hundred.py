"""Lesson 12: the numbers of its text, from a paper's table and records."""

from shadersort.lessons.hundred.times import recorded_times
from shadersort.lessons.shared.records import record

PAPER, NOW = recorded_times(record("reproduce-nvidia-h200"))


def growth(times: dict[tuple[str, int], float]) -> str:
    """Return how much more 101 ranks take than 5."""
    return f"{times['bucket-multi', 101] / times['bucket-multi', 5] - 1:.0%}"


def gain(times: dict[tuple[str, int], float]) -> str:
    """Return how many times faster buckets find 101 ranks than sorting does."""
    return f"{times['sort-choose', 101] / times['bucket-multi', 101]:.1f}"


NUMBERS = {
    "growth_then": growth(PAPER),
    "growth_now": growth(NOW),
    "gain_then": gain(PAPER),
    "gain_now": gain(NOW),
}
"""Each number by its name in the text."""
