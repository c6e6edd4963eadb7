"""The tables of Alabi et al. 2012."""

from collections.abc import Sequence
from typing import Any

from bench.report.parts import Part
from bench.report.tables import OURS, PRINTED, Cells, Measured, memory, table_part
from bench.shared.words import about
from shadersort.names import Variant

PAPER = "Alabi et al. 2012"
FEW, MANY, MOST = 1 << 17, 1 << 23, 1 << 29
METHODS = ("sort-choose", "radix", "bucket")

TIMES = {
    ("uint32", "uniform"): "alabi-2012-2",
    ("float32", "uniform"): "alabi-2012-3",
    ("float64", "uniform"): "alabi-2012-4",
    ("float32", "normal"): "alabi-2012-5",
    ("float64", "normal"): "alabi-2012-6",
}
"""Tables by type and distribution."""


def parts(records: Sequence[Measured]) -> list[Part]:
    """Return the tables."""
    tables = [*_tables(records[0]), *_ratios(records[0])]
    return [
        table_part(f"alabi-2012-{number}", records, changed)
        for number, changed in enumerate(tables, start=1)
    ]


def _mean(ours: Measured, number: int, method: str, n: int, variant: Variant = OURS) -> Cells:
    of: dict[str, Any] = {"method": method, "n": n, "statistic": "mean"}
    return Cells(ours, f"alabi-2012-{number}", variant, **of)


def _tables(ours: Measured) -> list[str]:
    """Return what changed in tables I to VI: memory and times."""
    limit = memory(ours, "alabi-2012-2")
    kept: dict[str, Any] = {"input": "preserved"}
    radix, bucket = (
        Cells(ours, "alabi-2012-1", method=each, **kept) for each in ("radix", "bucket")
    )
    printed = Cells(ours, "alabi-2012-1", PRINTED, method="bucket", case="worst", **kept)
    room = 100 * (radix.values("measured")[0] - 1)
    gains = {
        (method, n): _mean(ours, 2, method, n).gains for method in METHODS for n in (FEW, MOST)
    }
    printed_gains = {
        method: _mean(ours, 2, method, MOST, PRINTED).gains for method in ("radix", "bucket")
    }
    over_ranks = Cells(ours, "alabi-2012-3", method="radix", n=MOST)
    doubles = {method: _mean(ours, 4, method, MOST // 2) for method in METHODS}
    normal = {method: _mean(ours, 5, method, MOST) for method in METHODS}
    normal_doubles = {method: _mean(ours, 6, method, MOST // 2) for method in METHODS}
    longer = 2 * doubles["radix"].over(_mean(ours, 3, "radix", MOST), "measured")
    beside = {
        key: about(normal_doubles["radix"].over(normal_doubles["bucket"], key))
        for key in ("measured", "paper")
    }
    return [
        f"Radix needs {radix.share} of the paper's memory, and bucket {bucket.share}: candidates "
        f"are copied into room for {about(room)}% of the keys, and there is no array of bucket "
        "numbers, because to compute a bucket again is cheaper than to store it; as printed, "
        f"bucket needs {printed.ours} at worst, since its kernels here keep the input, the "
        "numbers and two copies at the same time.",
        f"With the most keys, sorting is {gains['sort-choose', MOST]} times faster, radix "
        f"{gains['radix', MOST]} and bucket {gains['bucket', MOST]}, as printed radix "
        f"{printed_gains['radix']} and bucket {printed_gains['bucket']}; with the fewest, sorting "
        f"is {gains['sort-choose', FEW]} times faster, radix {gains['radix', FEW]} and bucket "
        f"{gains['bucket', FEW]}, because {limit}, while the fixed cost of a call has fallen "
        "less.",
        "Radix depends less on the rank: for 2^29 keys its longest time is "
        f"{over_ranks.swing('measured')} times its shortest, that of the paper's "
        f"{over_ranks.swing('paper')} times, because only the first digits are counted among all "
        "keys.",
        f"Radix gains most: for 2^28 doubles it takes {doubles['radix'].ours} ms and bucket "
        f"{doubles['bucket'].ours} ms, because only the first digits are counted among all keys, "
        f"whatever the length of a key; for a double it takes {about(longer)} times as long as "
        "for a float.",
        "Normal keys cost as much as uniform ones; for 2^29 keys radix takes "
        f"{normal['radix'].ours} ms and bucket {normal['bucket'].ours} ms, because both read the "
        f"keys about equally often, and {limit}.",
        "Radix has nearly caught up with bucket on doubles: it takes "
        f"{beside['measured']} times as long, the paper's {beside['paper']} times, because the "
        "paper's counted more of its digits among all keys.",
    ]


def _ratios(ours: Measured) -> list[str]:
    """Return what changed in tables VII to IX."""
    lead = Cells(ours, "alabi-2012-7", n=MOST)
    bucket = Cells(ours, "alabi-2012-7", n=MANY, faster="bucket", dtype="float64")
    further = Cells(ours, "alabi-2012-8", n=1 << 27)
    many, most = (Cells(ours, "alabi-2012-9", n=n) for n in (MANY, MOST))
    printed_many = Cells(ours, "alabi-2012-9", PRINTED, n=MANY)
    return [
        f"With 2^29 keys, selection is {lead.ours} times as fast as sorting, in the paper "
        f"{lead.papers} times, because it reads less than it did; with 2^23, which are few keys "
        f"for a newer card, the lead of bucket on doubles is {bucket.ours} instead of "
        f"{bucket.papers}, because sorting doubles has gained more than sorting floats, and bucket "
        "less.",
        f"With 2^27 keys, the lead over sorting is {further.ours} instead of {further.papers}, and "
        "depends little on the distribution, because buckets that divide badly are followed by "
        "buckets of equally many codes, and few digits are counted among all keys.",
        f"With the most keys, randomized takes {most.ours} times as long as bucket, in the paper "
        f"{most.papers} times, because its bracket leaves few candidates after one pass, and a "
        "card that memory limits pays for passes; with 2^23 keys it takes "
        f"{many.ours} times as long, in the paper {many.papers} times, and as printed "
        f"{printed_many.ours} times, since launches and waits count for more where there are few "
        "keys, and as printed it needs more of them.",
    ]
