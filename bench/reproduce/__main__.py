"""The papers' tables, measured again: paper beside measured beside ratio, table by table.

    python -m bench.reproduce --sizes 8 --output bench/records/reproduce-….json
    python -m bench.reproduce --read bench/records/reproduce-….json

The methods of this package run on the GPU, or with NumPy if there is no GPU: then on fewer keys, as
each line says. Every answer is checked before it is timed. The ratio is the paper's figure divided
by the measured one. For times, it says how many times faster the method is now.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import click

from bench.papers import TABLES, Table, load
from bench.reproduce.cells import DATA_SETS, RANKS, Line, Wanted, lines
from bench.reproduce.timing import Bench
from bench.shared.machines import Machine, machine_option, opened
from bench.shared.options import (
    COUNT,
    Options,
    command,
    option,
    output_option,
    read_option,
    repeated,
)
from bench.shared.record import Row, begun, recorded
from bench.shared.words import count_of, named, short
from shadersort.keys import datasets

LARGEST = {"CUDA": 1 << 29, "NumPy": 1 << 18}
"""The default of the largest number of keys."""

DISTRIBUTIONS = datasets.named("Beliakov")[:DATA_SETS]
"""Beliakov reports the mean over these."""

FEW = ("uniform", "normal", "mixture-3")
"""The default: the paper saw no significant difference between distributions."""


@command(__doc__)
@machine_option
@repeated("--table", type=click.Choice(TABLES), metavar="NAME", help="default: every table")
@option("--sizes", type=int, default=3, metavar="COUNT", help="of each table")
@option("--largest", type=COUNT, metavar="N", help="most keys (default: 2^29; 2^18 with NumPy)")
@option("--ranks", type=int, default=5, metavar="COUNT", help=f"of Alabi's {RANKS}")
@repeated(
    "--distribution",
    type=click.Choice(DISTRIBUTIONS),
    help=f"of Beliakov's (default: {', '.join(FEW)})",
)
@option("--repeats", type=int, default=3, help="of each; the median counts")
@output_option
@read_option
def main(options: Options) -> None:
    """Run the benchmark, or print its record."""
    if options.read:
        record = json.loads(options.read.read_text(encoding="utf-8"))
        names = options.table or TABLES
        _tell(record, [row for row in record["rows"] if row["table"] in names])
        return
    machine = opened(options.device)
    record = begun("reproduce", machine.described())
    _tell(record, recorded(record, measurements(machine, options), options.output))


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every table that is wanted, line by line."""
    wanted = Wanted(
        options.sizes,
        options.largest or LARGEST[machine.name],
        min(options.ranks, RANKS),
        tuple(options.distribution or FEW),
    )
    bench = Bench(machine, options.repeats)
    for name in options.table or TABLES:
        for line in lines(bench, load(name), wanted):
            yield {"table": name, **asdict(line)}


def _tell(record: dict[str, Any], rows: Iterable[Row]) -> None:
    """Print rows as they come, each table below its title."""
    device = record["device"].get("renderer", f"NumPy on {record['host']['cpu']}")
    print(f"measured on {device}, {record['date'][:10]}; ratio: paper / measured")
    last = ""
    for row in rows:
        if row["table"] != last:
            last = row["table"]
            print(f"\n{title(load(last))}")
        print(told(Line.of_row(row)))


def title(table: Table) -> str:
    """Return the title of a table."""
    note = f"\n  note: {table.note}" if table.note else ""
    return (
        f"{table.paper}, table {table.table}: {table.fact}\n"
        f"  {table.device}, in {table.unit}{note}\n"
        f"{'':58}{'paper':>12}{'measured':>12}{'ratio':>10}"
    )


def told(line: Line) -> str:
    """Return a line of a table.

    Examples
    --------
    >>> told(Line({"n": 1 << 21, "method": "radix"}, "ms", 4.0, 2.0, 1 << 20))
    '  2^21, radix ...         4           2         1  at 2^20, ratio of a key'
    """
    what = ", ".join(named(key, value) for key, value in line.of.items() if key != "unit")
    figures = [f"{short(figure):>12}" for figure in (line.paper, line.measured)]
    notes = [line.why] if line.why else []
    if line.n and line.n != line.of.get("n", line.n):
        notes.insert(
            0, f"at {count_of(line.n)}" + (", ratio of a key" if line.unit == "ms" else "")
        )
    elif line.n and "n" not in line.of:
        notes.insert(0, f"at {count_of(line.n)}")
    tail = f"  {'; '.join(notes)}" if notes else ""
    return f"  {what:<56}{''.join(figures)}{short(line.ratio):>10}{tail}"


if __name__ == "__main__":
    main()
