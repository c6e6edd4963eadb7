"""Lesson 10: the numbers of its text, from a paper's table and records."""

from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.selecting import then_and_now

(_, SORT_THEN, SORT_NOW), (N, CUTS_THEN, CUTS_NOW) = (
    then_and_now(record("reproduce-nvidia-h200"), "beliakov-2011-1", method, part="total")[-1]
    for method in ("sort-choose", "cutting-plane")
)

NUMBERS = {
    "keys": f"{N / 1e6:.0f} million",
    "sort_then": f"{SORT_THEN:.0f}",
    "sort_now": f"{SORT_NOW:.1f}",
    "cuts_then": f"{CUTS_THEN:.0f}",
    "cuts_now": f"{CUTS_NOW:.1f}",
    "sort_faster": f"{SORT_THEN / SORT_NOW:.0f}",
    "cuts_faster": f"{CUTS_THEN / CUTS_NOW:.0f}",
}
"""Each number by its name in the text."""
