"""The papers' tables, measured again: paper beside measured beside ratio, table by table.

    python -m bench.reproduce --output bench/records/reproduce-….json
    python -m bench.reproduce --output bench/records/reproduce-….json --resume
    python -m bench.reproduce --read bench/records/reproduce-….json

Each method that a paper prints runs as printed and in our version: on the GPU, or with NumPy if
there is no GPU, and then on fewer keys, as each line says. Every answer is checked, and each line
has the label of what ran, as its trace told it. The ratio is the paper's figure divided by the
measured one. For times, it says how many times faster the method is now. Methods as printed are
timed without the proof by counts, which no paper has, and ours with it.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import chain
from typing import Any

import click

from bench.papers import TABLES, Table, load
from bench.reproduce import alabi_2012, beliakov_2011, blanchard_2015
from bench.reproduce.lines import Line, Measure, Wanted, key, lines
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
from bench.shared.record import RESUME, Row, begun, recorded, resumed
from bench.shared.words import count_of, named, short
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

DISTRIBUTIONS = tuple(datasets.named("Beliakov")[: beliakov_2011.DATA_SETS])
"""Beliakov reports the mean over these."""

FEW = ("uniform", "normal", "mixture-3")

DEFAULTS: Mapping[str, Wanted] = {
    "CUDA": Wanted(99, 1 << 29, alabi_2012.RANKS, 10, DISTRIBUTIONS),
    "NumPy": Wanted(3, 1 << 18, 5, 1, FEW),
}
"""On a GPU every cell, and ten vectors for each rank; with NumPy a sample of small ones."""


@command(__doc__)
@machine_option
@repeated("--table", type=click.Choice(TABLES), metavar="NAME", help="default: every table")
@option("--sizes", type=int, metavar="COUNT", help="of each table (default: all; 3 with NumPy)")
@option("--largest", type=COUNT, metavar="N", help="most keys (default: 2^29; 2^18 with NumPy)")
@option("--ranks", type=int, metavar="COUNT", help="of Alabi's 25 (default: all; 5 with NumPy)")
@option("--vectors", type=int, metavar="COUNT", help="for each rank (default: 10; 1 with NumPy)")
@repeated(
    "--distribution",
    type=click.Choice(DISTRIBUTIONS),
    metavar="NAME",
    help=f"of Beliakov's nine (default: all; {', '.join(FEW)} with NumPy)",
)
@option("--repeats", type=int, default=3, help="of a single time; the median counts")
@output_option
@option(RESUME, is_flag=True, help="go on with the record in the file, which was interrupted")
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
    done = _done(record, options) if options.resume else []
    rows = chain(done, measurements(machine, options, done))
    _tell(record, recorded(record, rows, options.output))


def _done(record: dict[str, Any], options: Options) -> list[Row]:
    """Return the rows of the record that goes on."""
    if options.output is None or not options.output.exists():
        raise click.UsageError(f"{RESUME} goes on with the record of --output: name its file")
    try:
        return resumed(record, options.output)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def measurements(machine: Machine, options: Options, done: Collection[Row] = ()) -> Iterator[Row]:
    """Measure every table that is wanted, line by line, except the rows that are done."""
    wanted = wanted_of(machine, options)
    bench = Bench(machine, options.repeats)
    for name in options.table or TABLES:
        known = {key(row["of"], row["variant"]) for row in done if row["table"] == name}
        for line in lines(bench, load(name), wanted, HOW[name], known):
            yield {"table": name, **asdict(line)}


def wanted_of(machine: Machine, options: Options) -> Wanted:
    """Return what to measure: what was asked for, and otherwise what suits the machine."""
    usual = DEFAULTS[machine.name]
    return Wanted(
        options.sizes or usual.sizes,
        options.largest or usual.largest,
        min(options.ranks or usual.ranks, alabi_2012.RANKS),
        options.vectors or usual.vectors,
        tuple(options.distribution or usual.distributions),
    )


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
        f"{'':66}{'paper':>12}{'measured':>12}{'ratio':>10}"
    )


def told(line: Line) -> str:
    """Return a line of a table.

    Examples
    --------
    >>> told(Line({"n": 1 << 21, "method": "radix"}, "improved", "ms", 4.0, 2.0, 1 << 20))
    '  2^21, radix: improved ...         4           2         1  at 2^20, ratio of a key'
    """
    what = ", ".join(named(key, value) for key, value in line.of.items() if key != "unit")
    what += f": {line.variant}"
    figures = [f"{short(figure):>12}" for figure in (line.paper, line.measured)]
    notes = [line.why] if line.why else []
    if line.n and line.n != line.of.get("n", line.n):
        notes.insert(
            0, f"at {count_of(line.n)}" + (", ratio of a key" if line.unit == "ms" else "")
        )
    elif line.n and "n" not in line.of:
        notes.insert(0, f"at {count_of(line.n)}")
    tail = f"  {'; '.join(notes)}" if notes else ""
    return f"  {what:<64}{''.join(figures)}{short(line.ratio):>10}{tail}"


if __name__ == "__main__":
    main()
