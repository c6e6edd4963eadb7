"""Prints records of sorting, or of the ladder of methods, as one Markdown table.

    python -m bench.table bench/records/ladder-*.json

A column is one record and one number of keys. A cell has the milliseconds, and in brackets how many
times faster that is than the paper's way, PBSN by blending, in the same record.
"""

from collections.abc import Iterable, Iterator

from bench.shared.options import PATH, Options, argument, command, option, repeated
from bench.shared.record import Record, read
from bench.shared.words import three

PAPER = "pbsn", "blend"

Column = dict[tuple[str, str], float]
"""Milliseconds of each network and method; a peer has no network."""


@command(__doc__)
@argument("records", nargs=-1, required=True, type=PATH)
@option("--dtype", default="float32", help="float32 or float16")
@repeated("--keys", type=int, metavar="P", help="only 2**P keys")
def main(options: Options) -> None:
    """Print the table."""
    records = [read(path) for path in options.records]
    print(*markdown(records, options.dtype, options.keys), sep="\n")


def markdown(
    records: Iterable[Record], dtype: str = "float32", powers: Iterable[int] = ()
) -> Iterator[str]:
    """Yield the lines of the table."""
    columns: dict[str, Column] = {}
    for record in records:
        columns |= columns_of(record, dtype, powers)
    yield "| network | method | " + " | ".join(columns) + " |"
    yield "|---|---|" + "--:|" * len(columns)
    most_first = sorted(
        columns.values(), key=len, reverse=True
    )  # an older record may lack a method
    for way in dict.fromkeys(way for column in most_first for way in column):
        yield f"| {way[0]} | {way[1]} | {' | '.join(cell(c, way) for c in columns.values())} |"


def columns_of(record: Record, dtype: str, powers: Iterable[int]) -> dict[str, Column]:
    """Return the columns of a record, by their titles."""
    found: dict[str, Column] = {}
    for row in record.rows:
        power = row["keys"].bit_length() - 1
        if row.get("dtype", "float32") == dtype and (not powers or power in powers):
            column = found.setdefault(f"{record.label}, 2^{power} keys", {})
            column[row["network"], row["method"]] = row["program_ms"]
            if "numpy_ms" in row:
                column["", "np.sort"] = row["numpy_ms"]
    return found


def cell(column: Column, way: tuple[str, str]) -> str:
    """Return the cell of one way to sort."""
    if way not in column:
        return ""
    took, faster = column[way], column[PAPER] / column[way]
    return f"{three(took)} ms ({faster:,.1f}×)"


if __name__ == "__main__":
    main()
