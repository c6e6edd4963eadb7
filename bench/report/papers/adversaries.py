"""The papers' adversaries, as printed beside ours: reads, times and faults, in one table."""

from collections.abc import Sequence

from bench.report.parts import Grid, Part
from bench.shared.record import Row
from bench.shared.versions import VARIANTS
from bench.shared.words import count_of, short
from bench.sources import Sources

RECORD = "adversaries-nvidia-h200"
OF_ALABI = ("bucket", "radix", "randomized", "sort-choose")
"""Methods of Alabi et al. 2012; the others are of Beliakov 2011."""

HEADS = ("reads", "ms", "fault")

NOTES = (
    "Reads are multiples of all keys, without the proof by counts; times as printed are without "
    "it, too, and those of our versions with it.",
    "In brackets: divided by the value of the same method and variant on its usual keys, in the "
    "first row of the method.",
)


def parts(sources: Sources) -> list[Part]:
    """Return the parts of the adversaries of Beliakov 2011 and of Alabi et al. 2012."""
    rows = sources.rows(RECORD)
    searches = [row for row in rows if row["method"] not in OF_ALABI]
    others = [row for row in rows if row["method"] in OF_ALABI]
    return [
        _part("Beliakov 2011", "searches with outliers", searches),
        _part("Alabi et al. 2012", "each method on the paper's adversaries", others),
    ]


def _part(paper: str, of: str, rows: Sequence[Row]) -> Part:
    """Set both variants side by side: a row for each method, keys and type."""
    keys = " and ".join(dict.fromkeys(count_of(row["keys"]) for row in rows))
    notes = [f"Measured: {rows[0]['record']}, {keys} keys, the median.", *NOTES]
    fact = f"reads and times of {of}, as printed and improved"
    cases: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        finish = f", finish {row['finish']}" if "finish" in row else ""
        case = row["method"] + finish, row["data"], row["dtype"]
        cases.setdefault(case, {})[row["variant"]] = row
    head = ["method", "data", "type", *(f"{v}: {name}" for v in VARIANTS for name in HEADS)]
    lines = [
        [*case, *(text for variant in VARIANTS for text in _told(both.get(variant)))]
        for case, both in cases.items()
    ]
    grids = [Grid(head, lines, left=3)]
    return Part(paper, "Adversaries", fact, notes=notes, grids=grids)


def _told(row: Row | None) -> list[str]:
    if row is None:
        return ["–"] * len(HEADS)
    numbers = [f"{short(row[name])} ({short(row[f'{name}_ratio'])}×)" for name in ("read", "ms")]
    return [*numbers, row["fault"] or "none"]
