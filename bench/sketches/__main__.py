"""Our summaries beside the sketches of other libraries, on the same ten streams.

    python -m bench.sketches --output bench/records/sketches-numpy.json
    python -m bench.sketches --keys 1e5 --turns 1

Peers are KLL, REQ, `frequent_items` and the t-digest of datasketches, DDSketch, and the t-digest of
fastdigest: `pip install '.[bench]'` has them all, and one that is missing is named.

Each sketch is checked against the sorted stream before it is timed; one that breaks what its
library promises for all cases ends the benchmark. The errors are the worst of 1,001 quantiles, as a
share of all values; of quantiles from 0.999 on, as a share of the values above; and of values, as a
share of the value. Of counts it is the worst of all items, as a share of all values.

All ways to feed a sketch take turns, and the record has the median turn. Values are float32. Where
a library takes no arrays, the time includes making a list. Our summaries run with one thread for
each core and with one thread; peers have one. Bytes are those of the sketch when it is serialised.
"""

from collections.abc import Iterator
from functools import partial

import click

from bench.shared.benchmark import benchmark, on_host
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.sketches.contestants import Contestant, missing, ours, peers
from bench.sketches.data import STREAMS
from bench.sketches.errors import Truth, checked
from bench.streams.timing import Way, measured, millions
from shadersort.keys.types import Keys

SORTERS = ("numpy", "numpy-1")
"""What sorts for our summaries: one thread for each core, and one thread."""


@benchmark("sketches", __doc__, on=on_host, turns=3)
@option("--keys", type=COUNT, default=10**7, help="length of each stream")
@repeated("--data", type=click.Choice(list(STREAMS)), help="default: all ten")
def main(_: Machine, options: Options) -> Iterator[Row]:
    """Yield why peers are missing, then a row for each stream, sketch and way to feed it."""
    for name, why in missing().items():
        yield {"method": name, "why": why}
    for data in options.data or STREAMS:
        stream = STREAMS[data](options.keys)
        for row in _of_stream(stream, options.turns):
            yield {"data": data, "keys": stream.size, **row}


def _of_stream(stream: Keys, turns: int) -> Iterator[Row]:
    """Yield a row for each sketch of a stream, each way to feed it, and each sorter."""
    truth = Truth(stream)
    cases = {", ".join((each.name, fed, by)): (each, fed, by) for each, fed, by in _cases()}
    ways = {
        name: Way(partial(each.run, fed, stream), partial(checked, each, truth=truth))
        for name, (each, fed, _) in cases.items()
    }
    for name, (last, found) in measured(ways, turns).items():
        each, fed, sorter = cases[name]
        yield {
            **{"method": each.name, "fed": fed, "sorter": sorter},
            "mvalues_per_s": millions(stream.size, last),
            "bytes": len(each.to_bytes(last.summary)),
            **found,
        }


def _cases() -> Iterator[tuple[Contestant, str, str]]:
    """Yield every sketch with every way to feed it, and with what sorts for it."""
    for sorter in SORTERS:
        yield from ((each, fed, sorter) for each in ours(sorter) for fed in each.feeds)
    yield from ((each, fed, "") for each in peers() for fed in each.feeds)


if __name__ == "__main__":
    main()
