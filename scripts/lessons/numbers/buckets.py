"""Lesson 11: the numbers of its text, from papers' tables and records."""

from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.selecting import reads_of, then_and_now

AGAIN, MODERN = record("reproduce-nvidia-h200"), record("modern-nvidia-h200")
(_, RADIX_THEN, RADIX_NOW), (_, BUCKET_THEN, BUCKET_NOW) = (
    then_and_now(AGAIN, "alabi-2012-3", method, statistic="mean")[-1]
    for method in ("radix", "bucket")
)
DICE = {
    row["n"]: row
    for row in AGAIN.where(table="alabi-2012-9")
    if row["of"]["distribution"] == "uniform" and row["of"]["dtype"] == "float32"
}
KILLER = reads_of(MODERN, "bucket", "bucket-killer")

NUMBERS = {
    "then": f"{RADIX_THEN / BUCKET_THEN:.1f}",
    "now": f"{RADIX_NOW / BUCKET_NOW:.2f}",
    "killer": f"{KILLER / reads_of(MODERN, 'bucket'):.1f}",
    "killer_sort": f"{reads_of(MODERN, 'sort', 'bucket-killer') / KILLER:.1f}",
    "twos": f"{reads_of(MODERN, 'radix', 'ones-and-twos'):.1f}",
    "uniform": f"{reads_of(MODERN, 'radix'):.1f}",
    "dice_then_few": f"{DICE[1 << 17]['paper']:.1f}",
    "dice_now_some": f"{DICE[1 << 23]['measured']:.1f}",
    "dice_reads": f"{reads_of(MODERN, 'randomized'):.1f}",
}
"""Each number by its name in the text."""
