"""Stream summaries on a GPU: of long streams, which the device makes, and sorts for the check.

    python -m bench.streams_cuda                       # 2^30 float32, on the device and on the host
    python -m bench.streams_cuda --keys 1e8 --place device --output bench/records/….json

Quantiles are measured for uniform keys, and frequencies also for keys drawn from 2^24 values of
Zipf's distribution. Each answer is checked against the sorted stream before it is timed. The record
has the median time of some turns, by the clock; an update ends when the summary is on the host. R
is that time divided by the time of one read of the stream (`cupy.max`). For a stream on the host,
the record also compares the speed with the link's: with a copy of the same pinned memory to the
device.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click
import numpy as np

import modern
from bench.shared.data import make
from bench.shared.machines import Card, opened
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from bench.streams import frequencies, quantiles
from bench.streams.timing import account, placed, timed
from shadersort import FrequencySummary, QuantileSummary

POOL = 1 << 24
"""Keys of Zipf's distribution that are drawn on the host; the stream is drawn from them."""
PIECE = 1 << 26
"""Keys drawn at once."""

WORKLOADS = {
    "quantiles": (QuantileSummary, [1e-2, 1e-3, 1e-4, 1e-5]),
    "frequencies": (FrequencySummary, [1e-4]),
}
"""The summaries, and their errors unless others are chosen."""
DATA = {"uniform": ["quantiles", "frequencies"], "zipf 1.2": ["frequencies"]}
SORTERS = {"device": "cuda", "host": "cuda-host"}

Check = Callable[[Any], float]


@command(__doc__)
@option("--keys", type=COUNT, default=1 << 30, help="length of the stream")
@repeated("--place", type=click.Choice(list(SORTERS)), help="default: device and host")
@repeated("--workload", type=click.Choice(list(WORKLOADS)), help="default: both")
@repeated("--epsilon", type=float, help="default: those of each workload")
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
    for data, workloads in DATA.items():
        chosen = [each for each in workloads if each in (options.workload or WORKLOADS)]
        if chosen:
            yield from _of_stream(card, options, data, chosen)
            card.xp.get_default_memory_pool().free_all_blocks()


def _of_stream(card: Card, options: Options, data: str, workloads: list[str]) -> Iterator[Row]:
    """Measure the summaries of one stream."""
    stream = _drawn(card.xp, data, options.keys)
    read = card.ms(lambda: card.xp.max(stream), 5)
    ordered = card.xp.sort(stream)
    checks = {workload: _check(card.xp, workload, ordered) for workload in workloads}
    del ordered
    for place in options.place or SORTERS:
        given = stream if place == "device" else placed(stream.get(), SORTERS[place])
        link = None if place == "device" else _link_ms(card, given)
        for workload in workloads:
            for epsilon in options.epsilon or WORKLOADS[workload][1]:
                head = {"workload": workload, "data": data, "place": place, "epsilon": epsilon}
                kind = WORKLOADS[workload][0]
                row = _measured(kind, epsilon, given, checks[workload], options)
                of_link = {} if link is None else {"of_link": round(link / row["ms"], 3)}
                speed = {} if link is None else {"link_gb_per_s": round(given.nbytes / link / 1e6)}
                yield {**head, **row, "reads": round(row["ms"] / read, 1), **of_link, **speed}


def _measured(kind: Any, epsilon: float, given: Any, check: Check, options: Options) -> Row:
    """Check and measure one summary of a stream."""

    def run() -> Any:
        summary = kind(epsilon, sorter=modern.Sorter(options.batch))
        summary.update(given)
        return summary

    worst = check(run())
    last = timed({"run": run}, options.turns)["run"]
    ms, speed = round(1e3 * last.median, 2), round(len(given) / last.median / 1e9, 3)
    return {"keys": len(given), "ms": ms, "gvalues_per_s": speed, **account(last, worst)}


def _drawn(xp: Any, data: str, n: int) -> Any:
    """Return a stream on the device."""
    if data == "uniform":
        return make(xp, "uniform", n, seed=1)
    pool = xp.asarray(frequencies.zipf(POOL, np.float32))
    rng, found = xp.random.default_rng(1), xp.empty(n, np.float32)
    for first in range(0, n, PIECE):
        part = found[first : first + PIECE]
        part[:] = pool[rng.integers(0, POOL, part.size)]
    return found


def _link_ms(card: Card, pinned: Any) -> float:
    """Return the milliseconds of a copy of pinned memory to the device."""
    target = card.xp.empty(pinned.shape, pinned.dtype)
    return card.ms(lambda: target.set(pinned), 5)


def _check(xp: Any, workload: str, ordered: Any) -> Check:
    """Return a function that checks a summary and returns its worst error, as a share."""
    if workload == "quantiles":
        return partial(quantiles.checked, ordered=ordered.get())
    first = xp.ones(ordered.shape, np.bool_)
    xp.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = xp.flatnonzero(first)
    exact = ordered[starts].get(), np.diff(starts.get(), append=ordered.size)
    return lambda summary: frequencies.checked(summary, exact, summary.epsilon)


if __name__ == "__main__":
    main()
