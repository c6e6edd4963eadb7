"""Tables of `docs/scale.md` that come from records: files beside other libraries, several GPUs.

Without a record there is no table. Nothing here measures anything.
"""

from collections.abc import Iterator

from bench.shared.record import Library, Record, Row
from bench.shared.words import about

FILES, PARTS = "files-numpy", "parts-nvidia-h200"
"""Names of records."""

FORMS = {"npy": ".npy", "parquet": "Parquet"}

OURS = "ours"


def beside(records: Library) -> Iterator[str]:
    """Yield the lines about files: ours beside other libraries."""
    if FILES not in records:
        return
    record = records[FILES]
    yield from ("### Beside what users have", "")
    yield (
        f"The median of random float32 keys, on {record.device} ({record.date}). Memory is the "
        "most beside the interpreter, without the pages of mapped files, which the system may take "
        "back. The error is the difference from the exact median, which counts have proved."
    )
    yield from ("", "| file | with | seconds | memory | error |", "|---|---|---|---|---|")
    for row in record.rows:
        if not row["what"].startswith(("round: ", "read ")):
            yield _call(row)
    yield ""
    yield from _rounds(record)


def _call(row: Row) -> str:
    file = f"{about(row['size_bytes'] / 1e9)} GB, {FORMS[row['form']]}"
    name = f"**{row['what']}**" if row["what"].startswith(OURS) else row["what"]
    if "why" in row:
        return f"| {file} | {name} | – | – | {row['why']} |"
    memory, error = f"{about(row['own_mb'])} MB", row["error"]
    return f"| {file} | {name} | {about(row['seconds'])} | {memory} | {error:.2g} |"


def _rounds(record: Record) -> Iterator[str]:
    """Yield a sentence for each form: how fast a round is, beside reading the file once."""
    for form, name in FORMS.items():
        rounds = [
            f"{row['what'].removeprefix('round: ')} {about(row['gb_per_s'])} GB/s, "
            f"{about(100 * row['of_reading'])}% of it"
            for row in record.where(form=form)
            if "gb_per_s" in row
        ]
        once = record.where(form=form, what="read once")
        if rounds and once:
            rate = about(once[0]["size_bytes"] / once[0]["seconds"] / 1e9)
            yield f"Reading {name} once, by one thread: {rate} GB/s. Rounds: {'; '.join(rounds)}."
            for row in record.where(form=form, what="read and compared once"):
                rate = about(row["size_bytes"] / row["seconds"] / 1e9)
                yield f"By our threads, with one comparison of each key by NumPy: {rate} GB/s."
            yield ""


def on_gpus(records: Library) -> Iterator[str]:
    """Yield the lines about several GPUs beside one."""
    if PARTS not in records:
        return
    record = records[PARTS]
    yield (
        f"Normal float32 keys on {record.device} ({record.date}), as many on each device. R is one "
        "read of all keys: `max`, on all devices at once. The throughput is by that of one device "
        "with its share."
    )
    yield from ("", "| devices | keys | what | ms | R | throughput |", "|---|---|---|---|---|---|")
    for row in record.rows:
        cells = (
            str(row["devices"]),
            f"{row['keys']:,}",
            row["what"],
            about(row["ms"]),
            f"{row['reads']:.2f}",
            f"{row['of_one']:.2f}×" if "of_one" in row else "–",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
