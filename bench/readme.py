"""Writes the measured figures of the README and of pages of the docs, from the records.

    python -m bench.readme

They stand in sections between `<!-- records: NAME -->` and `<!-- end -->`. A test fails if a
section is not what the records say.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.counters_table import of_counters
from bench.launches_table import of_launches
from bench.numpy_tests.reasons import REASONS
from bench.rows_table import in_words, of_data, of_shapes
from bench.shared.options import Options, command
from bench.shared.record import Record, Row, load
from bench.shared.words import about, count_of, three
from bench.sketches.contestant import AT_ONCE, BY_HISTOGRAM, BY_VALUE, IN_PARTS
from bench.sketches.table import sizes, tables
from bench.table import markdown
from shadersort.drawing.memory_bandwidths import memory_bandwidth

README = Path(__file__).parents[1] / "README.md"
DOCS = README.parent / "docs"
PAGES = (
    README,
    *(
        DOCS / f"{name}.md"
        for name in ("algorithms", "selection-calls", "sketches", "small-summaries")
    ),
)
SECTION = re.compile(r"(<!-- records: (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


@command(__doc__)
def main(options: Options) -> None:
    """Write the sections."""
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


def written(text: str) -> str:
    """Return a text with its sections as the records have them."""

    def section(found: re.Match[str]) -> str:
        lines = "\n".join(SECTIONS[found[2]]())
        return f"{found[1]}\n{lines}\n\n{found[3]}"

    return SECTION.sub(section, text)


def _table(*rows: tuple[str, ...]) -> Iterator[str]:
    """Yield a table of Markdown; the first row is its head."""
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    yield from (head, "|---|" + "--:|" * (len(rows[0]) - 1), *others)


def _ladder() -> Iterator[str]:
    """Yield the table of every network by every method."""
    return markdown([load("ladder-llvmpipe"), load("ladder-nvidia-h200")])


BROWSED = 1 << 16
"""The most keys that the page takes."""


def _browser() -> Iterator[str]:
    """Yield a sentence about the browser beside the device on the same driver."""
    record = load("browser-llvmpipe")
    rows = record.where(keys=BROWSED)
    blend, fused = (
        record.one(keys=BROWSED, dtype="float32", network=network, method=method)
        for network, method in (("pbsn", "blend"), ("bitonic", "fused"))
    )
    ratios = [row["ratio"] for row in rows]
    chromium, _, _ = record.described["chromium"].partition(".")
    yield (
        f"For {count_of(BROWSED)} keys Chromium {chromium} takes {min(ratios):.1f} to "
        f"{max(ratios):.1f} times as long as the device, by every network and"
    )
    yield (
        f"method of the page: {three(blend['browser_ms'])} ms for pbsn by `blend`, "
        f"{three(fused['browser_ms'])} ms for bitonic by `fused` (llvmpipe, {record.date})."
    )


MEDIANS = {
    **{f"`{name}`": ("method", name) for name in ("randomized", "fused-radix", "radix", "bucket")},
    **{f"`{name}`": ("method", name) for name in ("cutting-plane", "quickselect")},
    **{f"`bucket`, {count} ranks": ("many", f"{count} ranks") for count in ("101", "1,001")},
    "`torch.topk`, k = n/1000": ("peer", "torch.topk, k = n/1000"),
    "`cupy.sort`": ("peer", "sort"),
    "`torch.median`": ("peer", "torch.median"),
}
"""Rows of a table, by group and name in the record of `bench.modern`."""


def _medians() -> Iterator[str]:
    """Yield the table of selection from 2^28 uniform keys."""
    record = load("modern-nvidia-h200")

    def cells(group: str, what: str) -> Iterator[str]:
        for dtype in ("float32", "float64"):
            of = {"group": group, "what": what, "dtype": dtype}
            row = record.one(n=1 << 28, distribution="uniform", **of)
            yield from (f"{three(row['ms'])} ms", f"{row['reads']:.1f}")

    rows = ((label, *cells(*of)) for label, of in MEDIANS.items())
    yield from _table((record.label, "float32", "reads", "float64", "reads"), *rows)
    of_normal = {"n": 1 << 28, "distribution": "normal", "dtype": "float32", "group": "many"}
    ms = (three(record.one(what=f"{count} ranks", **of_normal)["ms"]) for count in ("101", "1,001"))
    yield ""
    yield (
        "These keys are uniform, and those of the table before are normal. Of normal float32 keys, "
        "in the run of this table, `bucket` finds 101 ranks in {} ms and 1,001 ranks in {} "
        "ms.".format(*ms)
    )


ONE_READ = {
    "`one-read`": "select n/2",
    "`one-read`, k = 0": "select 0",
    "`modern.median`": "median",
    "`cupy.max`, one read": "max",
}
"""Rows of a table, by name in the record of `bench.one_read`."""

PEERS = {
    "`cupy.max`, one read": "max",
    "`torch.topk`, k = n/1000": "torch.topk, k = n/1000",
    "`cupy.sort`": "sort",
    "`cupy.partition`": "partition",
    "`torch.median`": "torch.median",
    "`torch.topk`, k = n/2": "torch.topk, k = n/2",
    "`torch.kthvalue`": "torch.kthvalue",
}
"""All peers in the record of `bench.modern`, by their names there."""


def _one_read() -> Iterator[str]:
    """Yield the shares that one-read and its peers reach of the bandwidth of a data sheet."""
    runs = {name: load(name) for name in ("one-read-nvidia-h200", "modern-nvidia-h200")}
    ours, others = runs.values()
    rows = [
        (label, *_shares(ours, data="uniform", what=what), "1") for label, what in ONE_READ.items()
    ]
    peer = {"distribution": "uniform", "group": "peer"}
    rows += [(label, *_shares(others, what=what, **peer), "2") for label, what in PEERS.items()]
    head = ("float32", "share", "reads", "float64", "share", "reads")
    yield from _table((ours.device, *head, "run"), *rows)
    links = (f"[{run.date}](bench/records/{name}.json)" for name, run in runs.items())
    yield from ("", "Run 1 is of {}, run 2 of {}.".format(*links))


STAGED = {
    **{f"`modern.topk`, k = {k}": f"topk {k}" for k in ("10", "1,000", "n/1,000")},
    **{f"`torch.topk`, k = {k}": f"torch.topk {k}" for k in ("10", "1,000", "n/1,000")},
    "`cupy.argpartition`, k = n/1,000": "cupy.argpartition n/1,000",
    **{f"`modern.threshold`, k = {k}": f"threshold hard {k}" for k in ("n/1,000", "n/100", "n/2")},
    **{f"`modern.multiselect`, {count} ranks": f"{count} ranks" for count in ("101", "1,001")},
}
"""Rows of a table, by name in the record of `bench.staged`."""


def _staged() -> Iterator[str]:
    """Yield the times of top-k, thresholds and many ranks, and what hostile keys do to ranks."""
    record = load("staged-nvidia-h200")
    types = ("float32", "float64", "float16")

    def cells(what: str) -> Iterator[str]:
        for dtype in types:
            row = _of(record, what, dtype)
            yield from (f"{three(row['ms'])} ms", f"{row['reads']:,.1f}")

    head = [cell for dtype in types for cell in (dtype, "reads")]
    yield from _table((record.label, *head), *((each, *cells(of)) for each, of in STAGED.items()))
    hostile = [row["reads"] for row in record.where(group="hostile") if row["what"] != "max"]
    yield ""
    yield (
        f"Of hostile float32 keys, with ties, periods, nested scales or NaNs, 101 ranks take "
        f"{min(hostile):.1f} to {max(hostile):.1f} reads."
    )


def _of(record: Record, what: str, dtype: str) -> Row:
    """Return the row of a call on keys that are not hostile."""
    (row,) = (each for each in record.where(what=what, dtype=dtype) if each["group"] != "hostile")
    return row


def _shares(record: Record, **of: Any) -> Iterator[str]:
    """Yield times, shares of the bandwidth and reads of 2^28 uniform keys."""
    for dtype in (np.dtype("float32"), np.dtype("float64")):
        row = record.one(n=1 << 28, dtype=dtype.name, **of)
        least = 1e3 * row["n"] * dtype.itemsize / memory_bandwidth(record.device).value
        yield from (f"{three(row['ms'])} ms", about(least / row["ms"]), f"{row['reads']:,.1f}")


def _streams() -> Iterator[str]:
    """Yield the table of summaries on a CPU, beside sketches of other libraries."""
    record = load("sketches-numpy")

    def cells(method: str, data: str, fed: str = AT_ONCE, sorter: str = "numpy-1") -> Iterator[str]:
        ways = (fed, sorter), (AT_ONCE, "numpy"), (IN_PARTS, sorter)
        ran = [record.where(method=method, data=data, fed=how, sorter=who)[:1] for how, who in ways]
        for rows in ran:
            yield three(rows[0]["mvalues_per_s"]) if rows else ""
        for rows in (ran[0], ran[-1]):
            yield f"{rows[0]['bytes']:,}" if rows else ""

    counts, compact = "Zipf, 1.2", "QuantileSummary(0.001).compact()"
    return _table(
        (record.label, "one thread", "all cores", IN_PARTS, "bytes", f"bytes, {IN_PARTS}"),
        ("`QuantileSummary(0.001)`", *cells("QuantileSummary(0.001)", "uniform")),
        (f"`{compact}`", *cells(compact, "uniform")),
        ("KLL, k = 2863, which may fail", *cells("KLL, k = 2863", "uniform", sorter="")),
        ("`FrequencySummary(0.001)`", *cells("FrequencySummary(0.001)", counts)),
        (
            "`frequent_items_sketch`, 2^12",
            *cells("frequent_items, 2^12", counts, BY_VALUE, ""),
        ),
        ("the same, fed with histograms", *cells("frequent_items, 2^12", counts, BY_HISTOGRAM, "")),
    )


def _streams_cuda() -> Iterator[str]:
    """Yield the table of summaries on a GPU."""
    record = load("streams-nvidia-h200")

    def cells(**of: Any) -> tuple[str, ...]:
        device, host = (record.one(place=place, **of) for place in ("device", "host"))
        speeds = (three(row["gvalues_per_s"]) for row in (device, host))
        return *speeds, f"{host['of_link']:.2f}"

    quantiles = cells(workload="quantiles", epsilon=1e-3)
    counts = cells(workload="frequencies", epsilon=1e-4, data="zipf 1.2")
    made = record.one(workload="quantiles", epsilon=1e-3, place="device")
    # older records do not say which structure: there was one
    structure = made.get("structure", "exponential-histogram").replace("-", " ")
    return _table(
        (record.label, "there", "on the host", "share of the link"),
        (f"`QuantileSummary(0.001)`, {structure}", *quantiles),
        ("`FrequencySummary(0.0001)`", *counts),
    )


def _sketches() -> Iterator[str]:
    """Yield the tables of summaries beside sketches of other libraries."""
    return tables(load("sketches-numpy"))


def _small_summaries() -> Iterator[str]:
    """Yield the tables of the bytes of lists."""
    return sizes(load("sketches-numpy"))


def _numpy_tests() -> Iterator[str]:
    """Yield how many of NumPy's tests pass, and a table of why the others fail."""
    record = load("numpy-tests-numpy")
    classes = [row for row in record.rows if "class" in row]
    tests, failed = (sum(row[name] for row in classes) for name in ("tests", "failed"))
    numpy, passed = record.versions["numpy"], tests - failed
    yield f"The tests of partition, median, percentile and quantile that come with NumPy {numpy}"
    yield "run with `modern` in the place of NumPy's functions (`python -m bench.numpy_tests`). Of"
    yield f"{tests:,} tests that ask `modern`, {passed:,} pass and {failed} fail ({record.date}):"
    yield ""
    yield from _table(
        ("why", "tests"),
        *((each.text, str(len(record.where(reason=name)))) for name, each in REASONS.items()),
    )


def _rows_grid() -> Iterator[str]:
    """Yield the tables of rows of every shape on a GPU, and a sentence for each record."""
    full = load("rows-grid-nvidia-h200")
    yield from of_shapes(full)
    for record in (full, load("rows-grid-nvidia-h100")):
        yield f"- {in_words(record)}"


def _rows() -> Iterator[str]:
    """Yield the tables of hostile rows on a GPU."""
    return of_data(load("rows-nvidia-h200"))


def _launches() -> Iterator[str]:
    """Yield the tables of what calls spend their time on."""
    return of_launches(load("launches-nvidia-h200"))


def _counters() -> Iterator[str]:
    """Yield the tables of what the hardware counts in the launches of calls."""
    return of_counters(load("counters-nvidia-h200"))


SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "ladder": _ladder,
    "browser": _browser,
    "one_read": _one_read,
    "staged": _staged,
    "medians": _medians,
    "streams": _streams,
    "streams_cuda": _streams_cuda,
    "sketches": _sketches,
    "small_summaries": _small_summaries,
    "numpy_tests": _numpy_tests,
    "rows_grid": _rows_grid,
    "rows": _rows,
    "launches": _launches,
    "counters": _counters,
}
"""What yields the lines of each section."""


if __name__ == "__main__":
    main()
