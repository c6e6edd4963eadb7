"""Stream summaries on a GPU: of long streams, which the device makes, and sorts for the check.

    python -m bench.streams.cuda --output bench/records/….json       # 2^30 float32

The record has the median time of some turns, by the clock; an update ends when the summary is on
the host. R is that time divided by the time of one read of the stream. For a stream on the host,
the speed is also compared with that of the link: of a copy of the same pinned memory to the device.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click
import numpy as np

from bench.shared.benchmark import benchmark
from bench.shared.data import make
from bench.shared.machines import MACHINES, Card, Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.streams import frequencies, quantiles
from bench.streams.timing import Way, account, measured, placed, summarised
from shadersort import FrequencySummary, QuantileSummary

WORKLOADS = {
    ("quantiles", "uniform"): (QuantileSummary, [1e-2, 1e-3, 1e-4, 1e-5]),
    ("frequencies", "uniform"): (FrequencySummary, [1e-4]),
    ("frequencies", "zipf 1.2"): (FrequencySummary, [1e-4]),
}
"""The summary of each stream, and its errors unless others are chosen."""

POOL, PIECE = 1 << 22, 1 << 26
"""Keys of Zipf's distribution that the host draws; so many of these are drawn at once, again."""


@benchmark("streams-cuda", __doc__, turns=5)
@option("--device", type=click.Choice(list(MACHINES)), default="cuda", help="what sorts")
@option("--keys", type=COUNT, default="2^30", help="length of the stream")
@repeated("--place", type=click.Choice(["device", "host"]), help="default: both")
@repeated("--epsilon", type=float, help="default: those of each workload")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure each summary of each stream, from each place."""
    for (workload, data), (kind, usual) in WORKLOADS.items():
        stream = draw_stream(machine.xp, data, options.keys)
        check = _check(machine.xp, workload, machine.xp.sort(stream))
        read = machine.ms(partial(machine.xp.max, stream), 5)
        pinned = placed(on_host(stream), "cuda-host" if isinstance(machine, Card) else "numpy")
        for place in options.place or ("device", "host"):
            keys = stream if place == "device" else pinned
            for epsilon in options.epsilon or usual:
                head = {"workload": workload, "place": place, "data": data, "epsilon": epsilon}
                way = Way(partial(summarised, keys, kind, epsilon, sorter="cuda"), check)
                last, worst = measured({"": way}, options.turns)[""]
                row = {"ms": round(1e3 * last.median, 2), **account(last, worst)}
                row["gvalues_per_s"] = round(keys.size / last.median / 1e9, 3)
                compared = _compared(machine, row["ms"], read, keys)
                yield {**head, "keys": keys.size, **row, **compared}


def draw_stream(xp: Any, data: str, n: int) -> Any:
    """Return a stream of float32 on the device."""
    if data == "uniform":
        return make(xp, "uniform", n, seed=1)
    pool = xp.asarray(frequencies.zipf(POOL, np.float32))
    rng, found = xp.random.default_rng(1), xp.empty(n, np.float32)
    for first in range(0, n, PIECE):
        part = found[first : first + PIECE]
        part[:] = pool[rng.integers(0, POOL, part.size)]
    return found


def _compared(machine: Machine, ms: float, read: float, keys: Any) -> Row:
    """Return the time in reads, and the speed as a share of the link's if the host has the keys."""
    row: Row = {"reads": round(ms / read, 1)}
    if isinstance(machine, Card) and isinstance(keys, np.ndarray):
        target = machine.xp.empty(keys.shape, keys.dtype)
        link = machine.ms(lambda: target.set(keys), 5)
        row |= {"of_link": round(link / ms, 3), "link_gb_per_s": round(keys.nbytes / link / 1e6)}
    return row


def on_host(array: Any) -> Any:
    """Return an array of NumPy or of CuPy as one of NumPy."""
    return array if isinstance(array, np.ndarray) else array.get()


def _check(xp: Any, workload: str, ordered: Any) -> Callable[[Any], float]:
    """Return a function that checks a summary and returns its worst error, as a share."""
    if workload == "quantiles":
        return partial(quantiles.checked, ordered=on_host(ordered))
    first = xp.ones(ordered.shape, np.bool_)
    xp.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = xp.flatnonzero(first)
    exact = on_host(ordered[starts]), np.diff(on_host(starts), append=ordered.size)
    return lambda summary: frequencies.checked(summary, exact, summary.epsilon)


if __name__ == "__main__":
    main()
