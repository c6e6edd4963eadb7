"""Measures what the papers claim in words: iterations, wrong answers, keys left, errors, shares.

    python -m bench.claims --device numpy --output bench/records/claims-numpy.json
    python -m bench.claims --device cuda --output bench/records/claims-nvidia-h200.json

Each row has the label of what ran, as the trace or the sorter tells it. A selection that counts
refute, or that does not converge, is named in `fault`. `--part` chooses parts: `minimising` for
Beliakov 2011, `bucketing` for Alabi et al. 2012, `many-ranks` for Blanchard et al. 2015,
`summaries` for the streams of Govindaraju et al. 2005, which NumPy sorts, and `times`, which are
measured on a GPU only. `bench.report` computes its tables of claims from the records.
"""

from collections.abc import Callable, Iterator

import click

from bench.claims.measured import bucketing, many_ranks, minimising, summaries, times
from bench.claims.measured.run import Run
from bench.shared.benchmark import benchmark
from bench.shared.machines import Machine, machine_option
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row

PARTS: dict[str, Callable[[Run], Iterator[Row]]] = {
    "minimising": minimising.rows,
    "bucketing": bucketing.rows,
    "many-ranks": many_ranks.rows,
    "summaries": summaries.rows,
    "times": times.rows,
}
"""What is measured, by name."""


@benchmark("claims", __doc__)
@machine_option
@option("--n", type=COUNT, metavar="N", help="keys (default: 2^25; 2^20 with NumPy)")
@option("--most", type=COUNT, metavar="N", help="most keys at k = 2 (default: 2^29; 2^23)")
@option("--trials", type=int, help="of what is left to chance (default: 50; 20 with NumPy)")
@option("--stream", type=COUNT, default="1e6", metavar="N", help="values of a stream")
@repeated("--part", type=click.Choice(list(PARTS)), help="default: all parts")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every part that is wanted."""
    run = Run.of(machine, options)
    for name in options.part or PARTS:
        yield from PARTS[name](run)


if __name__ == "__main__":
    main()
