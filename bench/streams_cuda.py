"""Stream summaries on a GPU: long streams, made and sorted for the check on the device itself.

    python -m bench.streams_cuda                       # 2^30 float32, on the device and on the host
    python -m bench.streams_cuda --keys 1e8 --place device --output bench/records/….json

Quantiles are told for uniform keys, and frequencies also for keys drawn from 2^24 of Zipf's
distribution. Each answer is checked against the sorted stream before anything is timed. Of each
summary the median of some turns is told, by the clock: an update has ended when what is held is on
the host. Beside the speed stand R, how many times as long as a read of the stream (`cupy.max`) it
takes, and, for a stream on the host, which share it is of the speed of the link: of a copy of the
same pinned memory to the device.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import modern
from bench import streams, streams_frequencies
from bench.data import make
from bench.machines import Card, a_card
from bench.options import command_line
from bench.record import environment, recorded
from bench.stream_ways import Row, account, placed, timed, updated
from shadersort import FrequencySummary, QuantileSummary
from shadersort.errors import DeviceUnavailable

__all__ = ["main", "measurements", "parser"]

POOL = 1 << 24
"""So many keys of Zipf's distribution are drawn on the host; the stream is drawn from these."""
PIECE = 1 << 26
"""Keys drawn at once."""

WORKLOADS = {
    "quantiles": (QuantileSummary, [1e-2, 1e-3, 1e-4, 1e-5]),
    "frequencies": (FrequencySummary, [1e-4]),
}
"""What is made, and its errors unless others are asked for."""
DATA = {"uniform": ["quantiles", "frequencies"], "zipf 1.2": ["frequencies"]}
SORTERS = {"device": "cuda", "host": "cuda-host"}

Check = Callable[[Any], float]


def main() -> None:
    """Run the benchmark."""
    options = parser().parse_args()
    try:
        card = a_card()
    except DeviceUnavailable as error:
        raise SystemExit(f"bench.streams_cuda: {error}") from None
    record: Row = {"benchmark": "streams-cuda", **environment(card.described()), "rows": []}
    print(f"{record['device']['renderer']}\n")
    recorded(record, measurements(card, options), _told, options.output)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    options = command_line("bench.streams_cuda", __doc__)
    add = options.add_argument
    add("--keys", type=lambda text: int(float(text)), default=1 << 30, help="default: 2^30")
    add("--place", action="append", choices=SORTERS, help="default: device and host")
    add("--workload", action="append", choices=WORKLOADS, help="default: both")
    add("--epsilon", action="append", type=float, help="default: those of each workload")
    add("--batch", type=int, help="keys sorted at once (default: as modern.Sorter chooses)")
    add("--turns", type=int, default=5, help="of which the median is told (default 5)")
    add("--output", type=Path, help="record the measurements in this file")
    return options


def measurements(card: Card, options: argparse.Namespace) -> Iterator[Row]:
    """Measure each summary of each stream, from each place."""
    for data, workloads in DATA.items():
        chosen = [each for each in workloads if each in (options.workload or WORKLOADS)]
        if chosen:
            yield from _of_stream(card, options, data, chosen)
            card.xp.get_default_memory_pool().free_all_blocks()


def _of_stream(
    card: Card, options: argparse.Namespace, data: str, workloads: list[str]
) -> Iterator[Row]:
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


def _measured(
    kind: Any, epsilon: float, given: Any, check: Check, options: argparse.Namespace
) -> Row:
    """Measure one summary of a stream, if it is right."""

    def run() -> Any:
        return updated(kind(epsilon, sorter=modern.Sorter(options.batch)), given)

    worst = check(run())
    ((_, seconds, last),) = timed({"run": run}, options.turns)
    ms, speed = round(1e3 * seconds, 2), round(len(given) / seconds / 1e9, 3)
    return {"keys": len(given), "ms": ms, "gvalues_per_s": speed, **account(last, worst)}


def _drawn(xp: Any, data: str, n: int) -> Any:
    """Return a stream on the device."""
    if data == "uniform":
        return make(xp, "uniform", n, seed=1)
    pool = xp.asarray(streams_frequencies.zipf(POOL, np.float32))
    rng, found = xp.random.default_rng(1), xp.empty(n, np.float32)
    for first in range(0, n, PIECE):
        part = found[first : first + PIECE]
        part[:] = pool[rng.integers(0, POOL, part.size)]
    return found


def _link_ms(card: Card, pinned: Any) -> float:
    """Return the milliseconds in which pinned memory is copied to the device."""
    target = card.xp.empty(pinned.shape, pinned.dtype)
    return card.ms(lambda: target.set(pinned), 5)


def _check(xp: Any, workload: str, ordered: Any) -> Check:
    """Return what says by how much a summary is off, as a share, or raises an error."""
    if workload == "quantiles":
        whole = ordered.get()
        return lambda summary: streams.checked(summary, whole)
    first = xp.ones(ordered.shape, np.bool_)
    xp.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = xp.flatnonzero(first)
    exact = ordered[starts].get(), np.diff(starts.get(), append=ordered.size)
    return lambda summary: streams_frequencies.checked(summary, exact, summary.epsilon)


def _told(row: Row) -> str:
    """Return a row as a line."""
    head = f"{row['workload']:<12} {row['data']:<9} {row['place']:<7} {row['epsilon']:<8g}"
    line = f"{head} {row['ms']:>8.1f} ms {row['gvalues_per_s']:>7.2f} G/s {row['reads']:>6.1f} R"
    link = f"  {row['of_link']:.2f} of {row['link_gb_per_s']} GB/s" if "of_link" in row else ""
    return f"{line}{link}  {row['entries']:>9,} entries, worst {row['worst']:.2g}"


if __name__ == "__main__":
    main()
