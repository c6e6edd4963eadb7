"""How the claims of Govindaraju et al. 2005 on streams are checked."""

from collections.abc import Callable, Iterable, Sequence

from bench.claims.checks import Check
from bench.claims.claim import Found
from bench.claims.sources import Records, by_variant, figures, matched, of_all, ran, variant_of
from bench.shared.record import Record, Row

PRINTED, FIGURES = "streams-printed-nvidia-h200", "streams-figures-nvidia-h200"
SLIDING = "streams-sliding-frequencies-nvidia-h200"
CLAIMED = "pbsn-blend"
SPEED = "mvalues_per_s"


def _merged(records: Records, *names: str, **of: str) -> tuple[Record, list[Row]]:
    """Return the summaries' rows of several records, which ran on one device."""
    rows: list[Row] = []
    for name in names:
        record, some = records.where(name, **of)
        rows += [row for row in some if "label" in row]
    return record, rows


def _sorting(sorter: str, *workloads: str) -> Check:
    """Return a check of the share of the time that is sorting, in percent."""

    def check(records: Records) -> Found:
        found: list[Row] = []
        for workload in workloads:
            record, rows = _merged(records, PRINTED, FIGURES, workload=workload, sorter=sorter)
            found += [row for row in rows if "sort_share" in row]
        return _named(figures(record, found, lambda row: 100 * row["sort_share"]), found)

    return check


def _named(found: Found, rows: Sequence[Row]) -> Found:
    """Return what was found, with the errors of the rows beside their keys."""
    errors = sorted({row["epsilon"] for row in rows})
    ends = " to ".join(f"{each:g}" for each in dict.fromkeys([errors[0], errors[-1]]))
    return Found(found.figures, found.device, ran(rows), f"{found.of}, ε = {ends}")


def _relative(records: Records, workload: str) -> tuple[Record, list[Row]]:
    """Return the rows drawn by PBSN, each with its speed over that of the CPU beside it."""

    def of(row: Row) -> tuple[str, str, float]:
        return variant_of(row), row["data"], row["epsilon"]

    record, drawn = _merged(records, PRINTED, FIGURES, workload=workload, sorter=CLAIMED)
    _, cpu = _merged(records, PRINTED, FIGURES, workload=workload, sorter="numpy")
    speeds = {of(row): row[SPEED] for row in cpu}
    known = [row for row in drawn if of(row) in speeds]
    return record, [{**row, "over": row[SPEED] / speeds[of(row)]} for row in known]


def _quantiles(records: Records) -> Found:
    record, rows = _relative(records, "quantiles")
    return _named(figures(record, rows, "over"), rows)


def _windows(records: Records) -> Found:
    """Divide drawing's relative speed with the largest windows by that with the smallest."""
    record, rows = _relative(records, "frequencies")
    large, small = (_at_end(rows, end) for end in (min, max))
    return _named(matched(record, large, small, "over", "data"), rows)


def _at_end(rows: Sequence[Row], end: Callable[[Iterable[float]], float]) -> list[Row]:
    """Return the rows with the smallest or the largest ε of their variant."""
    errors = {
        name: end(row["epsilon"] for row in some) for name, some in by_variant(rows).items() if some
    }
    return [row for row in rows if row["epsilon"] == errors[variant_of(row)]]


def _small_blocks(records: Records) -> Found:
    """Divide the speed with small blocks on the CPU by that of the CPU alone."""
    record, rows = _merged(records, SLIDING, sorter="by-size")
    _, cpu = _merged(records, SLIDING, sorter="numpy")
    drawn = [row for row in rows if row.get("sort_share")]
    return _named(matched(record, drawn, cpu, SPEED, "data", "epsilon", "shortest"), drawn)


def _claimed(workloads: Sequence[str], over: Callable[[Sequence[Row]], float]) -> Check:
    """Return a check of one figure of all rows of `bench.claims` on some workloads."""

    def check(records: Records) -> Found:
        rows: list[Row] = []
        for workload in workloads:
            record, some = records.measured(workload)
            rows += some
        return _named(of_all(record, rows, over), rows)

    return check


def _worst(rows: Sequence[Row]) -> float:
    """Return the largest error; a negative one, of a count that is too high, comes first."""
    least = min(float(row.get("least", 0.0)) for row in rows)
    return least if least < 0 else max(float(row["worst"]) for row in rows)


def _space(rows: Sequence[Row]) -> float:
    return max(float(row["entries"] / row["bound"]) for row in rows)


def _of_window(rows: Sequence[Row]) -> float:
    return max(float(row["entries"] / row["window"]) for row in rows)


def _missed(rows: Sequence[Row]) -> float:
    return float(sum(row["missed"] for row in rows))


STREAMS: dict[str, Check] = {
    "sorting-on-the-cpu": _sorting("numpy", "frequencies", "quantiles"),
    "sorting-in-frequencies": _sorting(CLAIMED, "frequencies"),
    "sorting-in-quantiles": _sorting(CLAIMED, "quantiles"),
    "gpu-needs-large-windows": _windows,
    "quantiles-by-drawing": _quantiles,
    "undercount": _claimed(["frequencies"], _worst),
    "no-false-negatives": _claimed(["frequencies"], _missed),
    "space-of-frequencies": _claimed(["frequencies"], _space),
    "rank-error": _claimed(["quantiles"], _worst),
    "sliding-error": _claimed(["sliding-frequencies", "sliding-quantiles"], _worst),
    "sliding-memory": _claimed(["sliding-frequencies", "sliding-quantiles"], _of_window),
    "small-blocks-to-the-cpu": _small_blocks,
    "all-heavy-prefixes": _claimed(["prefixes"], _missed),
}
"""The check of each claim on streams that can be measured."""
