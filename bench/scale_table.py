"""Tables of `docs/scale.md` that come from records: files beside other libraries, several GPUs.

Without a record there is no table. Nothing here measures anything.
"""

import re
from collections.abc import Iterator

from bench.files_calls import COMPARED, OURS, READING
from bench.shared.record import Library, Record, Row
from bench.shared.words import about

FILES, PARTS = "files-numpy", "parts-nvidia-h200"
"""Names of records."""

FORMS = {"npy": ".npy", "parquet": "Parquet"}

PLACES = {"disk": "the disk", "cache": "the system's cache"}


def beside(records: Library) -> Iterator[str]:
    """Yield the lines about files: ours beside other libraries."""
    if FILES not in records:
        return
    record = records[FILES]
    yield from ("### Beside what users have", "")
    yield (
        f"The median of random float32 keys, on {record.device} ({record.date}). Memory is the "
        "most beside the interpreter, without the pages of mapped files, which the system may take "
        "back. The error is the difference from the exact median, which counts have proved. Before "
        "each call the system forgot the file, so all keys came from the disk."
    )
    yield from ("", "| file | with | seconds | memory | error |", "|---|---|---|---|---|")
    for row in record.rows:
        if row["of"] == "disk" and not row["what"].startswith(("round: ", "read ")):
            yield _call(row)
    yield ""
    yield from _rounds(record)


def _call(row: Row) -> str:
    name = f"**{row['what']}**" if row["what"].startswith(OURS) else row["what"]
    if "why" in row:
        why, _, _ = row["why"].partition(";")  # errors go on with advice
        return f"| {_file(row)} | {name} | – | – | {why} |"
    memory, error = f"{about(row['own_mb'])} MB", row["error"]
    return f"| {_file(row)} | {name} | {about(row['seconds'])} | {memory} | {error:.2g} |"


def _rounds(record: Record) -> Iterator[str]:
    """Yield the rates of rounds in GB/s, beside those of reading a file once."""
    yield from (
        "A round beside reading the file once, in GB/s. Its share is by the faster of the two ways "
        "of reading. `compared` is one comparison of each key by NumPy in our threads, no more."
        + _held(record),
        "",
        "| file | from | one thread | our threads | compared | a round | share |",
        "|---|---|---|---|---|---|---|",
    )
    for row in record.rows:
        if "gb_per_s" in row:
            same = {name: row[name] for name in ("form", "size_bytes", "of")}
            once = (_rate(record, same, what) for what in READ)
            cells = (_file(row), PLACES[row["of"]], *once, about(row["gb_per_s"]))
            name = row["what"].removeprefix("round: ")
            yield f"| {' | '.join(cells)} ({name}) | {about(100 * row['of_reading'])}% |"
    yield ""


def _held(record: Record) -> str:
    """Return the sentence about the memory that was in use meanwhile, if there was any."""
    if not (found := re.search(r"--hold[ =](\S+)", record.command)):
        return ""
    return (
        f" Meanwhile {found[1]} of other memory was in use, so the system read into memory that it "
        "used just before, as where a machine has run for long: a virtual machine takes its time "
        "over memory that was not used for seconds. That holds for ours in the table above, too, "
        "but not for the other libraries, some of which need the memory."
    )


READ = (*READING, COMPARED)


def _rate(record: Record, same: Row, what: str) -> str:
    """Return the gigabytes in a second of what reads a file once."""
    found = record.where(**same, what=what)
    return about(found[0]["size_bytes"] / found[0]["seconds"] / 1e9) if found else "–"


def _file(row: Row) -> str:
    return f"{about(row['size_bytes'] / 1e9)} GB, {FORMS[row['form']]}"


def on_gpus(records: Library) -> Iterator[str]:
    """Yield the lines about several GPUs beside one."""
    if PARTS not in records:
        return
    record = records[PARTS]
    yield (
        f"Normal float32 keys on {record.device} ({record.date}), as many on each device. R is one "
        "read of all keys: `max`, on all devices at once. The throughput is by that of one device "
        f"with its share.{_alone(record)}"
    )
    head = "| devices | parts | keys | what | ms | R | throughput |"
    yield from ("", head, "|---|---|---|---|---|---|---|")
    for row in record.rows:
        cells = (
            str(row["devices"]),
            str(row["parts"]),
            f"{row['keys']:,}",
            row["what"],
            about(row["ms"]),
            f"{row['reads']:.2f}",
            f"{row['of_one']:.2f}×" if "of_one" in row else "–",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _alone(record: Record) -> str:
    """Return a sentence if one device alone was measured."""
    if any(row["devices"] > 1 for row in record.rows):
        return ""
    return (
        " Only one GPU was there: its keys were several parts, so this shows what the rounds cost, "
        "not what a second GPU gains."
    )
