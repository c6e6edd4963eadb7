"""`shadersort trace`: pages, films and pictures, whole or not at all."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import shadersort as ss
from shadersort.cli.failures import Interrupted
from tests.cli.test_cli import assert_refused, names, report, run
from tests.pictures.test_trace_pictures import assert_holds, embedded

SOFTWARE = ("--device", "software")


def data_of(path: str) -> dict[str, Any]:
    return embedded(Path(path).read_text(encoding="utf-8"))


def test_a_page_of_keys_from_a_file() -> None:
    keys = np.random.default_rng(1).standard_normal(100)
    np.save("keys.npy", keys)
    keys.astype("f4").tofile("keys.bin")
    Path("keys.txt").write_text("\n".join(map(str, keys)))
    way = ("--network", "bitonic", "--method", "fragment", *SOFTWARE)
    seen = ss.trace(keys.astype("f4"), network="bitonic", method="fragment", device="software")
    for name, said in (("keys.npy", ()), ("keys.txt", ()), ("keys.bin", ("--dtype", "float32"))):
        found = report("trace", f"{name}.html", "--keys", name, *said, *way)
        assert_holds(data_of(f"{name}.html"), seen)
        assert (found["keys"], found["passes"], found["shown"]) == (100, len(seen), len(seen))
    Path("empty.txt").touch()
    assert report("trace", "x.html", "--keys", "empty.txt", *SOFTWARE)["keys"] == 0


def test_pictures_and_films_of_random_keys() -> None:
    said = ("--random", "2^5", *SOFTWARE)
    told = "a.html: 27 of 27 passes, pbsn by blend, 32 keys\n"
    assert run("trace", "a.html", *said).stdout == told
    assert report("trace", "grid.png", "--random", "256", *SOFTWARE)["shown"] == 60
    assert report("trace", "sort.gif", *said)["shown"] == 27
    with Image.open("sort.gif") as film, Image.open("grid.png") as picture:
        assert (film.format, film.n_frames) == ("GIF", 27)  # type: ignore[attr-defined]
        assert picture.format == "PNG"


def test_what_cannot_be_traced() -> None:
    Path("old.html").write_bytes(b"old")
    Path("keys.txt").write_text("0.1\n16777217\n")
    for arguments, code, words in (
        ("old.html", 4, "--force"),
        ("x.txt", 2, ".html, .gif, .png"),
        ("x.html --keys keys.txt --dtype float32", 3, "'16777217' is not held by float32"),
        ("x.html --keys missing.npy", 3, "does not exist"),
        ("x.html --random 1M", 1, "trace at most 262,144 keys"),
        ("no/x.html", 1, "/no: there is no such folder"),
    ):
        assert_refused(run("trace", *arguments.split(), *SOFTWARE), code, words)
    assert names() == ["keys.txt", "old.html"]
    assert Path("old.html").read_bytes() == b"old"
    assert run("trace", "old.html", "--force", *SOFTWARE).exit_code == 0
    assert len(data_of("old.html")["passes"]) == 48


@pytest.mark.parametrize(("output", "error"), [("x.html", OSError), ("x.gif", KeyboardInterrupt)])
def test_a_failure_leaves_no_part(
    output: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        assert os.fstat(handle).st_size > 0
        raise error

    Path(output).write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    monkeypatch.setattr(Interrupted, "raised", False)
    result = run("trace", output, "--random", 4, "--force", *SOFTWARE)
    assert result.exit_code == (130 if error is KeyboardInterrupt else 1)
    assert names() == [output]
    assert Path(output).read_bytes() == b"old"
