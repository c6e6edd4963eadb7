"""`shadersort bench`: the time of sorts on this machine, beside np.sort."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import product

import click
import numpy as np

from shadersort.cli.options import NumberRange, device_options, json_option, key_count, ways_option
from shadersort.cli.report import (
    Refusal,
    milliseconds,
    print_json,
    print_note,
    print_refusals,
    print_table,
    refused,
    table,
)
from shadersort.drawing.compile import METHODS
from shadersort.drawing.devices import Device, open_device
from shadersort.drawing.networks import NETWORKS, is_power_of_two
from shadersort.errors import DeviceUnusable, ShadersortError
from shadersort.keys.inputs import random_keys
from shadersort.names import CardName, DeviceName, NetworkName, SortMethod
from shadersort.sorting.timing import Timing, measure

SIZES_ON_GPU, SIZES_ON_CPU, SIZES_IN_SOFTWARE = (
    (1 << 12, 1 << 16, 1 << 20),
    (1 << 12, 1 << 16),
    (1 << 8, 1 << 12),
)
TYPES = ("float16", "float32", "int32", "uint32")


EXAMPLES = """\b
shadersort bench 4096 2^16 --device software --seconds 0
shadersort bench 1M --method fused --method blend --dtype float16 --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("counts", type=key_count, nargs=-1, metavar="[N]...")
@ways_option(multiple=True, network=list(NETWORKS), method=list(METHODS), note="all")
@device_options
@click.option(
    "--dtype",
    type=click.Choice(TYPES),
    default="float32",
    show_default=True,
    help="Type of the keys.",
)
@click.option(
    "--seconds",
    type=NumberRange(0, 3600),
    default=0.2,
    show_default=True,
    help="Approximate time for each line; each sort runs at least once.",
)
@json_option
def bench(
    counts: tuple[int, ...],
    network: tuple[NetworkName, ...],
    method: tuple[SortMethod, ...],
    device: DeviceName,
    profile: CardName | None,
    dtype: str,
    seconds: float,
    as_json: bool,
) -> None:
    """Time sorts of N random keys on this machine, beside np.sort.

    N is a power of two, such as 4096, 2^16 or 1M; several may be given. Each answer is checked
    against np.sort before it is timed. A time is the median of several runs: "program" is the
    drawing alone; "sort" includes transfers and merging. Sorts that cannot run here are listed with
    the reason.
    """
    if odd := [n for n in counts if not is_power_of_two(n) or n < 4]:
        raise click.UsageError(
            f"a benchmark fills whole textures: {odd[0]:,} is no power of two from 4 on"
        )
    with open_device(device, profile=profile) as opened:
        ways = list(product(counts or _sizes(opened), network, method))
        timings, refusals = _measured(opened, ways, dtype, seconds)
        report = {"device": opened.kind, "renderer": opened.renderer, "numpy": np.__version__}
    if not timings:
        raise refusals[0][1]
    if as_json:
        rows = [asdict(timing) for timing in timings]
        print_json({**report, "profile": profile, "rows": rows + refused(refusals)})
        return
    _print_timings(f"{opened.renderer}; np.sort of NumPy {np.__version__}", timings)
    print_refusals(refusals)


def _print_timings(title: str, timings: Sequence[Timing]) -> None:
    """Print times, one line for each way to sort."""
    columns = ("type", "network", "method", "keys", "program ms", "sort ms", "np.sort ms", "ratio")
    shown = table(title, *columns, left=3)
    for column in shown.columns[:3]:
        column.no_wrap = True
    for each in timings:
        times = (each.program_ms, each.sort_ms, each.numpy_ms)
        shown.add_row(
            *(each.dtype, each.network, each.method, f"{each.keys:,}"),
            *(milliseconds(value / 1e3) for value in times),
            f"{each.sort_ms / each.numpy_ms:,.1f}",
        )
    print_table(shown)
    print_note("ratio: sort to np.sort")


def _sizes(device: Device) -> tuple[int, ...]:
    """Return sizes that take about a minute in all."""
    if device.kind == "software":
        return SIZES_IN_SOFTWARE
    return SIZES_ON_GPU if device.hardware else SIZES_ON_CPU


def _measured(
    device: Device, ways: Sequence[tuple[int, NetworkName, SortMethod]], dtype: str, seconds: float
) -> tuple[list[Timing], list[Refusal]]:
    """Time each way to sort; return the times, and the errors of the impossible ways."""
    timings, refusals = [], []
    for n, network, method in ways:
        keys = random_keys(n, dtype, seed=n)
        try:
            timing = measure(device, keys, network=network, method=method, seconds=seconds)
        except DeviceUnusable:
            raise
        except ShadersortError as error:
            refusals.append(({"keys": n, "network": network, "method": method}, error))
        else:
            timings.append(timing)
    return timings, refusals
