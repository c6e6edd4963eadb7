"""The papers' tables, measured again: paper beside measured beside ratio, table by table.

    python -m bench.reproduce --sizes 8 --output bench/records/reproduce-….json
    python -m bench.reproduce --read bench/records/reproduce-….json

The methods of this repository run on the GPU, or on NumPy where there is none: then on fewer keys,
which each line says. Every answer is checked before it is timed. The ratio is the paper's figure
over the one measured: of times, how many times faster it is now.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.compared import DATA_SETS, RANKS, Line, Wanted, lines
from bench.machines import Host, Machine, a_card, best
from bench.measuring import Bench
from bench.options import add_record, command_line, keys
from bench.papers import TABLES, Table, load
from bench.record import environment, write
from shadersort.errors import ShadersortError
from shadersort.keys import datasets

__all__ = ["count_of", "main", "measurements", "named", "parser", "short", "told"]

LARGEST = {"CUDA": 1 << 29, "NumPy": 1 << 18}
"""Keys that are measured at most, unless told."""

DISTRIBUTIONS = datasets.named("Beliakov")[:DATA_SETS]
"""What Beliakov took the mean over."""

FEW = ("uniform", "normal", "mixture-3")
"""Some of them: the paper saw no significant difference."""

Row = dict[str, Any]


def main() -> None:
    """Run the benchmark, or print its record."""
    options = parser().parse_args()
    if options.read:
        _print_record(json.loads(options.read.read_text(encoding="utf-8")), options.table)
        return
    try:
        machine = MACHINES[options.device]()
    except ShadersortError as error:
        raise SystemExit(f"bench.reproduce: {error}") from None
    record: Row = {"benchmark": "reproduce", **environment(machine.described()), "rows": []}
    print(_head(record))
    for table, line in measurements(machine, options):
        if not record["rows"] or record["rows"][-1]["table"] != table.name:
            print(f"\n{title(table)}")
        record["rows"].append({"table": table.name, **asdict(line)})
        print(told(line))
        if options.output:
            write(options.output, record)


MACHINES = {"auto": best, "cuda": a_card, "numpy": Host}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    options = command_line("bench.reproduce", __doc__)
    add = options.add_argument
    add("--device", default="auto", choices=MACHINES, help="auto (default): the GPU, else NumPy")
    add("--table", action="append", choices=TABLES, metavar="NAME", help="default: every table")
    add("--sizes", type=int, default=3, metavar="COUNT", help="of each table (default 3)")
    add("--largest", type=keys, metavar="N", help="most keys (default 2^29; 2^18 on NumPy)")
    add("--ranks", type=int, default=5, metavar="COUNT", help=f"of Alabi's {RANKS} (default 5)")
    add(
        "--distribution",
        action="append",
        choices=DISTRIBUTIONS,
        metavar="NAME",
        help=f"Beliakov's: {', '.join(DISTRIBUTIONS)} (default: {', '.join(FEW)})",
    )
    add("--repeats", type=int, default=3, help="of each, the median counts (default 3)")
    add_record(options)
    return options


def measurements(machine: Machine, options: argparse.Namespace) -> Iterator[tuple[Table, Line]]:
    """Measure every table that is wanted."""
    wanted = Wanted(
        options.sizes,
        options.largest or LARGEST[machine.name],
        min(options.ranks, RANKS),
        tuple(options.distribution or FEW),
    )
    bench = Bench(machine, options.repeats)
    for name in options.table or TABLES:
        table = load(name)
        for line in lines(bench, table, wanted):
            yield table, line


def title(table: Table) -> str:
    """Return what is printed above a table."""
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


def named(key: str, value: Any) -> str:
    """Return how a column or a row of a table is called."""
    if key == "n":
        return count_of(value)
    if key in ("ranks", "distinct"):
        return f"{value:,} {key}"
    return f"{value} faster" if key == "faster" else str(value)


def count_of(n: int) -> str:
    """Return a number of keys, as a power of two if it is one."""
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def short(figure: float | None) -> str:
    """Return a figure with four digits, or a dash."""
    if figure is None:
        return "–"
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.4g}"


def _head(record: Row) -> str:
    device = record["device"].get("renderer", f"NumPy on {record['host']['cpu']}")
    return f"measured on {device}, {record['date'][:10]}; ratio: paper / measured"


def _print_record(record: Row, names: list[str] | None) -> None:
    print(_head(record))
    last = ""
    for row in record["rows"]:
        name = row.pop("table")
        if names and name not in names:
            continue
        if name != last:
            print(f"\n{title(load(name))}")
        print(told(Line(**row)))
        last = name


if __name__ == "__main__":
    main()
