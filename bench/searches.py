"""The searches of Beliakov 2011 as printed, also among logarithms, and improved; with an outlier.

    python -m bench.searches --output bench/records/searches-….json

The textbook methods with which the paper compares its cutting plane. `how` has the steps of the
trace: as printed, nothing is copied, and no other method ends a search. Ratios are to the same
method and variant without an outlier. A method that does not converge is named in `fault`.
"""

from collections.abc import Iterator
from itertools import product

import click

from bench.adversaries import OUTLIERS, keys_of, measured
from bench.shared.benchmark import benchmark
from bench.shared.machines import Card, Machine, machine_option
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.shared.versions import Version

SEARCHES = ("cutting-plane", "bisection", "golden", "brent-root", "brent-min", "quasi-newton")
LOGARITHMS = (("transform", "log"),)


@benchmark("searches", __doc__, repeats=3)
@machine_option
@option("--n", type=COUNT, metavar="N", help="keys (default: 2^25; 2^20 with NumPy)")
@repeated("--dtype", help="float32 and float64; may be repeated")
@repeated("--method", type=click.Choice(SEARCHES), help="default: all")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield a row for each method, variant, and outlier."""
    n = options.n or (1 << 25 if isinstance(machine, Card) else 1 << 20)
    dtypes, methods = options.dtype or ("float32", "float64"), options.method or SEARCHES
    for dtype, method in product(dtypes, methods):
        for version in (
            Version(method, as_printed=True),
            Version(method, as_printed=True, options=LOGARITHMS),
            Version(method),
        ):
            usual: Row = {}
            for data in ("half-normal", *OUTLIERS):
                keys = keys_of(machine, data, n, dtype)
                row = measured(machine, keys, n // 2, version, options.repeats)
                usual = usual or row
                more, least = row["iterations"], max(usual["iterations"], 1)
                ratios = {"iterations_ratio": more / least, "ms_ratio": row["ms"] / usual["ms"]}
                head = {"method": method, "data": data, "dtype": dtype, "keys": n}
                yield {**head, **dict(version.options), **row, **ratios}


if __name__ == "__main__":
    main()
