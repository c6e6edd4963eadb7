"""`shadersort trace`: pictures, films and players, whole or not at all."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import shadersort as ss
from tests.cli.test_cli import assert_refused, names, report, run
from tests.pictures.test_trace_pictures import assert_holds, embedded

SOFTWARE = ("--device", "software")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def data_of(path: str) -> dict[str, Any]:
    return embedded(Path(path).read_text(encoding="utf-8"))


def test_a_player_of_keys_from_a_file() -> None:
    keys = np.random.default_rng(1).standard_normal(100, np.float32)
    np.save("keys.npy", keys)
    keys.tofile("keys.bin")
    Path("keys.txt").write_text("\n".join(map(str, keys)))
    seen = ss.trace(keys, network="bitonic", method="fragment", device="software")
    for name in ("keys.npy", "keys.bin", "keys.txt"):
        options = ("--network", "bitonic", "--method", "fragment", "--dtype", "float32", *SOFTWARE)
        found = report("trace", f"{name}.html", "--keys", name, *options)
        assert_holds(data_of(f"{name}.html"), seen)
        assert (found["keys"], found["passes"], found["shown"]) == (100, len(seen), len(seen))


def test_a_player_of_a_merge_on_the_device() -> None:
    keys = np.random.default_rng(2).standard_normal(64, np.float32)
    np.save("keys.npy", keys)
    for method in ("blend", "fused"):
        seen = ss.trace(keys, method=method, device="software", merge="device")
        options = ("--method", method, "--merge", "device", "--force", *SOFTWARE)
        found = report("trace", "merged.html", "--keys", "keys.npy", *options)
        assert_holds(data_of("merged.html"), seen)
        assert found["passes"] == len(seen)


def test_words_are_rounded_without_a_type_and_refused_with_one() -> None:
    Path("keys.txt").write_text("0.1\n16777217\n3.14159265358979\n")
    result = run("trace", "x.html", "--keys", "keys.txt", *SOFTWARE)
    assert result.exit_code == 0
    typed = ("--keys", "keys.txt", "--dtype", "float32", *SOFTWARE)
    refused = run("trace", "y.html", *typed)
    assert_refused(refused, 3, "keys.txt, line 2: '16777217' is not held by float32")
    Path("keys.txt").write_text("0.1\n16777216\n")
    assert run("trace", "y.html", *typed).exit_code == 0
    Path("keys.txt").write_text("1e39\n")
    assert_refused(run("trace", "z.html", *typed[:2], *SOFTWARE), 3, "beyond the range of float32")


def test_integers_are_drawn_in_a_type_that_holds_them() -> None:
    narrow, wide = np.array([3, 127, 0, 5], np.int8), np.tile([5, -(2**31), 2**31 - 1, 0], 16)
    for keys, dtype, method in ((narrow, "float32", "blend"), (wide, "int32", "fragment")):
        np.save("keys.npy", keys)
        seen = ss.trace(keys.astype(dtype), method=method, device="software")  # type: ignore[arg-type]
        said = ("--keys", "keys.npy", "--method", method, "--force", *SOFTWARE)
        found = report("trace", "x.html", *said)
        assert_holds(data_of("x.html"), seen)
        assert found["dtype"] == dtype


def test_an_empty_text_has_no_keys() -> None:
    Path("empty.txt").touch()
    found = report("trace", "x.html", "--keys", "empty.txt", *SOFTWARE)
    assert (found["keys"], found["dtype"]) == (0, "float32")


def test_random_keys_are_the_same_for_a_seed() -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        text = run("trace", f"{name}.html", "--random", "2^5", "--seed", seed, *SOFTWARE).stdout
        assert text == f"{name}.html: 27 of 27 passes, pbsn by blend, 32 float32 keys\n"
    first, same, other = (Path(f"{name}.html").read_bytes() for name in "abc")
    assert first == same != other
    found = report("trace", "d.html", "--dtype", "int32", "--method", "fragment", *SOFTWARE)
    assert (found["dtype"], found["keys"]) == ("int32", 64)


def test_pictures_and_films() -> None:
    assert report("trace", "grid.png", "--passes", "3:9", *SOFTWARE)["shown"] == 6
    assert report("trace", "one.png", "--passes", "-1", *SOFTWARE)["shown"] == 1
    assert report("trace", "sort.gif", "--passes", "3:30:5", *SOFTWARE)["shown"] == 6
    assert report("trace", "short.gif", "--frames", "5", *SOFTWARE)["shown"] == 5
    for name, frames in (("sort.gif", 6), ("short.gif", 5)):
        with Image.open(name) as film:
            assert (film.format, film.n_frames) == ("GIF", frames)  # type: ignore[attr-defined]
    for name in ("grid.png", "one.png"):
        with Image.open(name) as picture:
            assert picture.format == "PNG"


def test_what_cannot_be_traced() -> None:
    np.save("doubles.npy", np.arange(3.0))
    np.save("large.npy", np.array([1 << 40]))
    Path("old.html").write_bytes(b"old")
    for arguments, code, words in (
        ("old.html", 4, "--force"),
        ("x.txt", 2, ".png, .gif, .html"),
        ("x.html --random 8 --keys doubles.npy", 2, "not from both"),
        ("x.html --keys doubles.npy", 3, "float64"),
        ("x.html --keys missing.npy", 3, "does not exist"),
        ("x.html --passes 5:5", 2, "no such pass"),
        ("x.gif --passes 48:", 2, "no such pass"),
        ("x.png --passes -49", 2, "they are 0 to 47"),
        ("x.html --random 4 --method fragment", 2, "no pass to play"),
        ("x.png --passes 48", 2, "they are 0 to 47"),
        ("x.png --passes 1:2:0", 2, "nor a slice"),
        ("x.gif --fps nan", 2, "'nan' is no number"),
        ("x.html --seed -1", 2, "--seed"),
        ("x.html --dtype complex64", 3, "complex64"),
        ("x.html --keys large.npy", 3, "int32 holds none beyond 2**31"),
        ("x.html --random 1M", 1, "--max-bytes"),
        ("no/x.html", 1, "/no: there is no such folder"),
    ):
        assert_refused(run("trace", *arguments.split(), *SOFTWARE), code, words)
    assert names() == ["doubles.npy", "large.npy", "old.html"]
    assert Path("old.html").read_bytes() == b"old"
    assert run("trace", "old.html", "--force", *SOFTWARE).exit_code == 0
    assert len(data_of("old.html")["passes"]) == 48


@pytest.mark.parametrize(
    ("output", "error"), [("x.html", OSError), ("x.gif --frames 2", KeyboardInterrupt)]
)
def test_a_failure_leaves_no_part(
    output: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        assert os.fstat(handle).st_size > 0
        raise error

    path, *options = output.split()
    Path(path).write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    result = run("trace", path, *options, "--random", 16, "--force", *SOFTWARE)
    assert result.exit_code == (130 if error is KeyboardInterrupt else 1)
    assert names() == [path]
    assert Path(path).read_bytes() == b"old"


def test_the_precision_of_a_card() -> None:
    card = ("--profile", "geforce-6800-ultra")
    assert report("trace", "x.html", *card, *SOFTWARE)["dtype"] == "float16"
