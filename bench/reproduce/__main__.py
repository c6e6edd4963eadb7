"""The papers' tables, measured again, cell by cell.

    python -m bench.reproduce --output bench/records/reproduce-….json

Each method that a paper prints runs as printed, without the proof by counts, and in our version,
with it: on the GPU, or with NumPy if there is no GPU, and then on fewer keys, as each row says. A
row has the label of what ran, as its trace told it, and the steps of the trace.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace

import click

from bench.papers import TABLES, load
from bench.reproduce import alabi_2012, beliakov_2011, blanchard_2015
from bench.reproduce.lines import Measure, Wanted, lines
from bench.reproduce.timing import Bench
from bench.shared.benchmark import benchmark
from bench.shared.machines import Machine, machine_option
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from shadersort.keys import datasets

HOW: Mapping[str, Measure] = {
    **dict.fromkeys(["beliakov-2011-1", "beliakov-2011-2"], beliakov_2011.median),
    "alabi-2012-1": alabi_2012.memory,
    **dict.fromkeys([f"alabi-2012-{number}" for number in range(2, 7)], alabi_2012.one_rank),
    **dict.fromkeys([f"alabi-2012-{number}" for number in range(7, 10)], alabi_2012.ratio),
    "blanchard-2015-1": blanchard_2015.crossover,
    "blanchard-2015-2": blanchard_2015.phases,
    "blanchard-2015-3": blanchard_2015.memory,
    **dict.fromkeys(["blanchard-2015-4", "blanchard-2015-5"], blanchard_2015.many),
}
"""How the cells of each table are measured."""

DISTRIBUTIONS = tuple(datasets.names_of("Beliakov")[: beliakov_2011.DATA_SETS])
"""Beliakov reports the mean over these."""

FEW = ("uniform", "normal", "mixture-3")

DEFAULTS: Mapping[str, Wanted] = {
    "CUDA": Wanted(99, 1 << 29, alabi_2012.RANKS, 10, DISTRIBUTIONS),
    "NumPy": Wanted(3, 1 << 18, 5, 1, FEW),
}
"""On a GPU every cell, and ten vectors for each rank; with NumPy a sample of small ones."""


@benchmark("reproduce", __doc__, repeats=3)
@machine_option
@repeated("--table", type=click.Choice(TABLES), metavar="NAME", help="default: every table")
@option("--largest", type=COUNT, metavar="N", help="most keys (default: 2^29; 2^18 with NumPy)")
@option("--ranks", type=int, metavar="COUNT", help="of Alabi's 25 (default: all; 5 with NumPy)")
@option("--vectors", type=int, metavar="COUNT", help="for each rank (default: 10; 1 with NumPy)")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every table that is wanted, line by line."""
    given = {name: getattr(options, name) for name in ("largest", "ranks", "vectors")}
    wanted = replace(DEFAULTS[machine.name], **{name: it for name, it in given.items() if it})
    bench = Bench(machine, options.repeats)
    for name in options.table or TABLES:
        for line in lines(bench, load(name), wanted, HOW[name]):
            yield {"table": name, **asdict(line)}


if __name__ == "__main__":
    main()
