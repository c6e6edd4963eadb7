"""Our summaries beside the sketches of other libraries, on the same ten streams.

    python -m bench.sketches --output bench/records/sketches-numpy.json

Peers are KLL, REQ, `frequent_items` and the t-digest of datasketches, and DDSketch:
`pip install '.[bench]'` has them, and one that is missing is named. One that breaks what its
library promises for all cases ends the benchmark. The errors are the worst of 1,001 quantiles, as a
share of all values; of quantiles from 0.999 on, as a share of the values above; and of values, as a
share of the value. Of counts it is the worst of all items, as a share of all values.

All ways to feed a sketch take turns, and the record has the median turn. Where a library takes no
arrays, the time includes making a list. Everything has one thread. Bytes are those of the
serialised sketch.
"""

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

import click

from bench.shared.benchmark import benchmark, on_host
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.sketches.contestants import LIBRARIES, Contestant, ours
from bench.sketches.data import STREAMS
from bench.sketches.errors import Truth
from bench.streams.timing import Way, measured, millions
from shadersort.keys.types import Keys


@benchmark("sketches", __doc__, on=on_host, turns=3)
@option("--keys", type=COUNT, default="1e7", help="length of each stream")
@repeated("--data", type=click.Choice(list(STREAMS)), help="default: all ten")
def main(_: Machine, options: Options) -> Iterator[Row]:
    """Yield which peers are missing, then a row for each stream, sketch and way to feed it."""
    some = list(ours("numpy-1"))
    for library, sketches in LIBRARIES.items():
        if find_spec(library):
            some += sketches()
        else:
            yield {"method": library, "why": "not installed"}
    for data in options.data or STREAMS:
        stream = STREAMS[data](options.keys)
        for row in _of_stream(stream, some, options.turns):
            yield {"data": data, "keys": stream.size, **row}


def _of_stream(stream: Keys, some: list[Contestant], turns: int) -> Iterator[Row]:
    """Yield a row for each sketch of a stream, and each way to feed it."""
    truth = Truth(stream)
    cases = {f"{each.name}, {fed}": (each, fed) for each in some for fed in each.feeds}
    ways = {
        name: Way(partial(each.run, fed, stream), partial(truth.check, each))
        for name, (each, fed) in cases.items()
    }
    for name, (last, found) in measured(ways, turns).items():
        each, fed = cases[name]
        yield {
            **{"method": each.name, "fed": fed, "sorter": each.sorter},
            "mvalues_per_s": millions(stream.size, last),
            "bytes": len(each.to_bytes(last.summary)),
            **found,
        }


if __name__ == "__main__":
    main()
