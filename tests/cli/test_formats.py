"""Every format of docs/input-files.md, on files that other libraries write, whole and damaged."""

import bz2
import gzip
import io
import lzma
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pytest

from shadersort.files.request import FORMS_READ
from shadersort.keys.types import Keys
from shadersort.streams import ipv4_numbers
from shadersort.streams.hierarchies.prefixes import HIERARCHIES
from tests.cli.test_cli import npy, report, run
from tests.soaking import SEED

COUNT = 150
TABLE = pd.DataFrame(
    {
        "note": [("a, b", 'say "x"', "two\nlines", "é")[i % 4] for i in range(COUNT)],
        "ms": np.random.default_rng(16).integers(-50, 50, COUNT) + (1 << 53),
        "address": [f"10.{i % 7}.0.{i % 50}" for i in range(COUNT)],
    }
)
COLUMNS = list(TABLE)
SPLICES = (b'"', b",", b"\n", b"\0", b"\xff", b"9" * 20, b"nan", b"\xef\xbb\xbf", b"{", b"[")
TRIALS = 300 if SEED is None else 30_000


def buffered(write: Callable[[io.BytesIO], Any]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def counts(*arguments: Any, stdin: bytes = b"") -> dict[Any, int]:
    found = report("frequent", *arguments, stdin=stdin)["frequent"]
    return {row["item"]: row["estimate"] for row in found}


def column_of(name: str) -> Keys:
    if name == "address":
        return ipv4_numbers(TABLE[name])
    return np.array(TABLE[name].tolist())


def arrow_stream(buffer: io.BytesIO) -> None:
    table = pa.Table.from_pandas(TABLE)
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        writer.write_table(table, max_chunksize=70)


CONTENT: dict[str, Callable[[str], bytes]] = {
    "npy": lambda column: npy(column_of(column)),
    "npz": lambda column: buffered(
        lambda file: np.savez(file, **{column: column_of(column)})  # type: ignore[arg-type]
    ),
    "raw": lambda column: column_of(column).tobytes(),
    "text": lambda column: (
        TABLE.assign(note="-").to_csv(sep=" ", index=False, header=False).encode()
    ),
    "csv": lambda column: TABLE.to_csv(index=False).encode(),
    "tsv": lambda column: TABLE.to_csv(index=False, sep="\t").encode(),
    "jsonl": lambda column: TABLE.to_json(orient="records", lines=True).encode(),
    "parquet": lambda column: buffered(lambda file: TABLE.to_parquet(file, row_group_size=70)),
    "arrow": lambda column: buffered(lambda file: feather.write_feather(TABLE, file)),
    "arrows": lambda column: buffered(arrow_stream),
}


def inputs(form: str, column: str) -> Iterator[tuple[list[Any], bytes]]:
    """A file and a pipe: the arguments and the standard input of each."""
    data = CONTENT[form](column)
    Path(f"input.{form}").write_bytes(data)
    said: list[Any] = ["--column", COLUMNS.index(column) + 1 if form == "text" else column]
    if form in ("npy", "raw"):
        said = [] if form == "npy" else ["--dtype", column_of(column).dtype.name]
    yield [f"input.{form}", *said], b""
    yield ["--from", {"arrows": "arrow"}.get(form, form), *said], data


@pytest.mark.parametrize("form", CONTENT)
def test_every_format(form: str) -> None:
    keys = column_of("ms")
    for arguments, stdin in inputs(form, "ms"):
        output = [] if stdin else ["-o", "-"]
        result = run("sort", *arguments, *output, "--to", "npy", stdin=stdin)
        found = np.load(io.BytesIO(result.stdout_bytes))
        assert found.dtype == keys.dtype
        np.testing.assert_array_equal(found, np.sort(keys))
        assert counts(*arguments, "--top", COUNT, stdin=stdin) == Counter(keys.tolist())
    for arguments, stdin in inputs(form, "address"):
        heavy = report("heavy", *arguments, stdin=stdin)
        assert {row["prefix"] for row in heavy["heavy"]} == {f"10.{i}.0.0/24" for i in range(7)}
    column = "address" if form == "text" else "note"
    for arguments, stdin in inputs(form, column) if form != "raw" else ():
        assert counts(*arguments, "--support", 0.001, stdin=stdin) == Counter(TABLE[column])


def damaged(content: bytes, random: Random) -> bytes:
    """Some bytes changed, removed or added, or the end cut off; perhaps nothing."""
    data = bytearray(content)
    for _ in range(random.choice([0, 0, 1, 1, 2, 5])):
        place = random.randrange(len(data) or 1)
        removed = random.choice([0, 1, random.randrange(1, 9), len(data)])
        added = random.choice([b"", bytes([random.randrange(256)]), *SPLICES])
        data[place : place + removed] = added
    return bytes(data)


def arguments_for(path: str, random: Random) -> list[str]:
    """A command on a file, with some options."""

    def perhaps(*options: str) -> list[str]:
        return list(options) if random.random() < 0.25 else []

    said = perhaps("--column", random.choice([*COLUMNS, *"129"]))
    said += perhaps("--dtype", random.choice(["int64", "float32", "int8", ">f8"]))
    said += perhaps("--skip-bad") + perhaps("--from", random.choice(FORMS_READ))
    commands: dict[str, list[str]] = {
        "sort": ["-o", "-", "--device", "software"],
        "quantiles": perhaps("--exact"),
        "frequent": [],
        "heavy": ["--hierarchy", random.choice(list(HIERARCHIES))],
        "trace": ["out.html", "--force", "--device", "software", "--keys"],
    }
    command = random.choice(list(commands))
    return [command, *commands[command], path, *said]


@pytest.mark.explores
def test_no_damage_ends_in_a_traceback() -> None:
    random = Random(16 if SEED is None else SEED)
    for _ in range(TRIALS):
        form = random.choice(list(CONTENT))
        content = damaged(CONTENT[form](random.choice(COLUMNS))[:9000], random)
        if random.random() < 0.2:
            compress: Any = random.choice([gzip, bz2, lzma])
            content = damaged(compress.compress(content), random)
        Path(f"input.{form}").write_bytes(content)
        said = arguments_for(f"input.{form}", random)
        result = run(*said)
        if result.exit_code:
            assert isinstance(result.exception, SystemExit), (said, content)
            assert "Error: " in result.stderr, (said, content)
