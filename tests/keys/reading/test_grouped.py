"""Numbers with the words that group them are those of the same rows, whatever the format."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from shadersort import errors
from shadersort.keys.reading import fields, lines
from shadersort.keys.reading.reader import Reader
from shadersort.keys.reading.request import Request

COUNT = 3000
RANDOM = np.random.default_rng(17)
TABLE = pd.DataFrame(
    {
        "host": [("a, b", 'say "x"', "two\nlines", "é", "", "w" * 70)[i % 6] for i in range(COUNT)],
        "ms": RANDOM.integers(-50, 50, COUNT) + (1 << 53),
        "code": RANDOM.integers(-1, 3, COUNT),
    }
)
PLAIN = TABLE.assign(host=[("a", "bb", "é", "-", "w" * 70)[i % 5] for i in range(COUNT)])


def structured() -> bytes:
    kinds = [("host", "U70"), ("ms", ">i8"), ("code", "i1")]
    rows = np.array(list(PLAIN.itertuples(index=False, name=None)), kinds)
    buffer = io.BytesIO()
    np.save(buffer, rows)
    return buffer.getvalue()


def table_bytes(write: Callable[[Any, Any], Any]) -> bytes:
    buffer = io.BytesIO()
    write(TABLE, buffer)
    return buffer.getvalue()


def stream(table: pd.DataFrame, buffer: io.BytesIO) -> None:
    made = pa.Table.from_pandas(table.astype({"host": "category"}))
    with pa.ipc.new_stream(buffer, made.schema) as writer:
        writer.write_table(made, max_chunksize=700)


CONTENT: dict[str, Callable[[], bytes]] = {
    "npy": structured,
    "text": lambda: PLAIN.to_csv(sep=" ", index=False, header=False).encode(),
    "csv": lambda: TABLE.to_csv(index=False).encode(),
    "tsv": lambda: TABLE.to_csv(index=False, sep="\t").encode(),
    "jsonl": lambda: TABLE.to_json(orient="records", lines=True).encode(),
    "parquet": lambda: table_bytes(lambda t, b: t.to_parquet(b, row_group_size=700)),
    "arrow": lambda: table_bytes(stream),
}


def read(path: Path, **said: Any) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for words, keys in Reader([path], Request(**said)).grouped():
        assert len(words) == len(keys)
        found += zip((word.decode() for word in words.listed()), keys.tolist(), strict=True)
    return found


@pytest.mark.parametrize("form", list(CONTENT))
@pytest.mark.parametrize("by", ["host", "code"])
@pytest.mark.parametrize("piece", [1 << 20, 1000])
def test_every_format(
    form: str, by: str, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PIECE", piece)
    table = PLAIN if form in ("npy", "text") else TABLE
    path = tmp_path / "rows"
    path.write_bytes(CONTENT[form]())
    columns: list[Any] = [
        list(TABLE).index(name) + 1 if form == "text" else name for name in ("ms", by)
    ]
    found = read(path, form=form, column=columns[0], by=columns[1])
    assert found == list(zip(map(str, table[by]), table["ms"].tolist(), strict=True))


def test_bad_words_and_nulls_take_their_row_with_them(tmp_path: Path) -> None:
    rows = [("a", "1"), ("b", "-"), ("c", ""), ("d", "4"), ("", "5")]
    csv = tmp_path / "rows.csv"
    csv.write_text("host,ms\n" + "".join(f"{host},{ms}\n" for host, ms in rows) + "e\n")
    kept = [("a", 1), ("d", 4), ("", 5)]
    assert read(csv, column="ms", by="host", skip_bad=True) == kept
    assert read(csv, column=2, by=1, skip_bad=True) == kept  # the titles are found
    with pytest.raises(errors.ForeignFile, match="line 3, column ms: '-'"):
        read(csv, column="ms", by="host")
    frame = pd.DataFrame({"host": ["a", None, "c"], "ms": pd.array([1, 2, None], "Int64")})
    frame.to_parquet(tmp_path / "rows.parquet")
    found = read(tmp_path / "rows.parquet", column="ms", by="host", skip_bad=True)
    assert found == [("a", 1), ("", 2)]
    with pytest.raises(errors.ForeignFile, match="row 3"):
        read(tmp_path / "rows.parquet", column="ms", by="host")
    values = [True, None, "x", 7, 1.50]
    text = "".join(json.dumps({"host": each, "ms": 1}) + "\n" for each in values) + '{"ms": 1}\n'
    (tmp_path / "rows.jsonl").write_text(text)
    found = read(tmp_path / "rows.jsonl", column="ms", by="host")
    assert [word for word, _ in found] == ["true", "", "x", "7", "1.5", ""]


def test_what_has_no_groups_is_refused(tmp_path: Path) -> None:
    def refused(name: str, error: type[Exception], match: str, **said: Any) -> None:
        with pytest.raises(error, match=match):
            read(tmp_path / name, **said)

    np.save(tmp_path / "plain.npy", np.arange(3))
    refused("plain.npy", errors.BadOption, "by=")
    refused("plain.npy", errors.UnknownColumn, "no columns", by="host")
    (tmp_path / "rows.npy").write_bytes(structured())
    refused("rows.npy", errors.UnknownColumn, "by=", column="ms", by="hosts")
    np.save(tmp_path / "floats.npy", np.zeros(2, [("ms", "i4"), ("share", "f8")]))
    refused("floats.npy", errors.UnsupportedKeys, "text or integers", column="ms", by="share")
    np.savez(tmp_path / "two.npz", ms=np.arange(3), host=np.arange(3))
    refused("two.npz", errors.UnknownColumn, "no columns", column="ms", by="host")
    (tmp_path / "numbers.raw").write_bytes(bytes(8))
    refused("numbers.raw", errors.BadOption, "by=", by=1, dtype=np.dtype("f8"))
    (tmp_path / "log.txt").write_text("a 1\n")
    refused("log.txt", errors.UnknownColumn, "choose the column of the numbers", by=1)
    refused("log.txt", errors.UnknownColumn, "no names", column=2, by="host")
    (tmp_path / "rows.csv").write_text("a,1\n")
    refused("rows.csv", errors.UnknownColumn, "no column 3", column=2, by=3)
    (tmp_path / "rows.jsonl").write_text("1\n")
    refused("rows.jsonl", errors.UnknownColumn, "no objects", by="host")
    pd.DataFrame({"ms": [1], "all": [[1]]}).to_parquet(tmp_path / "rows.parquet")
    refused("rows.parquet", errors.UnsupportedKeys, "no words", column="ms", by="all")


def test_rows_that_the_csv_module_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "ROWS", 2)
    path = tmp_path / "rows.csv"
    path.write_text('a,1\nb"c,2\n"d,e",3\n')
    assert read(path, column=2, by=1) == [("a", 1), ('b"c', 2), ("d,e", 3)]
