"""Stream summaries beside a bare sort of their windows.

    python -m bench.streams --keys 1e8 --epsilon 1e-3 --output bench/records/streams-….json
    python -m bench.streams --workload sliding-quantiles --window 1e6 --window 1e7 --keys 1e8

A summary that breaks its guarantee ends the benchmark. All ways take turns, and the record has the
median turn. Shares are of the time of the summary, as in the paper's figure 6; the rest goes to the
search for NaNs, to slicing and to waiting. The bare sort has one thread. The sorter `numpy` has one
thread for each core, and `numpy-1` one. `pbsn-blend` draws as the paper does, with 16-bit floats if
the stream has them; other networks and methods are named alike. `by-size-fixed` gives small windows
to NumPy; `drawn_share` is the share of the sorted keys that was drawn. `cuda` gets the stream on
the device, `cuda-host` in pinned memory; an update ends when the summary is on the host. With
`--as-printed` the summaries do what the paper prints.

Figures 5 to 9 of Govindaraju et al. 2005 have 1e8 halves, `--dtype float16`, and several ε.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from bench.shared.benchmark import benchmark
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.streams import frequencies, quantiles
from bench.streams.timing import SORTERS, devices
from shadersort.errors import DeviceUnavailable
from shadersort.keys import datasets

WORKLOADS = quantiles.WORKLOADS | frequencies.WORKLOADS


def on_sorters(options: Options) -> AbstractContextManager[Mapping[str, Any] | None]:
    """Describe the devices of the sorters."""
    try:
        return nullcontext(devices(options.sorter))
    except DeviceUnavailable as error:
        raise click.ClickException(str(error)) from None


@benchmark("streams", __doc__, on=on_sorters, turns=3)
@repeated("--workload", type=click.Choice(list(WORKLOADS)), help="default: all")
@option("--keys", type=COUNT, default="1e7", help="length of the stream")
@repeated("--epsilon", type=float, help="default: 1e-2, 1e-3 and 1e-4")
@repeated("--window", type=COUNT, help="of sliding summaries (default: 1e6)")
@option("--data", default="uniform", type=click.Choice(list(datasets.DATASETS)))
@option("--dtype", default="float32")
@repeated("--sorter", type=click.Choice(list(SORTERS)), help="default: numpy and numpy-1")
@option("--as-printed", is_flag=True, help="the summaries as the paper prints them")
def main(_: Mapping[str, Any] | None, options: Options) -> Iterator[Row]:
    """Measure every workload with every sorter and error."""
    stream = datasets.make(options.data, options.keys, dtype="float32", seed=1)
    stream = stream.astype(options.dtype, copy=False)
    head = {"data": options.data, "dtype": stream.dtype.name, "keys": stream.size}
    for name in options.workload or WORKLOADS:
        for row in WORKLOADS[name](stream, options):
            yield {"workload": name, **head, **row}


if __name__ == "__main__":
    main()
