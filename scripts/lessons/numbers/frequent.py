"""Lesson 8: the numbers of its text, from records."""

from shadersort.lessons.shared.records import record
from shadersort.streams import FrequencySummary

SHARES = {
    row["epsilon"]: row["sort_share"]
    for row in record("streams-frequencies-numpy").where(workload="frequencies", data="uniform")
}

NUMBERS = {
    "least_sorting": f"{min(SHARES.values()):.0%}",
    "most_sorting": f"{SHARES[min(SHARES)]:.0%}",
    "longest_window": f"{FrequencySummary(min(SHARES)).window:,}",
}
"""Each number by its name in the text."""
