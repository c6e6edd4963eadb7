"""The tables of Blanchard et al. 2015."""

from collections.abc import Sequence
from typing import Any

from bench.report.parts import Part
from bench.report.tables import OURS, PRINTED, Cells, Measured, memory, table_part
from bench.shared.words import about
from shadersort.names import Variant


def parts(records: Sequence[Measured]) -> list[Part]:
    """Return the tables."""
    return [
        table_part(f"blanchard-2015-{number}", records, changed)
        for number, changed in enumerate(_changes(records[0]), start=1)
    ]


def _changes(ours: Measured) -> list[str]:
    """Return what changed in the tables."""

    def cells(number: int, variant: Variant = OURS, **of: Any) -> Cells:
        return Cells(ours, f"blanchard-2015-{number}", variant, **of)

    limit = memory(ours, "blanchard-2015-5")
    most = min(cells(1, n=1 << 28).values("measured"))
    crossover, as_printed = cells(1, n=1 << 25), cells(1, PRINTED, n=1 << 25)
    for each in (crossover, as_printed):
        each.lines = [line for line in each.lines if line.of["dtype"] != "float64"]
    faster, printed = (cells(2, variant, phase="assign") for variant in (OURS, PRINTED))
    faster.lines += cells(2, phase="reduce").lines
    printed.lines += cells(2, PRINTED, phase="reduce").lines
    readings, sorting = (
        cells(4, faster="bucket-multi"),
        cells(5, PRINTED, method="sort-choose", n=1 << 28),
    )
    printed_readings = cells(4, PRINTED, faster="bucket-multi")
    identifying = cells(2, PRINTED, phase="identify-active")
    selecting = cells(5, PRINTED, method="bucket-multi", n=1 << 28)
    kept = 100 * (cells(3, term="n", dtype="float32").values("measured")[0] - 1)
    lead = cells(5, n=1 << 28, faster="bucket-multi")
    doubles = cells(5, n=1 << 28, faster="bucket-multi", dtype="float64").share
    lead.lines = [line for line in lead.lines if line.of["dtype"] != "float64"]
    few: dict[str, Any] = {"n": 1 << 24, "faster": "bucket-multi"}
    return [
        f"With the most keys even {most:,.0f} ranks, as many as were tried, are found sooner than "
        f"the keys are sorted; with 2^25 keys of 32 bits the limit is {crossover.ours} ranks, in "
        f"the paper {crossover.papers}; ours finds more than 1,024 ranks in two steps; as printed "
        f"the limit is {as_printed.ours} ranks, because sorting has gained more since the paper "
        "than selecting as printed (table V).",
        f"Assigning and reducing are {faster.gains} times faster, as printed {printed.gains} "
        f"times; identifying the active buckets takes {cells(2, phase='identify-active').share} "
        f"times as long as in the paper, as printed {identifying.share} times; ours does not ask "
        "for the extremes, so its initialization takes no time.",
        f"Only the active buckets are kept, in room for {about(kept)}% of the keys, and ours has "
        "no array of bucket numbers beside the keys; for the worst case the Bucket Killer was "
        "measured, which buckets from a sample divide well, so it is not the paper's worst case.",
        f"Sorting is {cells(4, method='sort-choose').gains} times faster and selecting "
        f"{cells(4, method='bucket-multi').gains} times, so selecting is {readings.ours} times as "
        f"fast as sorting, as printed {printed_readings.ours} times, in the paper "
        f"{readings.papers} times; the readings are made up, as many and as tied as the paper's.",
        f"The lead over sorting is {lead.share} times what it was for 2^28 32-bit keys and "
        f"{doubles} times for doubles: ours does not write down the bucket of each key; for 2^24 "
        f"keys it is {cells(5, distribution='cauchy', **few).share} times "
        f"for Cauchy's keys and {cells(5, dtype='float64', **few).share} times for doubles; as "
        f"printed, selecting from 2^28 keys is {selecting.gains} times as fast as in the paper, "
        f"sorting {sorting.gains} times; {limit}.",
    ]
