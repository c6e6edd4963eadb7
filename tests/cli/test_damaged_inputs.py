"""Damaged files of every format: each command reads them, or says in one line why it cannot."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest

from shadersort.files.request import FORMS_READ
from tests.cli.test_cli import run
from tests.soaking import SEED

TABLE = pa.table({"a": [1, 2, None], "b": ["x", "y", "é"]})
ROWS = np.array([(1, "x"), (2, "ab")], [("a", np.int64), ("b", "U3")])
SPLICES = (b'"', b",", b"\n", b"\0", b"\xff", b"9" * 20, b"nan", b"\xef\xbb\xbf", b"{", b"[")
COMPRESS: tuple[Callable[[bytes], bytes], ...] = (gzip.compress, bz2.compress, lzma.compress)
HIERARCHIES = ("ipv4", "ip", "bits")
TRIALS = 300 if SEED is None else 30_000


def written(write: Callable[..., Any], *values: Any, **named: Any) -> bytes:
    buffer = io.BytesIO()
    write(buffer, *values, **named)
    return buffer.getvalue()


CONTENT = {
    ".npy": [written(np.save, each) for each in (np.arange(5), np.array(["a", "bc"]), ROWS)],
    ".npz": [written(np.savez_compressed, a=np.arange(4), b=np.array(["x", "y"]))],
    ".raw": [bytes(range(64))],
    ".txt": [b"1\n2\n3.5\n", "é b\n1 2\n".encode(), b"10.0.0.1\n::1\n/a/b\n"],
    ".csv": [b'a,b\n1,"x"\n2,y\n', b'"q""q",2\n'],
    ".tsv": [b"a\tb\n1\t2\n"],
    ".jsonl": [b'{"a":1,"b":"x"}\n{"a":2.5}\n', b"[1,2]\n[3]\n", b'1\n"x"\n'],
    ".parquet": [written(lambda file: parquet.write_table(TABLE, file))],
    ".feather": [written(lambda file: feather.write_feather(TABLE, file))],
}


def of_the_future(archive: bytes) -> bytes:
    """A zip archive that needs another version of the format."""
    place = archive.index(b"PK\1\2") + 6
    return archive[:place] + bytes([198]) + archive[place + 1 :]


def damaged(content: bytes, random: Random) -> bytes:
    """Some bytes changed, removed or added, or the end cut off; perhaps nothing."""
    data = bytearray(content)
    for _ in range(random.choice([0, 0, 1, 1, 2, 5])):
        place, way = random.randrange(len(data) or 1), random.randrange(4)
        if way == 0:
            data[place : place + 1] = bytes([random.randrange(256)])
        elif way == 1:
            del data[place : place + random.randrange(1, 9)]
        elif way == 2:
            data[place:place] = random.choice(SPLICES)
        else:
            del data[place:]
    return bytes(data)


def arguments(path: str, random: Random) -> list[str]:
    """A command on a file, with some options."""

    def perhaps(*options: str) -> list[str]:
        return list(options) if random.random() < 0.25 else []

    column = perhaps("--column", random.choice("ab129")) or perhaps("--column", random.choice("ab"))
    typed = perhaps("--dtype", random.choice(["int64", "float32", "int8", ">f8"]))
    said = [*column, *typed, *perhaps("--skip-bad"), *perhaps("--from", random.choice(FORMS_READ))]
    command = random.choice(["sort", "quantiles", "frequent", "heavy", "trace"])
    if command == "sort":
        return ["sort", path, "-o", "-", "--share", "1", *said]
    if command == "trace":
        return ["trace", "out.html", "--force", "--device", "software", "--keys", path, *said]
    if command == "quantiles":
        said += perhaps("--exact")
    if command == "heavy":
        said += ["--hierarchy", random.choice(HIERARCHIES)]
    return [command, path, *said]


@pytest.mark.explores
def test_no_damage_ends_in_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    random = Random(16 if SEED is None else SEED)
    for _ in range(TRIALS):
        suffix = random.choice(list(CONTENT))
        content = damaged(random.choice(CONTENT[suffix]), random)
        if random.random() < 0.2:
            content = damaged(random.choice(COMPRESS)(content), random)
        Path(f"input{suffix}").write_bytes(content)
        said = arguments(f"input{suffix}", random)
        result = run(*said)
        if result.exit_code:
            assert isinstance(result.exception, SystemExit), (said, content)
            assert "Error: " in result.stderr, (said, content)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.npy", CONTENT[".npy"][0].replace(b"}", b"("), "not a .npy file"),
        ("a.npy", CONTENT[".npy"][1][:-4] + b"\xff" * 4, "characters that do not exist"),
        ("a.npz", of_the_future(CONTENT[".npz"][0]), "no .npz file: zip file version 19.8"),
    ],
)
def test_some_damage_by_name(name: str, content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    result = run("frequent", path)
    assert (result.exit_code, said in result.stderr) == (3, True), result.stderr
