"""Whether labels, units and verdicts are those of what ran: what `bench.report --check` compares.

Each fault is a line. A label is compared with the fields beside it (method, variant, network,
sorter, type), a unit with the paper's, and the steps of a search as printed with its paper's. No
part of a time is longer than the whole. No verdict compares a thing with itself on equal keys, or
rests on a CPU's method that is slower than NumPy's own function, or on a record of changed code.
"""

import re
from collections.abc import Iterator, Mapping

from bench.claims.claim import PAPERS, Outcome
from bench.claims.outcomes import outcomes
from bench.papers import TABLES, load
from bench.shared.record import Row
from bench.sources import IMPROVED, PRINTED, Sources, strip_variant
from shadersort.selection import METHODS

SEARCHES = ("bisection", "golden", "brent-root", "brent-min", "quasi-newton")
STEPS = {
    *("", "extent", "halve", "section", "interpolate", "parabola", "step", "log total"),
    *("nearest", "by tolerance"),
}
"""Searches of Beliakov 2011, and what they do as printed: they copy and sort nothing."""

SORTERS = {"numpy": "NumPy", "numpy-1": "NumPy", "pbsn-blend": "pbsn, blend", "cuda": "CUDA"}
"""How the labels of sorters begin, by their names in records."""

SAME = (
    *("label", "data", "dtype", "n", "epsilon", "shortest", "share", "ranks", "count", "part"),
    *("what", "order", "parts", "p", "buckets", "stage", "statistic", "about", "rank", "finish"),
)
"""Two rows that agree in all of these are of the same code on the same keys."""

SLOW_ON_CPU = "quickselect"
"""A method that runs on the CPU beside a GPU's, where NumPy has a faster function."""


def faults(sources: Sources) -> list[str]:
    """Return all faults, in words."""
    found = [outcome for paper in PAPERS for outcome in outcomes(paper, sources)]
    told = [*_table_faults(sources), *(fault for each in found for fault in outcome_faults(each))]
    return list(dict.fromkeys(told))


def _table_faults(sources: Sources) -> Iterator[str]:
    """Yield the faults of the papers' tables."""
    for name in TABLES:
        units = {str(cell.of): cell.unit for cell in load(name).cells()}
        wholes: dict[str, float] = {}
        for row in sources.rows(name):
            of, ms = row["of"], row["measured"]
            where = f"{name}, {', '.join(map(str, of.values()))}, {row['variant']}"
            if ms is None:
                continue
            yield from (f"{where}: {fault}" for fault in row_faults(row))
            if row["unit"] != units.get(str(of), row["unit"]):
                yield f"{where}: {row['unit']}, where the paper has {units[str(of)]}"
            key = str((of.get("method"), of.get("n"), row["variant"]))
            if of.get("part") == "total":
                wholes[key] = ms
            elif "part" in of and ms > wholes.get(key, ms):
                yield f"{where}: a part of {ms:.4g} ms of {wholes[key]:.4g} ms"


def row_faults(row: Row) -> Iterator[str]:
    """Yield the faults of a row: its label beside its fields, and its steps."""
    label = str(row.get("label") or "")
    if not label:
        yield "no label"
        return
    expected = [
        *_expected_names(row),
        *([row["dtype"]] if {"network", "sorter"} & row.keys() else []),
    ]
    if missing := [name for name in expected if name not in label]:
        yield f"{label!r} is not {', '.join(missing)}"
    other = {PRINTED: IMPROVED, IMPROVED: PRINTED}.get(row["variant"])
    if other and other in label:
        yield f"{label!r} is not {row['variant']}"
    steps = set(re.split("[,;] ", str(row.get("how") or ""))) - STEPS
    if row.get("method") in SEARCHES and row["variant"] == PRINTED and steps:
        yield f"{label!r} has the steps {', '.join(sorted(steps))}"


def _expected_names(row: Row) -> Iterator[str]:
    """Yield what a label has to name."""
    method = str(row.get("faster") or row.get("method"))
    method = {"bucket-multi": "bucket"}.get(method, method)
    if method in METHODS and not row["label"].startswith(("copy", "sort in place", "np.")):
        yield method
    if "network" in row and row.get("share", 0) == 0:
        yield from (row["network"], method, str(row["record"]).rpartition(", ")[0])
    if row.get("sorter") in SORTERS:
        yield SORTERS[row["sorter"]]


def outcome_faults(outcome: Outcome) -> Iterator[str]:
    """Yield the faults of a verdict."""
    claim, found = outcome.claim, outcome.found
    if found is None or not found.sides:
        return
    name = f"{claim.paper}, {claim.name}"
    quotient = any(below for _, below in found.sides)
    if quotient and claim.unit not in ("×", "%", "", "ms"):
        yield f"{name}: a quotient has no unit {claim.unit}"
    rows = [row for pair in found.sides for side in pair for row in side]
    told = (fault for row in rows if "what" not in row for fault in row_faults(row))
    yield from (f"{name}: {fault}" for fault in dict.fromkeys(told))
    slow = {str(row["label"]) for row in rows if _method(row) == SLOW_ON_CPU and _on_cpu(row)}
    yield from (f"{name}: {each} is slower than NumPy's own function" for each in slow)
    for above, below in found.sides:
        keys, same = {_identity(row) for row in below}, {id(row) for row in below}
        twice = {
            row.get("label") for row in above if _identity(row) in keys and id(row) not in same
        }
        yield from (f"{name}: both sides are {each}, on the same keys" for each in twice)
    yield from (f"{row['source']}: the code was changed" for row in rows if row["dirty"])


def _identity(row: Mapping[str, object]) -> str:
    return str([row.get(name) for name in SAME])


def _method(row: Row) -> str:
    return str(row.get("method") or strip_variant(str(row.get("label"))))


def _on_cpu(row: Row) -> bool:
    """Return whether a row of quickselect is of the CPU beside a GPU, and of no library."""
    hosted = "table" in row or row.get("on") == "host"
    return hosted and row["variant"] == IMPROVED and not row["label"].startswith("copy")
