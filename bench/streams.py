"""Stream summaries beside a bare sort of their windows, and beside those of datasketches.

    python -m bench.streams                                # 10M float32, ε from 1e-2 to 1e-4
    python -m bench.streams --keys 1e8 --epsilon 1e-3 --output bench/records/streams-….json
    python -m bench.streams --workload sliding-quantiles --window 1e6 --window 1e7 --keys 1e8

Each answer is checked against the sorted stream before anything is timed: a summary that is off by
more than it promised ends the benchmark. Of each way the median of some turns is told, all ways
taking turns; the shares are of the time of the summary, as in the paper's figure 6, and what is
left of it is for looking for NaNs, for slicing and for waiting. The bare sort and KLL have one
thread; the sorter `numpy` has one for each core, and `numpy-1` one. `cuda` finds the stream on the
device, `cuda-host` in pinned memory; an update has ended when what is held is on the host.

Figures 7 and 9 of Govindaraju, Raghuvanshi and Manocha 2005 are `quantiles` and
`sliding-quantiles` with 1e8 halves, `--dtype float16`, and several ε; figures 5, 6 and 8 are
`frequencies` and `sliding-frequencies`, which are measured on Zipf's distribution, too. Peers are
timed where datasketches is installed: `pip install '.[bench]'`.
"""

import argparse
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bench import streams_frequencies
from bench.options import command_line
from bench.record import environment, recorded
from bench.stream_ways import PART, SORTERS, Row, Ways, account, devices, placed, timed, updated
from shadersort import QuantileSummary, SlidingQuantiles
from shadersort.errors import DeviceUnavailable
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.streams.rank_answers import RanksAnswered

__all__ = ["WORKLOADS", "checked", "main", "measurements", "parser"]

GRID = np.arange(1001) / 1000


def main() -> None:
    """Run the benchmark."""
    options = parser().parse_args()
    try:
        used = devices(options.sorter or [])
    except DeviceUnavailable as error:
        raise SystemExit(f"bench.streams: {error}") from None
    record: Row = {"benchmark": "streams", **environment(used), "rows": []}
    print(f"NumPy {record['versions']['numpy']}, {record['host']['cpu']}\n")
    recorded(record, measurements(options), _told, options.output)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    options = command_line("bench.streams", __doc__)
    add = options.add_argument
    add("--workload", action="append", choices=WORKLOADS, help="default: all")
    add("--keys", type=_count, default=10**7, help="length of the stream (default 1e7)")
    add("--epsilon", action="append", type=float, help="default: 1e-2, 1e-3 and 1e-4")
    add("--window", action="append", type=_count, help="of sliding summaries (default 1e6)")
    add("--data", default="uniform", choices=datasets.DATASETS, help="default: uniform")
    add("--dtype", default="float32", help="default: float32")
    add("--sorter", action="append", choices=SORTERS, help="default: numpy and numpy-1")
    add("--turns", type=int, default=3, help="of which the median is told (default 3)")
    add("--output", type=Path, help="record the measurements in this file")
    return options


def _count(text: str) -> int:
    return int(float(text))


def measurements(options: argparse.Namespace) -> Iterator[Row]:
    """Measure every workload with every sorter and error."""
    stream = datasets.make(options.data, options.keys, dtype="float32", seed=1)
    stream = stream.astype(options.dtype, copy=False)
    head = {"data": options.data, "dtype": stream.dtype.name, "keys": stream.size}
    for name in options.workload or WORKLOADS:
        for row in WORKLOADS[name](stream, options):
            yield {"workload": name, **head, **row}


def _quantiles(stream: Keys, options: argparse.Namespace) -> Iterator[Row]:
    """Summarise the whole stream."""
    ordered = np.sort(stream, kind="stable")
    epsilons = options.epsilon or [1e-2, 1e-3, 1e-4]
    sorters = options.sorter or ["numpy", "numpy-1"]
    for epsilon, sorter in product(epsilons, sorters):
        given = placed(stream, sorter)
        made = updated(QuantileSummary(epsilon, sorter=SORTERS[sorter]()), given)
        worst = checked(made, ordered)
        window = min(made.window, stream.size)
        whole = stream[: stream.size // window * window].reshape(-1, window)
        kind: Literal["stable"] | None = "stable" if stream.itemsize == 2 else None
        ways: Ways = {
            "QuantileSummary": lambda: updated(
                QuantileSummary(epsilon, sorter=SORTERS[sorter]()),  # noqa: B023  # run at once
                given,  # noqa: B023
            ),
        }
        if sorter == sorters[0]:  # the others are not asked who sorts
            ways["np.sort of the windows"] = lambda: np.sort(whole, axis=1, kind=kind)  # noqa: B023
        if sorter == sorters[0] and importlib.util.find_spec("datasketches"):
            _check_kll(_kll(stream), ordered)
            ways["KLL, k=200"] = lambda: _kll(stream)
        told = {"epsilon": epsilon, "sorter": sorter}
        for way, seconds, last in timed(ways, options.turns):
            row = {**told, "method": way, "mvalues_per_s": round(stream.size / seconds / 1e6, 2)}
            yield row | (account(last, worst) if way == "QuantileSummary" else {})


def _sliding_quantiles(stream: Keys, options: argparse.Namespace) -> Iterator[Row]:
    """Summarise the last values of the stream: of one length of window, and of all."""
    epsilons, windows = options.epsilon or [1e-2, 1e-3], options.window or [10**6]
    for epsilon, window, sorter in product(
        epsilons, windows, options.sorter or ["numpy", "numpy-1"]
    ):
        ordered = np.sort(stream[-window:], kind="stable")
        given = placed(stream, sorter)
        for shortest in (window, 1):

            def run() -> SlidingQuantiles:
                summary = SlidingQuantiles(
                    epsilon,  # noqa: B023  # run at once
                    window,  # noqa: B023
                    shortest=shortest,  # noqa: B023
                    sorter=SORTERS[sorter](),  # noqa: B023
                )
                summary.update(given)  # noqa: B023
                return summary

            worst = checked(run(), ordered)
            way = "SlidingQuantiles"
            told = {"epsilon": epsilon, "sorter": sorter, "window": window, "shortest": shortest}
            for _, seconds, last in timed({way: run}, options.turns):
                speed = round(stream.size / seconds / 1e6, 2)
                held = account(last, worst)
                yield {**told, "method": way, "mvalues_per_s": speed, **held}


WORKLOADS: Mapping[str, Callable[[Keys, argparse.Namespace], Iterator[Row]]] = {
    "quantiles": _quantiles,
    "sliding-quantiles": _sliding_quantiles,
    **streams_frequencies.WORKLOADS,
}


def checked(summary: RanksAnswered, ordered: Keys) -> float:
    """Return by how much the worst quantile is off, as a share; it is as was promised."""
    found, n = summary.quantile(GRID), ordered.size
    first = np.searchsorted(ordered, found, side="left") + 1
    last = np.searchsorted(ordered, found, side="right")
    wanted = np.maximum(1, np.ceil(GRID * n))
    worst = float(np.maximum(first - wanted, wanted - last).max())
    epsilon: float = summary.epsilon  # type: ignore[attr-defined]
    if worst > epsilon * n + 1:  # one for the rounding of a rank
        raise AssertionError(f"a quantile is off by {worst} ranks of {n}: ε is {epsilon}")
    return max(0.0, worst) / n


def _kll(stream: Keys) -> Any:
    import datasketches

    sketch = datasketches.kll_floats_sketch(200)
    for first in range(0, stream.size, PART):
        sketch.update(stream[first : first + PART].astype(np.float32, copy=False))
    return sketch


def _check_kll(sketch: Any, ordered: Keys) -> None:
    """Let the peer be no broken one: its error is 1.33 %, with 99 % confidence."""
    found = np.array(sketch.get_quantiles(GRID[1:-1]))
    off = np.abs(np.searchsorted(ordered, found) / ordered.size - GRID[1:-1])
    if off.max() > 0.03:
        raise AssertionError(f"KLL is off by {off.max():.3f}")


def _told(row: Row) -> str:
    window = f" last {row['window']:,}, n ≥ {row['shortest']:,}" if "window" in row else ""
    head = f"{row['data']:<16} {row['epsilon']:<8g} {row['sorter']:<9} {row['method'] + window:<52}"
    line = f"{head} {row['mvalues_per_s']:>8.1f} M/s"
    if "entries" in row:
        shares = " ".join(
            f"{name.removesuffix('_share')} {100 * row[name]:.0f}%"
            for name in row
            if name.endswith("_share")
        )
        line += f"  {row['entries']:>9,} entries, worst {row['worst']:.2g}; {shares}"
    return line


if __name__ == "__main__":
    main()
