"""Every format and command of the table in docs/input-files.md, on files of other libraries."""

import bz2
import gzip
import io
import json
import lzma
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pytest
import zstandard

from shadersort.keys.reading.request import COMPRESSIONS_READ, FORMS_READ
from shadersort.keys.types import Keys
from shadersort.pictures.watch import watch
from shadersort.streams import ipv4_numbers
from tests.cli.test_cli import report, run
from tests.keys.reading import test_grouped as grouped

PAGE = Path(__file__).parents[2] / "docs" / "input-files.md"
COUNT = 3000
RANDOM = np.random.default_rng(16)
TABLE = pd.DataFrame(
    {
        "note": [("a, b", 'say "x"', "two\nlines", "é")[i % 4] for i in range(COUNT)],
        "ms": RANDOM.integers(-50, 50, COUNT) + (1 << 53),
        "share": RANDOM.normal(size=COUNT),
        "address": [f"10.{i % 7}.0.{i % 50}" for i in range(COUNT)],
    }
)
LINES = TABLE.assign(note="-")
COLUMNS = list(TABLE)


def saved(keys: Keys) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, keys)
    return buffer.getvalue()


def zipped(arrays: dict[str, Keys]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def numbers(column: str) -> Keys:
    if column == "address":
        return ipv4_numbers(TABLE["address"])
    return np.asarray(TABLE[column])


def parquet() -> bytes:
    buffer = io.BytesIO()
    TABLE.to_parquet(buffer, row_group_size=700)
    return buffer.getvalue()


def arrow(stream: bool = False) -> bytes:
    buffer = io.BytesIO()
    if stream:
        table = pa.Table.from_pandas(TABLE)
        with pa.ipc.new_stream(buffer, table.schema) as writer:
            writer.write_table(table, max_chunksize=700)
    else:
        feather.write_feather(TABLE, buffer)
    return buffer.getvalue()


CONTENT: dict[str, Callable[[str], bytes]] = {
    "npy": lambda column: saved(numbers(column)),
    "npz": lambda column: zipped({name: numbers(name) for name in COLUMNS[1:]}),
    "raw": lambda column: numbers(column).tobytes(),
    "text": lambda column: LINES.to_csv(sep=" ", index=False, header=False).encode(),
    "csv": lambda column: TABLE.to_csv(index=False).encode(),
    "tsv": lambda column: TABLE.to_csv(index=False, sep="\t").encode(),
    "jsonl": lambda column: TABLE.to_json(
        orient="records", lines=True, double_precision=15
    ).encode(),
    "parquet": lambda column: parquet(),
    "arrow": lambda column: arrow(),
}
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda data: data,
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstandard.ZstdCompressor().compress(data),
}
OF_WORDS = ("text", "csv", "tsv", "jsonl", "parquet", "arrow")
"""The formats whose columns may have words."""
COMMANDS = ("sort", "quantiles", "frequent", "heavy", "trace", "watch")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)


def options(form: str, column: str) -> list[Any]:
    """What must be said about a column of a format."""
    if form == "npy":
        return []
    if form == "raw":
        return ["--dtype", numbers(column).dtype.name]
    return ["--column", COLUMNS.index(column) + 1 if form == "text" else column]


def inputs(form: str, compression: str, column: str) -> Iterator[tuple[list[Any], bytes]]:
    """A file and a pipe: the arguments and the standard input of each."""
    data = COMPRESS[compression](CONTENT[form](column))
    name = f"input.{form}"
    Path(name).write_bytes(data)
    said = options(form, column)
    yield [name, *(["--from", "text"] if form == "text" else []), *said], b""
    yield ["--from", form, *said], data


def shares(form: str) -> Keys:
    """The share column as it is written: to_json rounds."""
    if form != "jsonl":
        return numbers("share")
    rows = CONTENT["jsonl"]("share").decode().splitlines()
    return np.array([json.loads(row)["share"] for row in rows])


WAYS = [(form, way) for form in FORMS_READ for way in COMPRESSIONS_READ]


@pytest.mark.parametrize(("form", "compression"), WAYS)
def test_sort(form: str, compression: str) -> None:
    for column, keys in (("ms", numbers("ms")), ("share", shares(form))):
        for arguments, stdin in inputs(form, compression, column):
            output = [] if stdin else ["-o", "-"]
            result = run("sort", *arguments, *output, "--to", "npy", "--share", 1, stdin=stdin)
            assert result.exit_code == 0, result.stderr
            found = np.load(io.BytesIO(result.stdout_bytes))
            assert found.dtype == keys.dtype
            np.testing.assert_array_equal(found, np.sort(keys))


@pytest.mark.parametrize(("form", "compression"), WAYS)
def test_quantiles(form: str, compression: str) -> None:
    keys = shares(form)
    for arguments, stdin in inputs(form, compression, "share"):
        found = report("quantiles", *arguments, "-q", 0, "-q", 1, stdin=stdin)
        assert [each["value"] for each in found["quantiles"]] == [keys.min(), keys.max()]
        assert (found["n"], found["dtype"], found["left_out"]) == (COUNT, "float64", 0)


@pytest.mark.parametrize(("form", "compression"), WAYS)
def test_frequent(form: str, compression: str) -> None:
    items, counts = np.unique(numbers("ms"), return_counts=True)
    exact = dict(zip(items.tolist(), counts.tolist(), strict=True))
    for arguments, stdin in inputs(form, compression, "ms"):
        said = ("--epsilon", 1e-4, "--support", 1e-4)
        found = report("frequent", *arguments, *said, stdin=stdin)
        assert {row["item"]: row["estimate"] for row in found["frequent"]} == exact
        assert found["dtype"] == "int64"


@pytest.mark.parametrize("compression", COMPRESSIONS_READ)
@pytest.mark.parametrize("form", OF_WORDS)
def test_frequent_words(form: str, compression: str) -> None:
    for column in ["address", *(["note"] if form != "text" else [])]:
        exact = Counter(TABLE[column])
        for arguments, stdin in inputs(form, compression, column):
            found = report("frequent", *arguments, "--support", 0.002, stdin=stdin)
            assert {row["item"]: row["estimate"] for row in found["frequent"]} == exact
            assert (found["n"], found["dtype"], found["left_out"]) == (COUNT, "words", 0)


@pytest.mark.parametrize(("form", "compression"), WAYS)
def test_heavy(form: str, compression: str) -> None:
    reports = []
    for arguments, stdin in inputs(form, compression, "address"):
        reports.append(report("heavy", *arguments, "--support", 0.1, stdin=stdin))
    assert reports[0] == reports[1]
    assert reports[0]["n"] == COUNT
    assert {row["prefix"] for row in reports[0]["heavy"]} == {f"10.{i}.0.0/24" for i in range(7)}


@pytest.mark.parametrize("form", FORMS_READ)
def test_trace_and_watch(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a few keys, in a type that is drawn."""
    keys = np.arange(8, 0, -1, dtype=np.float32)
    table = pd.DataFrame({"ms": keys})
    content = {
        "npy": lambda: saved(keys),
        "npz": lambda: zipped({"ms": keys}),
        "raw": keys.tobytes,
        "text": lambda: b"".join(b"%d\n" % key for key in keys),
        "csv": lambda: table.to_csv(index=False).encode(),
        "tsv": lambda: table.to_csv(index=False, sep="\t").encode(),
        "jsonl": lambda: table.to_json(orient="records", lines=True).encode(),
        "parquet": table.to_parquet,
        "arrow": lambda: _feather(table),
    }[form]()
    Path("keys").write_bytes(content)
    said = ["--from", form, *(["--column", "ms"] if form == "jsonl" else [])]
    said += ["--dtype", "float32"] if form == "raw" else []
    found = report("trace", "x.html", "--keys", "keys", *said, "--device", "software")
    assert (found["keys"], found["dtype"]) == (8, "float32")
    watched: list[Keys] = []
    monkeypatch.setattr(watch, "watch", lambda given, **options: watched.append(given))
    assert run("watch", "--keys", "keys", *said).exit_code == 0
    np.testing.assert_array_equal(watched[0], keys)
    assert watched[0].dtype == keys.dtype


def _feather(table: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    feather.write_feather(table, buffer)
    return buffer.getvalue()


def test_an_arrow_stream() -> None:
    Path("a.arrows").write_bytes(arrow(stream=True))
    for arguments, stdin in ((["a.arrows"], b""), (["--from", "arrow"], arrow(stream=True))):
        found = report("quantiles", *arguments, "--column", 2, "-q", 1, stdin=stdin)
        assert (found["n"], found["quantiles"][0]["value"]) == (COUNT, TABLE["ms"].max())


@pytest.mark.parametrize("form", list(grouped.CONTENT))
def test_groups_in_every_format(form: str) -> None:
    table = grouped.PLAIN if form in ("npy", "text") else grouped.TABLE
    data = grouped.CONTENT[form]()
    Path(f"rows.{form}.gz").write_bytes(gzip.compress(data))
    columns = [list(table).index(name) + 1 if form == "text" else name for name in ("ms", "host")]
    said = ["--from", form, "--column", columns[0], "--by", columns[1], "-q", 1]
    for where, stdin in (([f"rows.{form}.gz"], b""), ([], data)):
        rows = report("quantiles", *where, *said, stdin=stdin)["groups"]
        found = {row["group"]: (row["n"], row["quantiles"][0]["value"]) for row in rows}
        assert found == {
            host: (len(numbers), numbers.max()) for host, numbers in table.groupby("host")["ms"]
        }


def test_the_page_has_every_format_and_command() -> None:
    before_exact_selection = PAGE.read_text().partition("## Exact selection")[0]
    lines = before_exact_selection.splitlines()
    rows = [line.split("|")[1:-1] for line in lines if line[:1] == "|"]
    cells = [[cell.strip() for cell in row] for row in rows]
    head = cells[0]
    assert [name.strip("`") for name in head[2:]] == [*COMMANDS, "--column", "--by"]
    named = {row[0]: row for row in cells}
    assert set(FORMS_READ) <= set(named)
    assert all(named[form][2:-2] == ["yes"] * len(COMMANDS) for form in FORMS_READ)
    assert {form for form in FORMS_READ if named[form][-1] != "–"} == set(grouped.CONTENT)
    assert set(COMPRESSIONS_READ) - {"none"} <= set(named)


def test_the_page_has_every_format_with_words() -> None:
    listed = f"{', '.join(OF_WORDS[:-1])} and {OF_WORDS[-1]}"
    assert f"Columns of {listed} may have words" in PAGE.read_text()
