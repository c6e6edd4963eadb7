"""`shadersort sort`: from any form to any other, and no part of an output where it fails."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import shadersort as ss
from shadersort.keys.outputs import format_lines
from shadersort.keys.types import Keys
from tests.cli.test_cli import SHELL, assert_refused, names, npy, run, text
from tests.helpers import TYPES, bits, random_bits

SOFTWARE = ("--device", "software")


def content(keys: Keys, form: str) -> bytes:
    if form == "npy":
        return npy(keys)
    return format_lines(keys) if form == "text" else keys.tobytes()


def numbers(count: int, dtype: str) -> Keys:
    """Random bits, but no NaN: text does not hold their payloads."""
    keys = random_bits(count, count, np.dtype(dtype).name).astype(dtype)
    return keys[~np.isnan(keys)] if keys.dtype.kind == "f" else keys


@pytest.mark.parametrize("dtype", [*TYPES, "uint8", ">i2"])
def test_every_form_through_pipes(dtype: str) -> None:
    for count, down in ((0, ()), (65, ()), (500, ("--descending",))):
        keys = numbers(count, dtype)
        expected = np.sort(keys)[::-1] if down else np.sort(keys)
        for form in ("npy", "raw", "text"):
            typed = () if form == "npy" else ("--dtype", dtype)
            named = ("--from", form) if form == "raw" or not count else ()
            for to in ("npy", "raw", "text") if dtype in TYPES else (form,):
                arguments = ("sort", *named, *typed, *down, "--to", to, *SOFTWARE)
                result = run(*arguments, stdin=content(keys, form))
                assert (result.stdout_bytes, result.stderr) == (content(expected, to), "")


def test_files_by_their_suffixes() -> None:
    keys = numbers(500, "float32")
    expected = ss.sort(keys, device="software")
    np.save("keys.npy", keys)
    for name, previous in (("a.txt", "keys.npy"), ("b.bin", "a.txt"), ("c.npy", "b.bin")):
        before = Path(previous).read_bytes()
        assert run("sort", previous, name, "--dtype", "float32", *SOFTWARE).exit_code == 0
        assert Path(previous).read_bytes() == before
    np.testing.assert_array_equal(bits(np.load("c.npy")), bits(expected))
    assert Path("b.bin").read_bytes() == expected.tobytes()
    assert Path("a.txt").read_bytes() == format_lines(expected)
    assert names() == ["a.txt", "b.bin", "c.npy", "keys.npy"]


def test_a_pipe_with_a_name() -> None:
    os.mkfifo("pipe")
    with subprocess.Popen(["sh", "-c", "seq 9 -1 1 >pipe"]):
        result = run("sort", "pipe", *SOFTWARE, "--dtype", "int32")
    assert result.stdout.split() == list("123456789")


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
    for arguments, word in (
        ("complex.npy", "complex.npy holds complex128: numbers are integers"),
        ("objects.npy", "objects.npy holds objects of Python"),
        ("table.npy", "table.npy has 2"),
        ("cut.npy", "3 bytes of its 9 keys are missing"),
        ("foreign.npy", "foreign.npy is a zip archive, no npy: say --from npz"),
        ("odd.bin", "--dtype float32"),
        ("odd.bin --dtype float32", "3 more than a whole number"),
        ("odd.bin --dtype bool", "not bool"),
        ("keys.npy --dtype int32", "keys of float32, not of int32"),
        ("words.txt", "words.txt, line 2: 'two'"),
        ("missing.npy", "missing.npy does not exist"),
        (".", "is a directory"),
    ):
        src, *options = arguments.split()
        assert_refused(run("sort", src, "x.npy", *options, *SOFTWARE), 3, word)
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_no_word_of_a_text_is_changed() -> None:
    for said, words, lines in (
        ((), b"1e+06\n.5\n", "0.5\n1000000.0\n"),
        ((), b"007\n+6\n", "6\n7\n"),
        (("--dtype", "uint64"), b"18446744073709551615\n1\n", "1\n18446744073709551615\n"),
    ):
        assert run("sort", *SOFTWARE, *said, stdin=words).stdout == lines
    long = b"16777217\n3.14159265358979\n1700000000.123\n-0.0\n1e-300\n"  # for float32
    result = run("sort", *SOFTWARE, stdin=long)
    words_out = ["-0.0", "1e-300", "3.14159265358979", "16777217.0", "1700000000.123"]
    assert result.stdout.split() == words_out
    assert result.stderr == "Note: standard input: the words are read as float64\n"
    integers = [2**63 - 1, -(2**63), 2**53 + 1, 2**53, 16777217]
    result = run("sort", *SOFTWARE, stdin=text(np.array(integers)))
    assert [int(word) for word in result.stdout.split()] == sorted(integers)


def test_a_decimal_after_a_megabyte_of_integers() -> None:
    """Of a pipe, too, of which nothing can be read again."""
    result = run("sort", stdin=b"3\n" * 600_000 + b"0.5\n")
    assert result.stdout.split()[:2] == ["0.5", "3.0"]
    assert "float64 after all" in result.stderr
    large = b"9007199254740993\n" * 70_000 + b"2.5\n"
    assert_refused(run("sort", stdin=large), 3, "beyond 2**53")


def test_several_files_and_patterns() -> None:
    for name, lines in (("a1.txt", "3\n1\n"), ("a2.txt", "2\n"), ("b.txt", "9\n")):
        Path(name).write_text(lines)
    assert run("sort", "a*.txt", *SOFTWARE).stdout.split() == ["1", "2", "3"]
    assert run("sort", "b.txt", "a?.txt", "x.txt", *SOFTWARE).exit_code == 0
    assert Path("x.txt").read_text().split() == ["1", "2", "3", "9"]
    found = run("sort", "-", "b.txt", "-o", "-", *SOFTWARE, stdin=b"5\n")
    assert found.stdout.split() == ["5", "9"]
    assert_refused(run("sort", "a1.txt", "a2.txt", *SOFTWARE), 4, "a2.txt exists")
    assert_refused(run("sort", "c*.txt", *SOFTWARE), 3, "no file matches 'c*.txt'")
    assert_refused(run("sort", "-", "-", "-o", "y.txt", *SOFTWARE), 2, "only once")
    Path("[x].txt").write_text("1\n")
    assert run("sort", "[x].txt", *SOFTWARE).stdout.split() == ["1"]


def test_an_output_that_exists() -> None:
    np.save("keys.npy", np.array([2, 1], "f4"))
    Path("x.npy").write_bytes(b"old")
    assert_refused(run("sort", "keys.npy", "x.npy", *SOFTWARE), 4, "x.npy exists", "--force")
    assert Path("x.npy").read_bytes() == b"old"
    assert_refused(run("sort", "keys.npy", ".", "--force", *SOFTWARE), 4, "not a file")
    assert run("sort", "keys.npy", "x.npy", "--force", *SOFTWARE).exit_code == 0
    assert run("sort", "keys.npy", "keys.npy", "--force", *SOFTWARE).exit_code == 0
    for name in ("keys.npy", "x.npy"):
        assert np.load(name).tolist() == [1, 2]


def test_commands_that_are_wrong() -> None:
    np.save("keys.npy", np.array([2.0, 1.0]))
    for arguments, code, words in (
        ("x.npy --network bubble", 2, "'bubble' is not one of 'pbsn', 'bitonic'"),
        ("x.npy --device vulkan", 2, "'vulkan' is not one of 'auto'"),
        ("x.npy --memory lots", 2, "not 'lots'"),
        ("x.npy --memory 1MiB", 2, "is too little"),
        ("x.npy --delimiter ;", 2, "--delimiter is for csv and tsv inputs, and keys.npy is npy"),
        ("x.npy --method blend", 3, "would part. Use --method auto"),
        ("no/x.npy", 1, "there is no such folder"),
        ("-o no/", 2, "no/ is the name of a folder"),
        *((f"x.{each}", 2, "--to") for each in ("npy.gz", "npz", "parquet", "jsonl", "txt.zst")),
    ):
        assert_refused(run("sort", *SOFTWARE, "keys.npy", *arguments.split()), code, words)
    assert names() == ["keys.npy"]


def test_a_terminal_gets_progress_and_lines() -> None:
    np.save("keys.npy", np.arange(1000, dtype=np.float32))
    master, terminal = os.openpty()
    command = [*SHELL, "sort", "keys.npy", *SOFTWARE]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=True)
    assert done.stdout == content(np.arange(1000, dtype=np.float32), "npy")
    subprocess.run(command, stdout=terminal, check=True)
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # all has been read
        while part := os.read(master, 1 << 16):
            shown += part
    os.close(master)
    assert b"merged" in shown
    assert b"\n998.0\r\n999.0\r\n" in shown
