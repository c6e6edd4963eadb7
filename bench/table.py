"""Print recorded sorting benchmarks as one Markdown table.

python -m bench.table bench/records/sort-*.json
"""

import argparse
import json
from pathlib import Path
from typing import Any

__all__ = ["main"]

SIZES = (1 << 16, 1 << 20, 1 << 23)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.table", description=__doc__)
    parser.add_argument("records", nargs="+", type=Path, help="files of bench/records/")
    parser.add_argument("--dtype", default="float32", help="float32 (default) or float16")
    options = parser.parse_args()

    print("| device | network | method | " + " | ".join(f"2^{n.bit_length() - 1}" for n in SIZES))
    print("|---|---|---|" + "--:|" * len(SIZES))
    for path in options.records:
        record = json.loads(path.read_text(encoding="utf-8"))
        rows = [row for row in record["rows"] if row["dtype"] == options.dtype]
        title = f"{record['device']['renderer']}, {record['date'][:10]}"
        for network, method in dict.fromkeys((row["network"], row["method"]) for row in rows):
            chosen = {
                row["keys"]: row["program_ms"]
                for row in rows
                if (row["network"], row["method"]) == (network, method)
            }
            _print_row(title, network, method, chosen)
        _print_row(title, "np.sort", "", {row["keys"]: row["numpy_ms"] for row in rows})


def _print_row(title: str, network: str, method: str, milliseconds: dict[int, Any]) -> None:
    times = [f"{milliseconds[n]:,.1f}" if n in milliseconds else "" for n in SIZES]
    print(f"| {title} | {network} | {method} | {' | '.join(times)} |")


if __name__ == "__main__":
    main()
