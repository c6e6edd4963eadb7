"""Every format and compression of docs/input-files.md, on files that other libraries write."""

import bz2
import gzip
import io
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

from shadersort.files.request import COMPRESSIONS_READ, FORMS_READ
from shadersort.keys.types import Keys
from shadersort.streams import ipv4_numbers
from tests.cli.test_cli import report, run

COUNT = 1500
RANDOM = np.random.default_rng(16)
TABLE = pd.DataFrame(
    {
        "note": [("a, b", 'say "x"', "two\nlines", "é")[i % 4] for i in range(COUNT)],
        "ms": RANDOM.integers(-50, 50, COUNT) + (1 << 53),
        "address": [f"10.{i % 7}.0.{i % 50}" for i in range(COUNT)],
    }
)
COLUMNS = list(TABLE)


def buffered(write: Callable[[io.BytesIO], Any]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def numbers(column: str) -> Keys:
    return ipv4_numbers(TABLE["address"]) if column == "address" else np.asarray(TABLE[column])


def arrow_stream(buffer: io.BytesIO) -> None:
    table = pa.Table.from_pandas(TABLE)
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        writer.write_table(table, max_chunksize=700)


CONTENT: dict[str, Callable[[str], bytes]] = {
    "npy": lambda column: buffered(lambda file: np.save(file, numbers(column))),
    "npz": lambda column: buffered(
        lambda file: np.savez(file, **{column: numbers(column)})  # type: ignore[arg-type]
    ),
    "raw": lambda column: numbers(column).tobytes(),
    "text": lambda column: (
        TABLE.assign(note="-").to_csv(sep=" ", index=False, header=False).encode()
    ),
    "csv": lambda column: TABLE.to_csv(index=False).encode(),
    "tsv": lambda column: TABLE.to_csv(index=False, sep="\t").encode(),
    "jsonl": lambda column: TABLE.to_json(orient="records", lines=True).encode(),
    "parquet": lambda column: buffered(lambda file: TABLE.to_parquet(file, row_group_size=700)),
    "arrow": lambda column: buffered(lambda file: feather.write_feather(TABLE, file)),
}
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda data: data,
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstandard.ZstdCompressor().compress(data),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)


def inputs(form: str, column: str) -> Iterator[tuple[list[Any], bytes]]:
    """A file and a pipe: the arguments and the standard input of each."""
    data = CONTENT[form](column)
    Path(f"input.{form}").write_bytes(data)
    said: list[Any] = ["--column", COLUMNS.index(column) + 1 if form == "text" else column]
    if form in ("npy", "raw"):
        said = [] if form == "npy" else ["--dtype", numbers(column).dtype.name]
    yield [f"input.{form}", *(["--from", "text"] if form == "text" else []), *said], b""
    yield ["--from", form, *said], data


@pytest.mark.parametrize("form", FORMS_READ)
def test_every_format(form: str) -> None:
    keys = numbers("ms")
    for arguments, stdin in inputs(form, "ms"):
        output = [] if stdin else ["-o", "-"]
        result = run("sort", *arguments, *output, "--to", "npy", "--share", 1, stdin=stdin)
        assert result.exit_code == 0, result.stderr
        found = np.load(io.BytesIO(result.stdout_bytes))
        assert found.dtype == keys.dtype
        np.testing.assert_array_equal(found, np.sort(keys))
        told = report("quantiles", *arguments, "-q", 0, "-q", 1, stdin=stdin)
        assert [each["value"] for each in told["quantiles"]] == [keys.min(), keys.max()]
        assert (told["n"], told["dtype"], told["left_out"]) == (COUNT, "int64", 0)
        counted = report("frequent", *arguments, "--support", 0.001, stdin=stdin)
        assert {row["item"]: row["estimate"] for row in counted["frequent"]} == Counter(
            keys.tolist()
        )
    for arguments, stdin in inputs(form, "address"):
        heavy = report("heavy", *arguments, "--support", 0.1, stdin=stdin)
        assert {row["prefix"] for row in heavy["heavy"]} == {f"10.{i}.0.0/24" for i in range(7)}


@pytest.mark.parametrize("form", ["text", "csv", "tsv", "jsonl", "parquet", "arrow"])
def test_words_of_every_format(form: str) -> None:
    column = "address" if form == "text" else "note"
    for arguments, stdin in inputs(form, column):
        found = report("frequent", *arguments, "--support", 0.002, stdin=stdin)
        assert {row["item"]: row["estimate"] for row in found["frequent"]} == Counter(TABLE[column])
        assert (found["n"], found["dtype"], found["left_out"]) == (COUNT, "words", 0)


@pytest.mark.parametrize("compression", COMPRESSIONS_READ)
def test_every_compression(compression: str) -> None:
    data = COMPRESS[compression](CONTENT["csv"]("ms"))
    Path("input").write_bytes(data)
    said = ["--from", "csv", "--column", "ms", "-q", 1]
    for arguments, stdin in ((["input"], b""), ([], data)):
        found = report("quantiles", *arguments, *said, stdin=stdin)
        assert (found["n"], found["quantiles"][0]["value"]) == (COUNT, TABLE["ms"].max())


def test_an_arrow_stream() -> None:
    data = buffered(arrow_stream)
    Path("a.arrows").write_bytes(data)
    for arguments, stdin in ((["a.arrows"], b""), (["--from", "arrow"], data)):
        found = report("quantiles", *arguments, "--column", 2, "-q", 1, stdin=stdin)
        assert (found["n"], found["quantiles"][0]["value"]) == (COUNT, TABLE["ms"].max())


def test_white_space_around_a_word_is_that_of_ascii_in_every_format() -> None:
    """A no-break space is a letter of a word, and so is a control character."""
    words = ["a", " a\t", "\va\f ", "\u00a0a", "\u00a0a ", "a\x01", "\x1fa"]
    expected = {"a": 3, "\u00a0a": 2, "a\x01": 1, "\x1fa": 1}
    table = pd.DataFrame({"word": words})
    np.save("u.npy", np.array(words))
    np.save("s.npy", np.array([word.encode() for word in words]))
    table.to_parquet("a.parquet")
    table.to_json("a.jsonl", orient="records", lines=True)
    table.to_csv("a.csv", index=False)
    Path("odd.csv").write_text(table.to_csv(index=False) + 'b"c\n')  # the csv module reads it
    Path("a.txt").write_text("".join(f"{word}\n" for word in words))
    for name in ("u.npy", "s.npy", "a.parquet", "a.jsonl", "a.csv", "odd.csv", "a.txt"):
        column = ["--column", "word"] if name[-3:] not in ("npy", "txt") else []
        found = report("frequent", name, *column, "--support", 0.1)["frequent"]
        more = {'b"c': 1} if name == "odd.csv" else {}
        assert {row["item"]: row["estimate"] for row in found} == expected | more, name
