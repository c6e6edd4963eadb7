"""`shadersort estimate` and `bench`: what each way to sort costs, on a card or on this machine."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

import click
import numpy as np

from shadersort.cli.failures import message_of
from shadersort.cli.options import device_option, json_option, key_count, way_options
from shadersort.cli.report import milliseconds, print_json, print_note, print_table
from shadersort.drawing.compile import METHODS
from shadersort.drawing.cost.estimate import estimate as price
from shadersort.drawing.cost.estimate import resolved
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.devices import open_device
from shadersort.drawing.networks import NETWORKS, is_power_of_two
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import DeviceUnusable, ShadersortError
from shadersort.keys.inputs import random_keys
from shadersort.names import CardName, DeviceName, NetworkName, SortMethod
from shadersort.sorting.timing import measure

CARD: CardName = "geforce-6800-ultra"
SIZES = {"software": (1 << 8, 1 << 12), "window": (1 << 12, 1 << 16), "egl": (1 << 12, 1 << 16)}
"""Numbers of keys by the kind of device; on a GPU, 2^20 keys follow."""
SECONDS = 0.2
"""The time of a line of `bench`, about; each sort runs at least once."""
ESTIMATE_EXAMPLES = """\b
shadersort estimate 8M --network pbsn --network bitonic
shadersort estimate 2^20 8e6 --method blend --method fragment --json
"""
BENCH_EXAMPLES = """\b
shadersort bench 4096 2^16 --device software
shadersort bench 1M --method fused --method blend --json
"""
Rows = list[dict[str, Any]]
"""The keys, the network and the method of sorts, with their cost, or why each is impossible."""


@click.command(epilog=ESTIMATE_EXAMPLES)
@click.argument("counts", type=key_count, nargs=-1, required=True, metavar="N...")
@way_options(["pbsn"], ["blend"])
@json_option
def estimate(
    counts: tuple[int, ...],
    network: tuple[NetworkName, ...],
    method: tuple[SortMethod, ...],
    as_json: bool,
) -> None:
    """Compute the cost of a sort of N keys on the graphics card of 2005, from its data sheet.

    N is written as 8000000, 8e6, 2^23 or 8M; K, M and G are powers of 1024, as in the paper. The
    cost is that of the passes which `sort` would draw; nothing is drawn. Sorts that the card cannot
    draw are listed with the reason.
    """

    def cost(n: int, net: NetworkName, way: SortMethod) -> dict[str, Any]:
        drawn_by = resolved(way, PROFILES[CARD])
        found = price(n, network=net, method=drawn_by)
        return {"profile": CARD, **asdict(found), "seconds": found.seconds, "method": drawn_by}

    done, impossible = _try_all(cost, counts, network, method)
    if as_json:
        print_json(done + impossible)
        return
    columns = ("keys", "network", "method", "passes", "comparisons", "drawing ms", "bus ms", "ms")
    shown = [
        (
            *(f"{row['keys']:,}", row["network"], row["method"]),
            *(f"{row['passes']:,}", f"{row['comparisons']:.3g}"),
            *(milliseconds(row[of]) for of in ("gpu_seconds", "transfer_seconds", "seconds")),
        )
        for row in done
    ]
    print_table(CARD, columns, shown, left=(1, 2))
    _print_impossible(impossible)


@click.command(epilog=BENCH_EXAMPLES)
@click.argument("counts", type=key_count, nargs=-1, metavar="[N]...")
@way_options(list(NETWORKS), list(METHODS))
@device_option
@json_option
def bench(
    counts: tuple[int, ...],
    network: tuple[NetworkName, ...],
    method: tuple[SortMethod, ...],
    device: DeviceName,
    as_json: bool,
) -> None:
    """Time sorts of N random float32 keys on this machine, beside np.sort.

    N is a power of two, such as 4096, 2^16 or 1M; several may be given. Each answer is checked
    against np.sort before it is timed. A time is the median of several runs: "program" is the
    drawing alone; "sort" includes transfers and merging. Sorts that cannot run here are listed with
    the reason.
    """
    if odd := [n for n in counts if not is_power_of_two(n) or n < CHANNELS]:
        raise click.UsageError(
            f"a benchmark fills whole textures: {odd[0]:,} is no power of two from 4 on"
        )
    with open_device(device) as opened:
        counts = counts or SIZES[opened.kind] + (1 << 20,) * opened.hardware

        def times(n: int, net: NetworkName, way: SortMethod) -> dict[str, Any]:
            keys = random_keys(n, np.float32, seed=n)
            return asdict(measure(opened, keys, network=net, method=way, seconds=SECONDS))

        done, impossible = _try_all(times, counts, network, method)
        told = {"device": opened.kind, "renderer": opened.renderer, "numpy": np.__version__}
    if as_json:
        print_json({**told, "rows": done + impossible})
        return
    columns = ("network", "method", "keys", "program ms", "sort ms", "np.sort ms", "ratio")
    shown = [
        (
            *(row["network"], row["method"], f"{row['keys']:,}"),
            *(milliseconds(row[of] / 1e3) for of in ("program_ms", "sort_ms", "numpy_ms")),
            f"{row['sort_ms'] / row['numpy_ms']:,.1f}",
        )
        for row in done
    ]
    title = f"{told['renderer']}; np.sort of NumPy {told['numpy']}"
    print_table(title, columns, shown, left=(0, 1))
    print_note("ratio: sort to np.sort")
    _print_impossible(impossible)


def _try_all(cost: Callable[..., dict[str, Any]], *ways: Sequence[Any]) -> tuple[Rows, Rows]:
    """Return what each way to sort costs, and why others are impossible; one must be possible."""
    done, impossible, first = Rows(), Rows(), None
    for n, network, method in product(*ways):
        way = {"keys": n, "network": network, "method": method}
        try:
            done.append(way | cost(n, network, method))
        except DeviceUnusable:
            raise
        except ShadersortError as error:
            first = first or error
            impossible.append(way | {"impossible": message_of(error)})
    if not done and first:
        raise first
    return done, impossible


def _print_impossible(rows: Rows) -> None:
    """Print the impossible sorts, grouped by reason."""
    for reason in dict.fromkeys(row["impossible"] for row in rows):
        print_note("", f"Not possible: {reason}.")
        for row in rows:
            if row["impossible"] == reason:
                print_note(f"  {row['network']} by {row['method']}, {row['keys']:,} keys")
