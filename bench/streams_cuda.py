"""Stream summaries on a GPU: of long streams, which the device makes, and sorts for the check.

    python -m bench.streams_cuda                       # 2^30 float32, on the device and on the host
    python -m bench.streams_cuda --keys 1e8 --place device --output bench/records/….json

Quantiles are measured for uniform keys, and frequencies also for keys drawn from Zipf's
distribution. Frequencies in sliding windows, heavy prefixes and correlated sums have streams of
2^28 values, or of as many as `--keys` says. With `--piece`, an update takes so many values at a
time: if one takes all of them, only the last window matters. Each answer is checked against the
sorted stream before it is timed. The record has the median time of some turns, by the clock; an
update ends when the summary is on the host. R is that time divided by the time of one read of the
stream (`cupy.max`). For a stream on the host, the record also compares the speed with the link's:
with a copy of the same pinned memory to the device.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click
import numpy as np

import modern
from bench.shared.machines import Card, opened
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from bench.streams import frequencies, quantiles
from bench.streams.cases_cuda import CASES, Case, counted, drawn
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
SORTERS = {"device": "cuda", "host": "cuda-host"}

Check = Callable[[Any], float]


@command(__doc__)
@option("--keys", type=COUNT, help="length of the stream (default: 2^30 or 2^28)")
@repeated("--place", type=click.Choice(list(SORTERS)), help="default: device and host")
@repeated("--workload", type=click.Choice([*WORKLOADS, *CASES]), help="default: all")
@repeated("--epsilon", type=float, help="default: those of each workload")
@repeated("--window", type=COUNT, help="of sliding frequencies (default: 1e6 and 1e7)")
@option("--piece", type=COUNT, help="values of an update (default: all)")
@option("--batch", type=int, help="keys sorted at once (default: as modern.Sorter chooses)")
@option("--turns", type=int, default=5, help="the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    card = opened("cuda")
    assert isinstance(card, Card)
    tell(begun("streams-cuda", card.described()), measurements(card, options), options.output)


def measurements(card: Card, options: Options) -> Iterator[Row]:
    """Measure each summary of each stream, from each place."""
    chosen = options.workload or [*WORKLOADS, *CASES]
    for data, workloads in DATA.items():
        here = [each for each in workloads if each in chosen]
        if here:
            yield from _of_stream(card, options, data, here)
            card.xp.get_default_memory_pool().free_all_blocks()
    for workload in chosen:
        if workload in CASES:
            for case in CASES[workload](card.xp, options, options.keys or SHORT):
                yield from _of_case(card, options, workload, case)
            card.xp.get_default_memory_pool().free_all_blocks()


def _of_stream(card: Card, options: Options, data: str, workloads: list[str]) -> Iterator[Row]:
    """Measure the summaries of one stream."""
    stream = drawn(card.xp, data, options.keys or LONG)
    ordered = card.xp.sort(stream)
    checks = {workload: _check(card.xp, workload, ordered) for workload in workloads}
    del ordered
    for workload in workloads:
        kind, usual = WORKLOADS[workload]
        for epsilon in options.epsilon or usual:
            told = {"data": data, "epsilon": epsilon}
            case = Case(told, (stream,), kind, (epsilon,), checks[workload])
            yield from _of_case(card, options, workload, case)


def _of_case(card: Card, options: Options, workload: str, case: Case) -> Iterator[Row]:
    """Measure a summary with its stream in each place."""
    read = sum(card.ms(partial(card.xp.max, each), 5) for each in case.stream)
    for place in options.place or SORTERS:
        given = case.stream
        if place != "device":
            given = tuple(placed(each.get(), SORTERS[place]) for each in case.stream)
        head = {"workload": workload, **case.told, "place": place}
        row = _measured(case, given, options)
        yield {**head, **row, "reads": round(row["ms"] / read, 1), **_of_link(card, given, row)}


def _of_link(card: Card, given: Sequence[Any], row: Row) -> Row:
    """Return the speed of the link, and that of a row as a share of it, for streams on the host."""
    if not isinstance(given[0], np.ndarray):
        return {}
    link = sum(_link_ms(card, each) for each in given)
    speed = sum(each.nbytes for each in given) / link / 1e6
    return {"of_link": round(link / row["ms"], 3), "link_gb_per_s": round(speed)}


def _measured(case: Case, given: Sequence[Any], options: Options) -> Row:
    """Check and measure one summary of a stream, which may be cut into updates."""
    n = len(given[0])
    cut = options.piece or n

    def run() -> Any:
        summary = case.kind(*case.arguments, sorter=modern.Sorter(options.batch))
        for first in range(0, n, cut):
            summary.update(*(each[first : first + cut] for each in given))
        return summary

    worst = case.check(run())
    last = timed({"run": run}, options.turns)["run"]
    ms, speed = round(1e3 * last.median, 2), round(n / last.median / 1e9, 3)
    piece = {"piece": cut} if cut < n else {}
    return {"keys": n, **piece, "ms": ms, "gvalues_per_s": speed, **account(last, worst)}


def _link_ms(card: Card, pinned: Any) -> float:
    """Return the milliseconds of a copy of pinned memory to the device."""
    target = card.xp.empty(pinned.shape, pinned.dtype)
    return card.ms(lambda: target.set(pinned), 5)


def _check(xp: Any, workload: str, ordered: Any) -> Check:
    """Return a function that checks a summary and returns its worst error, as a share."""
    if workload == "quantiles":
        return partial(quantiles.checked, ordered=ordered.get())
    exact = counted(xp, ordered)
    return lambda summary: frequencies.checked(summary, exact, summary.epsilon)


if __name__ == "__main__":
    main()
