"""Print recorded benchmarks of sorting, or of the ladder of methods, as one Markdown table.

    python -m bench.table bench/records/ladder-*.json

A column is one record and one number of keys: milliseconds, and how much faster that is than the
paper's way, PBSN by blending, in the same record.
"""

import json
from pathlib import Path
from typing import Any

from bench.options import command_line

__all__ = ["main"]

PAPER = "pbsn", "blend"

Column = dict[tuple[str, str], float]
"""Milliseconds of each network and method; of a peer, the network is empty."""


def main() -> None:
    """Print the table."""
    parser = command_line("bench.table", __doc__)
    parser.add_argument("records", nargs="+", type=Path, help="files of bench/records/")
    parser.add_argument("--dtype", default="float32", help="float32 (default) or float16")
    parser.add_argument("--keys", type=int, nargs="*", metavar="P", help="only 2**P keys")
    options = parser.parse_args()
    columns: dict[str, Column] = {}
    for path in options.records:
        record = json.loads(path.read_text(encoding="utf-8"))
        columns |= columns_of(record, options.dtype, options.keys)
    print("| network | method | " + " | ".join(columns) + " |")
    print("|---|---|" + "--:|" * len(columns))
    for way in dict.fromkeys(way for column in columns.values() for way in column):
        print(f"| {way[0]} | {way[1]} | {' | '.join(cell(c, way) for c in columns.values())} |")


def columns_of(record: dict[str, Any], dtype: str, powers: list[int] | None) -> dict[str, Column]:
    """Return the columns of a record, by their titles."""
    device = record["device"]["renderer"].split("/")[0].split(" (")[0]
    found: dict[str, Column] = {}
    for row in record["rows"]:
        power = row["keys"].bit_length() - 1
        if row.get("dtype", "float32") == dtype and (not powers or power in powers):
            column = found.setdefault(f"{device}, {record['date'][:10]}, 2^{power} keys", {})
            column[row["network"], row["method"]] = row["program_ms"]
            if "numpy_ms" in row:
                column["", "np.sort"] = row["numpy_ms"]
    return found


def cell(column: Column, way: tuple[str, str]) -> str:
    """Return what one way took."""
    if way not in column:
        return ""
    took, faster = column[way], column[PAPER] / column[way]
    return f"{f'{took:,.0f}' if took >= 100 else f'{took:.3g}'} ms ({faster:,.1f}×)"


if __name__ == "__main__":
    main()
