"""Stream summaries on a GPU: of long streams, which the device makes, and sorts for the check.

    python -m bench.streams_cuda                       # 2^30 float32, on the device and on the host
    python -m bench.streams_cuda --keys 1e8 --place device --output bench/records/….json
    python -m bench.streams_cuda --keys 2^28 --place npy --place parquet --place pipe
    python -m bench.streams_cuda --device numpy --keys 1e7 --place npy

Quantiles are measured for uniform keys, and frequencies also for keys drawn from Zipf's
distribution. Frequencies in sliding windows, heavy prefixes and correlated sums have streams of
2^28 values, or of as many as `--keys` says. With `--piece`, an update takes so many values at a
time: if one takes all of them, only the last window matters. Each answer is checked against the
sorted stream before it is timed. The record has the median time of some turns, by the clock; an
update ends when the summary is on the host. R is that time divided by the time of one read of the
stream (`cupy.max`). For a stream on the host, the record also compares the speed with the link's:
with a copy of the same pinned memory to the device. For a stream in files or behind a pipe, it also
compares it with that of bringing the same bytes into memory, and nothing else (`streams.places`).

With `--device numpy` all is on the host, and nothing is pinned: to try the benchmark.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import click
import numpy as np

import modern
from bench.shared.machines import MACHINES, Card, Machine, opened
from bench.shared.options import COUNT, PATH, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from bench.streams import frequencies, quantiles
from bench.streams.cases_cuda import CASES, Case, counted, drawn, on_host
from bench.streams.places import FILES, Lying, lying, missing
from bench.streams.timing import account, placed, timed
from shadersort import FrequencySummary, QuantileSummary

LONG, SHORT = 1 << 30, 1 << 28
"""Lengths of streams: of one column whose whole is summarised, and of the others."""

WORKLOADS = {
    "quantiles": (QuantileSummary, [1e-2, 1e-3, 1e-4, 1e-5]),
    "frequencies": (FrequencySummary, [1e-4]),
}
"""The summaries, and their errors unless others are chosen."""
DATA = {"uniform": ["quantiles", "frequencies"], "zipf 1.2": ["frequencies"]}
PLACES = ("device", "host", *FILES)

Check = Callable[[Any], float]


@command(__doc__)
@option("--device", type=click.Choice(list(MACHINES)), default="cuda", help="what sorts")
@option("--keys", type=COUNT, help="length of the stream (default: 2^30 or 2^28)")
@repeated("--place", type=click.Choice(PLACES), help="default: device and host")
@repeated("--workload", type=click.Choice([*WORKLOADS, *CASES]), help="default: all")
@repeated("--epsilon", type=float, help="default: those of each workload")
@repeated("--window", type=COUNT, help="of sliding frequencies (default: 1e6 and 1e7)")
@option("--piece", type=COUNT, help="values of an update from memory (default: all)")
@option("--batch", type=int, help="keys sorted at once (default: as modern.Sorter chooses)")
@option("--turns", type=int, default=5, help="the median counts")
@option("--folder", type=PATH, default=None, help="where files are made (default: temporary)")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened(options.device)
    tell(begun("streams-cuda", machine.described()), measurements(machine, options), options.output)


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure each summary of each stream, from each place."""
    for workload, cases in _workloads(machine, options):
        for _, alike in groupby(cases, lambda case: id(case.stream[0])):
            yield from _of_stream(machine, options, workload, list(alike))
        if isinstance(machine, Card):
            machine.xp.get_default_memory_pool().free_all_blocks()


def _workloads(machine: Machine, options: Options) -> Iterator[tuple[str, Iterator[Case]]]:
    """Yield the cases of each workload; those of one stream come one after the other."""
    chosen = options.workload or [*WORKLOADS, *CASES]
    for data, workloads in DATA.items():
        for workload in workloads:
            if workload in chosen:
                yield workload, _of_column(machine, options, data, workload)
    for workload in chosen:
        if workload in CASES:
            yield workload, CASES[workload](machine.xp, options, options.keys or SHORT)


def _of_column(machine: Machine, options: Options, data: str, workload: str) -> Iterator[Case]:
    """Yield the cases of one stream whose whole is summarised."""
    stream = drawn(machine.xp, data, options.keys or LONG)
    ordered = machine.xp.sort(stream)
    check = _check(machine.xp, workload, ordered)
    del ordered
    kind, usual = WORKLOADS[workload]
    for epsilon in options.epsilon or usual:
        yield Case({"data": data, "epsilon": epsilon}, (stream,), kind, (epsilon,), check)


def _of_stream(
    machine: Machine, options: Options, workload: str, cases: Sequence[Case]
) -> Iterator[Row]:
    """Measure the summaries of one stream, which lies in each place in turn."""
    stream = cases[0].stream
    read = sum(machine.ms(partial(machine.xp.max, each), 5) for each in stream)
    sorter = "cuda-host" if isinstance(machine, Card) else "numpy"
    pinned = tuple(placed(on_host(each), sorter) for each in stream)
    for place in options.place or PLACES[:2]:
        head = {"workload": workload, "place": place}
        if why := missing(place):
            yield {**head, "why": why}
        elif place in FILES:
            with lying(place, pinned, pinned, options.folder) as there:
                medium = _of_medium(there, options.turns)
                for case in cases:
                    row = _measured(case, there.feed, len(pinned[0]), options)
                    yield _compared(machine, {**head, **case.told, **row}, read, pinned, medium)
        else:
            given = stream if place == "device" else pinned
            for case in cases:
                row = _measured(case, partial(_in_pieces, given, options), len(given[0]), options)
                yield _compared(machine, {**head, **case.told, **row}, read, given)


def _in_pieces(given: Sequence[Any], options: Options, summary: Any) -> None:
    """Update a summary by a stream in memory."""
    n = len(given[0])
    cut = options.piece or n
    for first in range(0, n, cut):
        summary.update(*(each[first : first + cut] for each in given))


def _of_medium(there: Lying, turns: int) -> float:
    """Return the seconds in which a stream comes into memory, in the fastest way."""
    return min(statistics.median_low(way() for _ in range(turns)) for way in there.read)


def _compared(
    machine: Machine, row: Row, read: float, given: Sequence[Any], medium: float | None = None
) -> Row:
    """Return a row with its time in reads, and its speed as a share of the link and the medium."""
    row = {**row, "reads": round(row["ms"] / read, 1)}
    if not isinstance(given[0], np.ndarray):
        return row
    size = sum(each.nbytes for each in given)
    if medium is not None:
        row["gb_per_s"] = round(size / row["ms"] / 1e6, 2)
        row["medium_gb_per_s"] = round(size / medium / 1e9, 2)
        row["of_medium"] = round(1e3 * medium / row["ms"], 3)
    if isinstance(machine, Card):
        link = sum(_link_ms(machine, each) for each in given)
        row |= {"of_link": round(link / row["ms"], 3), "link_gb_per_s": round(size / link / 1e6)}
    return row


def _measured(case: Case, feed: Callable[[Any], Any], n: int, options: Options) -> Row:
    """Check and measure one summary of a stream of n values."""

    def run() -> Any:
        summary = case.kind(*case.arguments, sorter=modern.Sorter(options.batch))
        feed(summary)
        return summary

    made = run()
    worst = case.check(made)
    of = {"structure": made.structure} if isinstance(made, QuantileSummary) else {}
    last = timed({"run": run}, options.turns)["run"]
    ms, speed = round(1e3 * last.median, 2), round(n / last.median / 1e9, 3)
    piece = {"piece": options.piece} if options.piece and options.piece < n else {}
    return {**of, "keys": n, **piece, "ms": ms, "gvalues_per_s": speed, **account(last, worst)}


def _link_ms(card: Card, pinned: Any) -> float:
    """Return the milliseconds of a copy of pinned memory to the device."""
    target = card.xp.empty(pinned.shape, pinned.dtype)
    return card.ms(lambda: target.set(pinned), 5)


def _check(xp: Any, workload: str, ordered: Any) -> Check:
    """Return a function that checks a summary and returns its worst error, as a share."""
    if workload == "quantiles":
        return partial(quantiles.checked, ordered=on_host(ordered))
    exact = counted(xp, ordered)
    return lambda summary: frequencies.checked(summary, exact, summary.epsilon)


if __name__ == "__main__":
    main()
