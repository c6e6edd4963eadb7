"""The papers' adversaries, as printed beside ours: reads, times and faults, in one table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bench.claims.sources import variant_of
from bench.report.parts import Grid, Part
from bench.shared.record import Library, Record, Row
from bench.shared.versions import VARIANTS
from bench.shared.words import count_of, short

RECORD = "adversaries-nvidia-h200"
OF_BELIAKOV = "cutting-plane"

CLAIMS = (
    ("bucket-killer", "bucket", "sort-choose", "135"),
    ("bucket-killer", "bucket", "radix", "up to 395"),
    ("ones-and-twos", "bucket", "sort-choose", "up to 23"),
    ("ones-and-twos", "sort-choose", "radix", "2.1"),
    ("sorted", "sort-choose", "bucket", "up to 2"),
    ("sorted", "bucket", "radix", "4"),
    ("ones", "sort-choose", "radix", "up to 2"),
)
"""Keys, two methods, and how many times as long the first takes as the second, by the paper."""

HEADS = ("reads", "ms", "fault")

NOTES = (
    "Reads are multiples of all keys, without the proof by counts; times as printed are without "
    "it, too, and those of our versions with it.",
    "In brackets: divided by the value of the same method and variant on its usual keys, in the "
    "first row of the method.",
)


class Case(NamedTuple):
    """What a method was given: with its options, the keys, and their type."""

    method: str
    data: str
    dtype: str


def parts(records: Library) -> list[Part]:
    """Return the parts of the adversaries of Beliakov 2011 and of Alabi et al. 2012."""
    record = records[RECORD]
    planes = [row for row in record.rows if method_of(row) == OF_BELIAKOV]
    others = [row for row in record.rows if method_of(row) != OF_BELIAKOV]
    of_planes = "reads and times of the cutting plane with outliers, as printed and improved"
    of_others = "reads and times of each method on the paper's adversaries, as printed and improved"
    return [
        _part("Beliakov 2011", record, of_planes, [grid(planes)]),
        _part("Alabi et al. 2012", record, of_others, [claims(others), grid(others)]),
    ]


def method_of(row: Row) -> str:
    """Return the method of a row, from the label of what ran."""
    method, _, variant = row["label"].rpartition(", ")
    assert variant in VARIANTS, row["label"]
    return str(method)


def cases(rows: Iterable[Row]) -> dict[Case, dict[str, Row]]:
    """Return the rows of each case, by variant."""
    found: dict[Case, dict[str, Row]] = {}
    for row in rows:
        finish = f", finish {row['finish']}" if "finish" in row else ""
        case = Case(method_of(row) + finish, row["data"], row["dtype"])
        found.setdefault(case, {})[variant_of(row)] = row
    return found


def grid(rows: Sequence[Row]) -> Grid:
    """Set both variants side by side: a row for each method, keys and type."""
    head = ["method", "data", "type", *(f"{v}: {name}" for v in VARIANTS for name in HEADS)]
    lines = [
        [*case, *(text for variant in VARIANTS for text in _told(both.get(variant)))]
        for case, both in cases(rows).items()
    ]
    return Grid(head, lines, left=3)


def _told(row: Row | None) -> list[str]:
    if row is None:
        return ["–"] * len(HEADS)
    numbers = [f"{short(row[name])} ({short(row[f'{name}_ratio'])}×)" for name in ("read", "ms")]
    return [*numbers, row["fault"] or "none"]


def claims(rows: Sequence[Row]) -> Grid:
    """Set the paper's ratios of the times of two methods beside the measured ones."""
    found = cases(rows)
    lines = []
    for dtype in dict.fromkeys(case.dtype for case in found):
        for data, one, other, says in CLAIMS:
            both = [found.get(Case(method, data, dtype), {}) for method in (one, other)]
            ratios = (_over(both[0], both[1], variant) for variant in VARIANTS)
            lines.append([data, dtype, f"{one} over {other}", says, *ratios])
    return Grid(["data", "type", "ratio of times", "paper", *VARIANTS], lines, left=3)


def _over(one: Mapping[str, Row], other: Mapping[str, Row], variant: str) -> str:
    if variant not in one or variant not in other:
        return "–"
    return short(one[variant]["ms"] / other[variant]["ms"])


def _part(paper: str, record: Record, fact: str, grids: list[Grid]) -> Part:
    keys = " and ".join(dict.fromkeys(count_of(row["keys"]) for row in record.rows))
    notes = [f"Measured: {record.label}, {keys} keys, the median.", *NOTES]
    return Part(paper, "Adversaries", fact, notes=notes, grids=grids)
