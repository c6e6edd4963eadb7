"""`shadersort sort`: from any form to any other, and no part of an output where it fails."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort.keys.outputs import format_lines
from shadersort.keys.types import Keys
from tests.cli.test_cli import assert_refused, names, run
from tests.helpers import TYPES, assert_sorted_permutation, bits, random_bits

DRAWN = ("--device", "software", "--share", "0", "--method", "fused")
ON_CPU = ("--share", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory; the system's folder for temporary files is left as it was."""
    temporary = tmp_path / "tmp"
    here = tmp_path / "here"
    temporary.mkdir()
    here.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.chdir(here)
    yield here
    assert list(temporary.iterdir()) == []


def content(keys: Keys, form: str) -> bytes:
    path = Path(f"content.{form}")
    if form == "npy":
        np.save(path, keys)
    else:
        path.write_bytes(format_lines(keys) if form == "text" else keys.tobytes())
    written = path.read_bytes()
    path.unlink()
    return written


def numbers(count: int, dtype: str) -> Keys:
    """Random bits, but no NaN: text does not hold their payloads."""
    keys = random_bits(count, count, dtype)
    return keys[~np.isnan(keys)] if keys.dtype.kind == "f" else keys


@pytest.mark.parametrize("dtype", TYPES)
def test_every_form_through_pipes(software: ss.Device, dtype: str) -> None:
    for count in (0, 1, 65):
        keys = numbers(count, dtype)
        expected = ss.sort(keys, method="fused", device=software)
        for form in ("npy", "raw", "text"):
            typed = () if form == "npy" else ("--dtype", dtype)
            named = ("--from", form) if form == "raw" or not count else ()
            for to in ("npy", "raw", "text"):
                arguments = ("sort", *named, *typed, "--to", to, *DRAWN)
                result = run(*arguments, stdin=content(keys, form))
                assert result.exit_code == 0, result.stderr
                assert result.stdout_bytes == content(expected, to)
                assert result.stderr == ""


@settings(max_examples=40)
@given(st.lists(st.floats(width=32, allow_nan=False)), st.booleans())
def test_text_is_sorted_exactly(software: ss.Device, values: list[float], descending: bool) -> None:
    keys = np.array(values, np.float32)
    down = ("--descending",) if descending else ()
    result = run("sort", *ON_CPU, *down, "--dtype", "float32", stdin=format_lines(keys))
    expected = ss.sort(keys, device=software, descending=descending)
    assert result.stdout_bytes == format_lines(expected)


def test_files_by_their_suffixes() -> None:
    keys = numbers(500, "float32")
    expected = ss.sort(keys, device="software")
    np.save("keys.npy", keys)
    for name, previous in (("a.txt", "keys.npy"), ("b.bin", "a.txt"), ("c.npy", "b.bin")):
        before = Path(previous).read_bytes()
        typed = () if previous == "keys.npy" else ("--dtype", "float32")
        assert run("sort", previous, name, *typed, *DRAWN).exit_code == 0
        assert Path(previous).read_bytes() == before
    np.testing.assert_array_equal(bits(np.load("c.npy")), bits(expected))
    assert Path("b.bin").read_bytes() == expected.tobytes()
    assert Path("a.txt").read_bytes() == format_lines(expected)
    assert names() == ["a.txt", "b.bin", "c.npy", "keys.npy"]


def test_an_offset_and_a_byte_order() -> None:
    keys = numbers(50, "float32").astype(">f4")
    Path("keys.bin").write_bytes(b"header " + keys.tobytes())
    options = ("--dtype", ">f4", "--offset", 7)
    assert run("sort", "keys.bin", "x.bin", *options, *ON_CPU).exit_code == 0
    assert_sorted_permutation(np.fromfile("x.bin", ">f4").astype("f4"), keys.astype("f4"))
    assert_refused(run("sort", "keys.bin", "--dtype", "f4", "--offset", 999), 3, "cut off")


def test_a_pipe_with_a_name() -> None:
    os.mkfifo("pipe")
    with subprocess.Popen(["sh", "-c", "seq 9 -1 1 >pipe"]):
        result = run("sort", "pipe", *ON_CPU, "--dtype", "int32")
    assert result.stdout.split() == list("123456789")


def test_on_a_card_of_2005() -> None:
    keys = np.random.default_rng(3).standard_normal(300, np.float32)
    np.save("keys.npy", keys)
    card = ("--profile", "geforce-6800-ultra", "--device", "software", "--share", "0")
    assert run("sort", "keys.npy", "x.npy", *card).exit_code == 0
    np.testing.assert_array_equal(np.load("x.npy"), np.sort(keys.astype(np.float16)))
    refused = run("sort", "keys.npy", "y.npy", *card, "--method", "compute")
    assert_refused(refused, 1, "has no compute shaders")
    assert_refused(run("sort", "keys.npy", "y.npy", *card, "--precision", "float32"), 1, "16 bits")
    assert_refused(run("sort", "keys.npy", "y.npy", *card, "--share", "1"), 2, "--profile")
    assert names() == ["keys.npy", "x.npy"]


def test_inputs_that_cannot_be_sorted() -> None:
    np.save("complex.npy", np.arange(9, dtype=np.complex128))
    np.save("objects.npy", np.array(["a", None], object))
    np.save("table.npy", np.zeros((2, 2), np.float32))
    np.save("keys.npy", np.arange(9, dtype=np.float32))
    Path("cut.npy").write_bytes(Path("keys.npy").read_bytes()[:-3])
    Path("foreign.npy").write_bytes(b"PK\3\4" * 50)
    Path("odd.bin").write_bytes(b"\0" * 7)
    Path("words.txt").write_text("1\ntwo\n")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    for arguments, words in (
        ("complex.npy", ["complex.npy holds complex128: numbers are integers"]),
        ("objects.npy", ["objects.npy holds objects of Python", "'<U40'"]),
        ("table.npy", ["table.npy has 2"]),
        ("cut.npy", ["3 bytes of its 9 keys are missing"]),
        ("foreign.npy", ["foreign.npy is a zip archive", "--from npz"]),
        ("odd.bin", ["--dtype float32"]),
        ("odd.bin --dtype float32", ["3 more than a whole number"]),
        ("odd.bin --dtype bool", ["odd.bin holds bool"]),
        ("odd.bin --dtype int16", ["1 more than a whole number"]),
        ("keys.npy --dtype int32", ["keys of float32, not of int32"]),
        ("words.txt", ["words.txt, line 2: 'two'"]),
        ("missing.npy", ["missing.npy", "does not exist"]),
        (".", ["is a directory"]),
    ):
        src, *options = arguments.split()
        assert_refused(run("sort", src, "x.npy", *options, *ON_CPU), 3, *words)
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(("dtype", "way"), [("uint8", DRAWN), ("int16", DRAWN), (">i2", ON_CPU)])
def test_integers_of_8_and_16_bits(dtype: str, way: tuple[str, ...]) -> None:
    limits = np.iinfo(dtype)
    random = np.random.default_rng(8).integers(limits.min, limits.max, 500, endpoint=True)
    keys = np.append(random, [limits.min, limits.max]).astype(dtype)
    for down in (False, True):
        expected = np.sort(keys)[::-1] if down else np.sort(keys)
        for form in ("npy", "raw", "text"):
            typed = ("--from", form, *(() if form == "npy" else ("--dtype", dtype)))
            options = (*typed, *way, *(("--descending",) if down else ()))
            result = run("sort", *options, stdin=content(keys, form))
            assert result.stdout_bytes == content(expected, form), result.stderr
    np.save("keys.npy", keys)
    assert run("sort", "keys.npy", "sorted.npy", *way).exit_code == 0
    assert Path("sorted.npy").read_bytes() == content(np.sort(keys), "npy")
    refused = run("sort", "keys.npy", *way, "--precision", "float16", "--to", "text")
    assert_refused(refused, 2, f"floats; these keys are {np.dtype(dtype).newbyteorder('=')}")


LONG = b"16777217\n3.14159265358979\n1700000000.123\n-0.0\n1e-300\n"
"""Words that float32 does not hold."""


@pytest.mark.parametrize("way", [DRAWN, ON_CPU])
def test_no_word_of_a_text_is_changed(way: tuple[str, ...]) -> None:
    result = run("sort", *way, stdin=LONG)
    words = ["-0.0", "1e-300", "3.14159265358979", "16777217.0", "1700000000.123"]
    assert result.stdout.split() == words
    assert result.stderr == "Note: standard input: the words are read as float64\n"
    integers = [2**63 - 1, -(2**63), 2**53 + 1, 2**53, 16777217]
    result = run("sort", *way, stdin="".join(f"{each}\n" for each in integers).encode())
    assert [int(word) for word in result.stdout.split()] == sorted(integers)
    assert "read as int64" in result.stderr
    large = b"18446744073709551615\n1\n"
    assert run("sort", *way, "--dtype", "uint64", stdin=large).stdout.split()[1] == (
        "18446744073709551615"
    )


def test_a_decimal_after_a_megabyte_of_integers() -> None:
    """Of a pipe, too, of which nothing can be read again."""
    result = run("sort", *ON_CPU, stdin=b"3\n" * 600_000 + b"0.5\n")
    assert result.stdout.split()[:2] == ["0.5", "3.0"]
    assert "float64 after all" in result.stderr
    large = b"9007199254740993\n" * 70_000 + b"2.5\n"
    assert_refused(run("sort", *ON_CPU, stdin=large), 3, "beyond 2**53")


def test_files_of_64_bits_and_blending() -> None:
    keys = np.random.default_rng(1).normal(size=100)
    np.save("doubles.npy", keys)
    assert run("sort", "doubles.npy", "x.npy", *DRAWN).exit_code == 0
    np.testing.assert_array_equal(np.load("x.npy"), np.sort(keys))
    blended = run("sort", "doubles.npy", "y.npy", "--device", "software", "--method", "blend")
    assert_refused(blended, 3, "two words", "--method auto")
    rounded = ("--precision", "float32", "--device", "software")
    assert run("sort", "doubles.npy", "z.npy", *rounded).exit_code == 0
    np.testing.assert_array_equal(np.load("z.npy"), np.sort(keys.astype(np.float32)))


def test_several_files_and_patterns() -> None:
    for name, numbers in (("a1.txt", "3\n1\n"), ("a2.txt", "2\n"), ("b.txt", "9\n")):
        Path(name).write_text(numbers)
    assert run("sort", "a*.txt", *ON_CPU).stdout.split() == ["1", "2", "3"]
    assert run("sort", "b.txt", "a?.txt", "x.txt", *ON_CPU).exit_code == 0
    assert Path("x.txt").read_text().split() == ["1", "2", "3", "9"]
    assert run("sort", "a1.txt", "b.txt", "-o", "-", *ON_CPU).stdout.split() == ["1", "3", "9"]
    assert run("sort", "-", "b.txt", "-o", "-", *ON_CPU, stdin=b"5\n").stdout.split() == ["5", "9"]
    assert_refused(run("sort", "a1.txt", "a2.txt", *ON_CPU), 4, "a2.txt exists")
    assert_refused(run("sort", "c*.txt", *ON_CPU), 3, "no file matches 'c*.txt'")
    assert_refused(run("sort", "-", "-", "-o", "y.txt", *ON_CPU), 2, "only once")
    Path("[x].txt").write_text("1\n")
    assert run("sort", "[x].txt", *ON_CPU).stdout.split() == ["1"]
