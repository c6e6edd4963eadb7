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
    swings = {v: Cells(ours, "alabi-2012-3", v, method="radix", n=MOST) for v in (OURS, PRINTED)}
    doubles = {method: _mean(ours, 4, method, MOST // 2) for method in METHODS}
    normal = {method: _mean(ours, 5, method, MOST) for method in METHODS}
    normal_doubles = {method: _mean(ours, 6, method, MOST // 2) for method in METHODS}
    printed_doubles = {
        method: _mean(ours, 4, method, MOST // 2, PRINTED).gains for method in ("radix", "bucket")
    }
    longer = {
        method: about(2 * doubles[method].over(_mean(ours, 3, method, MOST), "measured"))
        for method in ("radix", "bucket")
    }
    beside = {
        key: about(normal_doubles["radix"].over(normal_doubles["bucket"], key))
        for key in ("measured", "paper")
    }
    of_printed = [_mean(ours, 6, method, MOST // 2, PRINTED) for method in ("radix", "bucket")]
    beside_printed = about(of_printed[0].over(of_printed[1], "measured"))

    def of_normal(method: str, key: str) -> str:
        return about(normal[method].over(_mean(ours, 3, method, MOST), key))

    return [
        f"With the input preserved, radix needs {radix.share} of the paper's memory, and bucket "
        f"{bucket.share}: candidates are copied into room for {about(room)}% of the keys, and "
        "buckets are computed again instead of stored; as printed, bucket needs "
        f"{printed.ours} times the keys at worst, since the input, two copies and two arrays of "
        "bucket numbers are held at the same time.",
        f"With the most keys, sorting is {gains['sort-choose', MOST]} times faster, radix "
        f"{gains['radix', MOST]} and bucket {gains['bucket', MOST]}, as printed radix "
        f"{printed_gains['radix']} and bucket {printed_gains['bucket']}; with the fewest, where "
        "launches and waits take most of the time, sorting is "
        f"{gains['sort-choose', FEW]} times faster, radix {gains['radix', FEW]} and bucket "
        f"{gains['bucket', FEW]}; {limit}.",
        "Over the ranks, the longest time of radix for 2^29 keys is "
        f"{swings[OURS].swing('measured')} times its shortest, as printed "
        f"{swings[PRINTED].swing('measured')} times, in the paper "
        f"{swings[OURS].swing('paper')} times; ours counts only the first digits among all keys.",
        f"For 2^28 doubles, sorting is {doubles['sort-choose'].gains} times faster, radix "
        f"{doubles['radix'].gains} and bucket {doubles['bucket'].gains}, as printed radix "
        f"{printed_doubles['radix']} and bucket {printed_doubles['bucket']}; ours takes "
        f"{longer['radix']} times as long for a double as for a float by radix, and "
        f"{longer['bucket']} times by bucket.",
        f"For 2^29 normal keys, radix takes {of_normal('radix', 'measured')} times as long as for "
        f"uniform ones, and bucket {of_normal('bucket', 'measured')} times, in the paper "
        f"{of_normal('radix', 'paper')} and {of_normal('bucket', 'paper')} times.",
        f"For 2^28 normal doubles, radix takes {beside['measured']} times as long as bucket, as "
        f"printed {beside_printed} times, in the paper {beside['paper']} times; ours counts only "
        "the first digits among all keys.",
    ]


def _ratios(ours: Measured) -> list[str]:
    """Return what changed in tables VII to IX."""
    lead = Cells(ours, "alabi-2012-7", n=MOST)
    printed_lead = Cells(ours, "alabi-2012-7", PRINTED, n=MOST)
    bucket = Cells(ours, "alabi-2012-7", n=MANY, faster="bucket", dtype="float64")
    gains = [_mean(ours, 4, method, MANY).gains for method in ("sort-choose", "bucket")]
    printed_further = Cells(ours, "alabi-2012-8", PRINTED, n=1 << 27)
    further = Cells(ours, "alabi-2012-8", n=1 << 27)
    many, most = (Cells(ours, "alabi-2012-9", n=n) for n in (MANY, MOST))
    printed_many, printed_most = (Cells(ours, "alabi-2012-9", PRINTED, n=n) for n in (MANY, MOST))
    return [
        f"With 2^29 keys, selection is {lead.ours} times as fast as sorting, in the paper "
        f"{lead.papers} times, as printed {printed_lead.ours} times; with 2^23 doubles the lead of "
        f"bucket is {bucket.ours} instead of {bucket.papers}, because for uniform ones sorting is "
        f"{gains[0]} times faster and bucket only {gains[1]} times.",
        f"With 2^27 keys, the lead over sorting is {further.ours}, as printed "
        f"{printed_further.ours}, in the paper {further.papers}.",
        f"With the most keys, randomized takes {most.ours} times as long as bucket, as printed "
        f"{printed_most.ours} times, in the paper {most.papers} times, because it reads the keys "
        "fewer times; with 2^23 keys, where launches and waits take most of the time, it takes "
        f"{many.ours} times as long, as printed {printed_many.ours} times, in the paper "
        f"{many.papers} times.",
    ]
