"""Commands on an access log, beside reading and splitting its lines in Python's standard library.

    python -m bench.sources --lines 5000000 --output bench/records/sources-….json

Each command runs in a process of its own, from its start to its end, and so does the loop
`for line in file: line.split()`, of bytes. The log is plain or compressed by gzip. Each answer is
checked against exact counts before a time is reported. A time is the least of several, because
other processes may take the processor; `cpu_seconds` are those of the processor.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bench.shared.options import PATH, Options, command, option, output_option
from bench.shared.record import Row, begun, tell

PIECE = 100_000
AGENTS = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0",
    "curl/8.4.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
)
LINE = '10.{}.{}.{} - - [10/Oct/2000:13:55:36 -0700] "GET /page/{}.html HTTP/1.1" {} {} "-" "{}"\n'
SPLIT = "import gzip, sys\nwith {}(sys.argv[1], 'rb') as file:\n    for line in file: line.split()"
EPSILON, SUPPORT = 0.001, 0.02
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
COMMANDS = {
    "frequent": ("--column", "9", "--support", str(SUPPORT)),
    "frequent words": ("--column", "7", "--support", str(SUPPORT)),
    "frequent hosts": ("--column", "1", "--support", str(SUPPORT)),
    "frequent words exactly": ("--column", "7", "--support", str(SUPPORT), "--exact"),
    "heavy": ("--column", "1", "--support", str(SUPPORT)),
    "heavy ip": ("--column", "1", "--support", str(SUPPORT), "--hierarchy", "ip"),
    "heavy path": ("--column", "7", "--support", str(SUPPORT), "--hierarchy", "path"),
    "quantiles": ("--column", "10", "-q", "0.5", "-q", "0.99"),
    "quantiles by status": ("--column", "10", "--by", "9", "-q", "0.5", "-q", "0.99"),
    "quantiles exactly": ("--column", "10", "--exact", "-q", "0.5", "-q", "0.99"),
}
"""The arguments of each command, whose name is the first word."""


@command(__doc__)
@option("--lines", type=int, default=5_000_000, help="lines of the log")
@option("--repeats", type=int, default=3)
@option("--folder", type=PATH, help="folder of the log")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        rows = measured(Path(name), options.lines, options.repeats)
        tell(begun("sources", lines=options.lines), rows, options.output)


def measured(folder: Path, lines: int, repeats: int) -> Iterator[Row]:
    """Yield the time of each command on a plain and a compressed log."""
    log = folder / "access.log"
    columns = write_log(log, lines)
    packed = folder / "access.log.gz"
    with log.open("rb") as plain, gzip.open(packed, "wb", 6) as file:
        shutil.copyfileobj(plain, file, 1 << 20)
    for path, opener in ((log, "open"), (packed, "gzip.open")):
        split = [sys.executable, "-c", SPLIT.format(opener), str(path)]
        for name, said in COMMANDS.items():
            run = [sys.executable, "-m", "shadersort", name.split()[0], str(path), *said]
            run += ["--epsilon", str(EPSILON), "--json"]
            check(
                name,
                json.loads(subprocess.run(run, capture_output=True, check=True).stdout),
                columns,
            )
            times = [(_timed(run), _timed(split)) for _ in range(repeats)]
            (seconds, cpu), (base, base_cpu) = (
                (min(each[i][0] for each in times), min(each[i][1] for each in times))
                for i in (0, 1)
            )
            yield {
                "command": name,
                "file": path.name,
                "bytes": path.stat().st_size,
                "seconds": seconds,
                "cpu_seconds": cpu,
                "split_seconds": base,
                "split_cpu_seconds": base_cpu,
                "over_split": seconds / base,
                "cpu_over_split": cpu / base_cpu,
            }


def write_log(path: Path, lines: int) -> dict[str, Any]:
    """Write a log whose hosts follow Zipf's law; return its columns."""
    random = np.random.default_rng(2005)
    hosts = np.minimum(random.zipf(1.3, lines), (1 << 24) - 1).astype(np.uint32)
    status = random.choice([200, 200, 200, 304, 404, 500], lines)
    sizes = random.integers(100, 200_000, lines)
    with path.open("w") as file:
        for first in range(0, lines, PIECE):
            parts = (each[first : first + PIECE].tolist() for each in (hosts, status, sizes))
            file.writelines(
                LINE.format(
                    host >> 16,
                    host >> 8 & 255,
                    host & 255,
                    host % 977,
                    code,
                    size,
                    AGENTS[size % 3],
                )
                for host, code, size in zip(*parts, strict=True)
            )
    return {"hosts": hosts, "status": status, "sizes": sizes}


def check(name: str, found: dict[str, Any], columns: dict[str, Any]) -> None:
    """Raise AssertionError unless a report keeps its guarantee."""
    count = len(columns["sizes"])
    assert found["n"] == count, found["n"]
    if "groups" in found:
        for row in found["groups"]:
            check_quantiles(row, columns["sizes"][columns["status"] == int(row["group"])], EPSILON)
        return
    if "quantiles" in found:
        check_quantiles(found, columns["sizes"], 0 if found["exact"] else EPSILON)
        return
    if name in ITEMS:
        check_items(found, ITEMS[name](columns))
        return
    check_prefixes(found, PREFIXES[name](columns))


def check_prefixes(found: dict[str, Any], chains: Iterable[tuple[str, ...]]) -> None:
    """Raise AssertionError unless heavy prefixes and their bounds are right.

    A chain is an item with its prefixes, the shortest last.
    """
    counted = Counter(chains)
    rows = {row["prefix"]: row for row in found["heavy"]}
    exact, unexplained = Counter[str](), Counter[str]()
    for chain, count in counted.items():
        places = [i for i, prefix in enumerate(chain) if prefix in rows]
        exact.update(dict.fromkeys(chain, count))
        unexplained.update(dict.fromkeys(chain[: places[0] + 1] if places else chain, count))
    for prefix, rest in unexplained.items():
        assert prefix in rows or rest <= SUPPORT * found["n"], prefix
    for prefix, row in rows.items():
        assert 0 <= exact[prefix] - row["estimate"] <= EPSILON * found["n"], row
        assert row["unexplained_lower"] <= unexplained[prefix] <= row["unexplained_upper"], row


def networks(hosts: Any) -> Iterator[tuple[str, ...]]:
    """Yield the address of each host and its networks, the smallest first."""
    for host in hosts.tolist():
        a, b, c = host >> 16, host >> 8 & 255, host & 255
        nets = f"10.{a}.{b}.{c}/32", f"10.{a}.{b}.0/24", f"10.{a}.0.0/16", "10.0.0.0/8"
        yield (*nets, "0.0.0.0/0")


PREFIXES: dict[str, Callable[[dict[str, Any]], Iterable[tuple[str, ...]]]] = {
    "heavy": lambda columns: networks(columns["hosts"]),
    "heavy ip": lambda columns: ((*each, "all") for each in networks(columns["hosts"])),
    "heavy path": lambda columns: (
        (f"/page/{page}.html", "/page/", "/", "all") for page in (columns["hosts"] % 977).tolist()
    ),
}
"""The items and their prefixes that a command counts, by its name."""


def host_name(host: int) -> str:
    """Return the address of a host of the log."""
    return f"10.{host >> 16}.{host >> 8 & 255}.{host & 255}"


ITEMS: dict[str, Callable[[dict[str, Any]], Iterable[Any]]] = {
    "frequent": lambda columns: columns["status"].tolist(),
    "frequent words": lambda columns: map("/page/{}.html".format, columns["hosts"] % 977),
    "frequent hosts": lambda columns: map(host_name, columns["hosts"].tolist()),
    "frequent words exactly": lambda columns: map("/page/{}.html".format, columns["hosts"] % 977),
}
"""The items that a command counts, by its name."""


def check_items(found: dict[str, Any], items: Iterable[Any]) -> None:
    """Raise AssertionError unless the frequent items and the bounds of their counts are right."""
    exact = Counter(items)
    often = {item for item, count in exact.items() if count > SUPPORT * found["n"]}
    assert often <= {row["item"] for row in found["frequent"]}
    for row in found["frequent"]:
        assert exact[row["item"]] >= (SUPPORT - EPSILON) * found["n"], row
        assert row["lower"] <= exact[row["item"]] <= row["upper"], row


def check_quantiles(found: dict[str, Any], sizes: Any, error: float) -> None:
    """Raise AssertionError unless the ranks of quantiles are right to within a share of n."""
    assert found["n"] == len(sizes), found["n"]
    ordered = np.sort(sizes)
    for row in found["quantiles"]:
        below, through = (np.searchsorted(ordered, row["value"], side) for side in SIDES)
        wanted = np.ceil(row["q"] * len(sizes))
        assert below + 1 - error * len(sizes) <= wanted <= through + error * len(sizes), row


def _timed(run: Sequence[str]) -> tuple[float, float]:
    """Return the seconds of a process, and those of its processor."""
    before, started = os.times(), time.perf_counter()
    subprocess.run(run, capture_output=True, check=True)
    seconds, after = time.perf_counter() - started, os.times()
    spent = after.children_user + after.children_system
    return seconds, spent - before.children_user - before.children_system


if __name__ == "__main__":
    main()
