"""The tables and sentences about sketches, from a record of `bench.sketches`."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from statistics import median
from textwrap import fill

from bench.shared.record import Record, Row
from bench.shared.words import about, joined, span, three
from bench.sketches.contestant import (
    ALWAYS,
    AT_ONCE,
    BY_HISTOGRAM,
    BY_VALUE,
    COUNT,
    IN_PARTS,
    MOSTLY,
    RANK,
    TAIL,
    VALUE,
)

SHARE_OF = {RANK: "of n", TAIL: "of those above", VALUE: "of the value", COUNT: "of n, a count"}
"""What the errors of each kind are shares of."""
NO_SORTER = ""
ALL_CORES, ONE_THREAD = "numpy", ("numpy-1", NO_SORTER)
"""What sorted in rows of all cores, and of one thread; peers have nothing that sorts."""
OURS, PEER = "QuantileSummary(0.01)", "KLL"
LIBRARIES = ("datasketches", "ddsketch", "fastdigest")

Cell = Callable[[Sequence[Row]], str]
"""Makes a cell from all rows of a sketch."""


def tables(record: Record) -> Iterator[str]:
    """Yield the lines of the table of sketches, of that of streams, and of the sentences."""
    rows = [row for row in record.rows if "why" not in row]
    quantiles = [row for row in rows if RANK in row]
    yield from (_wrapped(_of(record, rows)), "", *_of_sketches(rows), "")
    yield from (_wrapped(" ".join(_sentences(rows))), "")
    yield from ("The worst error of a rank on each stream, in % of n:", "")
    yield from _of_streams(quantiles)
    yield from _of_ratios(rows)
    for row in record.rows:
        if "why" in row:
            yield from ("", f"Not measured: {row['method']}, because {row['why']}.")


def sizes(record: Record) -> Iterator[str]:
    """Yield a sentence and a table of the bytes of lists and others, for each error."""
    rows = [row for row in record.rows if "why" not in row and row["sorter"] in ONE_THREAD]
    (keys,) = {row["keys"] for row in rows}
    for epsilon in _errors(rows):
        bound = 2 * (math.log2(epsilon * keys) + 1) / epsilon
        text = (
            f"Bytes after {keys:,} values of float32 with ε = {epsilon:g}; the entries of a list "
        )
        yield _wrapped(text + f"and the values that wait are at most {bound:,.0f} together:")
        yield ""
        yield from _of_sizes(rows, epsilon)
        yield ""
    yield f"({record.label})"


def _of_sizes(rows: Sequence[Row], epsilon: float) -> Iterator[str]:
    """Yield a table with a line for each stream and a column for each kind of summary."""
    ours = _list_of(epsilon)
    columns = {
        "list, at once": (ours, AT_ONCE),
        "list, updates of 1,000": (ours, IN_PARTS),
        "`compact()`": (f"{ours}.compact()", AT_ONCE),
        "exponential histogram": (f"{ours}, exponential histogram", AT_ONCE),
        **{peer: (peer, AT_ONCE) for peer in _peers_of(rows, epsilon)},
    }
    yield f"| stream | {' | '.join(columns)} |"
    yield "|---|" + "--:|" * len(columns)
    for data in dict.fromkeys(row["data"] for row in rows):
        told = {(row["method"], row["fed"]): row["bytes"] for row in rows if row["data"] == data}
        yield f"| {data} | {' | '.join(f'{told[each]:,}' for each in columns.values())} |"


def _peers_of(rows: Iterable[Row], epsilon: float) -> list[str]:
    """Return the sketches whose stated error is about as large, and no larger."""
    named = (row for row in rows if row["method"].startswith(PEER))
    return list(
        dict.fromkeys(row["method"] for row in named if 0.9 * epsilon < row["promise"] <= epsilon)
    )


def _of_ratios(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of speeds beside the peer of the same error, with a column for each stream."""
    pairs = [
        (_list_of(epsilon), peer) for epsilon in _errors(rows) for peer in _peers_of(rows, epsilon)
    ]
    if not pairs:
        return
    speeds = {
        (row["method"], row["fed"], row["data"]): row["mvalues_per_s"]
        for row in rows
        if row["sorter"] in (ALL_CORES, NO_SORTER)
    }
    streams = list(dict.fromkeys(row["data"] for row in rows))
    text = f"Our speed on all cores, by that of {PEER} of the same error, which has one thread:"
    yield from ("", text, "")
    yield f"| what ran | {' | '.join(streams)} |"
    yield "|---|" + "--:|" * len(streams)
    for (ours, peer), fed in product(pairs, (AT_ONCE, IN_PARTS)):
        cells = (about(speeds[ours, fed, each] / speeds[peer, fed, each]) for each in streams)
        yield f"| `{ours}`, {fed} | {' | '.join(cells)} |"


def _errors(rows: Iterable[Row]) -> list[float]:
    """Return the error bounds of our summaries of quantiles."""
    ours = (row for row in rows if row["method"].startswith("QuantileSummary("))
    return list(dict.fromkeys(row["promise"] for row in ours))


def _list_of(epsilon: float) -> str:
    """Return the name of the list with an error bound."""
    return f"QuantileSummary({epsilon:g})"


def _wrapped(text: str) -> str:
    return fill(text, 100, break_long_words=False, break_on_hyphens=False)


def _of(record: Record, rows: Sequence[Row]) -> str:
    """Return what was measured: where, when, with which libraries, and how many values."""
    installed = [f"{name} {record.versions[name]}" for name in LIBRARIES if name in record.versions]
    (keys,) = {row["keys"] for row in rows}
    streams = len({row["data"] for row in rows})
    return (
        f"{streams} streams of {keys:,} values, {joined([*installed, record.label])}. Speeds are "
        "millions of values a second: the median of all streams (and the span)."
    )


def _of_sketches(rows: Sequence[Row]) -> Iterator[str]:
    """Yield tables with a line for each sketch: errors and bytes, speeds, and names.

    One table would be wider than a page.
    """
    errors: dict[str, Cell] = {
        "guaranteed": _promise,
        "worst of that": _worst_of_promise,
        "worst rank": lambda some: _worst(some, RANK),
        "worst in the tail": lambda some: _worst(some, TAIL),
        "bytes, at most": lambda some: f"{max(row['bytes'] for row in some):,}",
    }
    speeds: dict[str, Cell] = {
        "all cores": lambda some: _speed(some, (AT_ONCE,), (ALL_CORES,)),
        "one thread": lambda some: _speed(some, (AT_ONCE, BY_VALUE, BY_HISTOGRAM), ONE_THREAD),
        "in updates of 1,000": lambda some: _speed(some, (IN_PARTS,), ONE_THREAD),
    }
    yield from _table(rows, errors, words=1)
    yield from ("", "Their speeds:", "")
    yield from _table(rows, speeds)
    yield from ("", "What the objects that ran say of themselves:", "")
    yield from _table(rows, {"as the object says": lambda some: _label(some[-1])}, words=1)


def _table(rows: Sequence[Row], cells: dict[str, Cell], words: int = 0) -> Iterator[str]:
    """Yield a table whose first columns have words, and the others numbers."""
    yield f"| what ran | {' | '.join(cells)} |"
    yield "|---|" + "---|" * words + "--:|" * (len(cells) - words)
    for name, some in _by_name(rows).items():
        yield f"| {_code(name)} | {' | '.join(cell(some) for cell in cells.values())} |"


def _by_name(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each line; a sketch that was fed with histograms has its own."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        of = ", of histograms" if row["fed"] == BY_HISTOGRAM else ""
        found.setdefault(row["method"] + of, []).append(row)
    return found


def _code(name: str) -> str:
    """Return a name as the tables have it: what can be called stands as code."""
    call, comma, rest = name.partition(",")
    return f"`{call}`{comma}{rest}" if ")" in call else name


def _label(row: Row) -> str:
    """Return what the object that ran says of itself, without the threads, which columns have."""
    words = row["label"].split(", ")
    return ", ".join(word for word in words if not word.endswith((" thread", " threads")))


def _promise(rows: Sequence[Row]) -> str:
    """Return what a library promises; where it depends on the data, the largest error."""
    first = max(rows, key=lambda row: row["promise"] or 0)
    if first["promised"] is None:
        return str(first["sure"])
    return f"{percent(first['promise'])} {SHARE_OF[first['promised']]}, {first['sure']}"


def _worst_of_promise(rows: Sequence[Row]) -> str:
    kind = rows[0]["promised"]
    return "–" if kind is None else _worst(rows, kind)


def _worst(rows: Sequence[Row], kind: str) -> str:
    return percent(max(row[kind] for row in rows)) if kind in rows[0] else ""


def percent(share: float) -> str:
    """Return a share in percent; shares above 1 are not told apart.

    Examples
    --------
    >>> percent(0.00987), percent(0), percent(17.5)
    ('0.99%', '0%', 'over 100%')
    """
    return "over 100%" if share > 1 else f"{about(100 * share)}%"


def _speed(rows: Iterable[Row], fed: Sequence[str], sorters: Sequence[str]) -> str:
    """Return the median speed of all streams, and the span; nothing if there is no such row."""
    found = _speeds(rows, fed, sorters)
    return f"{three(median(found))} ({span(found)})" if found else ""


def _speeds(rows: Iterable[Row], fed: Sequence[str], sorters: Sequence[str]) -> list[float]:
    chosen = (row for row in rows if row["fed"] in fed and row["sorter"] in sorters)
    return [row["mvalues_per_s"] for row in chosen]


def _of_streams(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table with a line for each sketch of quantiles and a column for each stream."""
    streams = list(dict.fromkeys(row["data"] for row in rows))
    yield f"| what ran | {' | '.join(streams)} |"
    yield "|---|" + "--:|" * len(streams)
    for name, some in _by_name(rows).items():
        found = ([row[RANK] for row in some if row["data"] == data] for data in streams)
        cells = (about(100 * max(errors)) if errors else "–" for errors in found)
        yield f"| {_code(name)} | {' | '.join(cells)} |"


def _sentences(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what follows from the rows, in words."""
    sure, mostly = ([row for row in rows if row["sure"] == of] for of in (ALWAYS, MOSTLY))
    over = sum(map(_broken, sure))
    yield f"Of {len(sure):,} results with a deterministic bound, {over:,} were over it."
    if mostly:
        over = sum(map(_broken, mostly))
        yield f"Of {len(mostly):,} with a bound that holds with 99%, {over:,} were over it."
    if peers := [row for row in rows if row["method"].startswith(PEER)]:
        yield _beside_kll(rows, peers[0]["method"])


def _broken(row: Row) -> bool:
    return bool(row[row["promised"]] > row["promise"] * (1 + 1e-9))


def _beside_kll(rows: Sequence[Row], peer: str) -> str:
    """Return how `QuantileSummary` compares with KLL of the same error."""
    ours, theirs = ([row for row in rows if row["method"] == name] for name in (OURS, peer))
    once, parts = (
        about(median(_speeds(ours, fed, ONE_THREAD)) / median(_speeds(theirs, fed, ONE_THREAD)))
        for fed in ((AT_ONCE,), (IN_PARTS,))
    )
    waiting, settled, of_peer = (
        max(row["bytes"] for row in some if row["fed"] == fed)
        for some, fed in ((ours, IN_PARTS), (ours, AT_ONCE), (theirs, AT_ONCE))
    )
    return (
        f"On one thread `{OURS}` is {once} times as fast as {peer} with all values at once, and "
        f"{parts} times with updates of 1,000. It has at most {settled:,} bytes in the first case "
        f"and {waiting:,} in the second, where values wait until they fill a window; {peer} has at "
        f"most {of_peer:,}."
    )
