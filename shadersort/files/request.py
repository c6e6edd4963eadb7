"""What a caller says about inputs; and what names and first bytes show of the rest."""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from shadersort.errors import BadOption, ForeignFile, UnknownColumn

FORMS_READ = ("npy", "npz", "raw", "text", "csv", "tsv", "jsonl", "parquet", "arrow")
"""The formats that are read."""
COMPRESSIONS_READ = ("none", "gzip", "bz2", "xz", "zstd")
"""The compressions that are read."""
COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
"""By suffix."""
FORMS = {
    **{".npy": "npy", ".npz": "npz", ".raw": "raw", ".bin": "raw"},
    **{".txt": "text", ".text": "text", ".log": "text"},
    **{".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl"},
    **{".parquet": "parquet", ".pq": "parquet"},
    **{".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow", ".ipc": "arrow"},
}
"""The form of a file by its suffix."""
LINES = ("text", "csv", "tsv", "jsonl")
"""The forms that consist of lines."""
START = 512
"""Bytes that are looked at."""

_COMPRESSED = {
    b"\x1f\x8b\x08": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_BZ2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
_PACKED = {
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
    b"PK\x05\x06": "npz",
    b"PAR1": "parquet",
    b"ARROW1\0\0": "arrow",
}
_FOREIGN = {
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\x04\x22\x4d\x18": "an LZ4 file",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file",
    b"SQLite format 3\0": "an SQLite database",
    b"%PDF-": "a PDF",
}
_MARKS = {  # the longer ones first, because one begins with another
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_PRINTABLE = frozenset(b"\t\r\n" + bytes(range(32, 127)))


@dataclass(frozen=True, slots=True)
class Request:
    """How inputs are read: all that is not said is guessed, and the guess is told.

    Attributes
    ----------
    form
        The format, one of `FORMS_READ`; None finds it by the suffix or the first bytes.
    dtype
        The type of the numbers. It must be given for raw numbers; for the words of a text, None
        takes int64 or float64, by the first words.
    offset
        Bytes to skip at the beginning of raw numbers.
    column
        The name of a column, of an array in an `.npz` or of a member of JSON objects; or the number
        of a column, from 1.
    delimiter
        What separates the columns of a CSV; None is a comma, and a tab for TSV.
    header
        Whether the first row of a CSV holds titles; None finds out.
    encoding
        The encoding of a text; None is UTF-8, or what a byte order mark shows.
    compression
        "gzip", "bz2", "xz", "zstd" or "none"; None finds it by the first bytes.
    skip_bad
        Leave out words that are no number of the type, and count them.
    """

    form: str | None = None
    dtype: np.dtype[Any] | None = None
    offset: int = 0
    column: str | int | None = None
    delimiter: str | None = None
    header: bool | None = None
    encoding: str | None = None
    compression: str | None = None
    skip_bad: bool = False

    def check(self, name: str, form: str) -> None:
        """Raise BadOption if an option says nothing about a format."""
        for option, value, forms in (
            ("offset", self.offset or None, ("raw",)),
            ("delimiter", self.delimiter, ("csv", "tsv")),
            ("header", self.header, ("csv", "tsv")),
            ("encoding", self.encoding, LINES),
            ("column", self.column, tuple(each for each in FORMS_READ if each != "raw")),
        ):
            if value is not None and form not in forms:
                inputs = f"{' and '.join(forms)} inputs" if len(forms) < 5 else "inputs with columns"
                raise BadOption(f"{option}= is for {inputs}, and {name} is {form}")


def compression_of(start: bytes) -> str | None:
    """Return the compression that the first bytes of a file show, or None.

    Examples
    --------
    >>> compression_of(b"BZh91AY&SY"), compression_of(b"BZh, a word")
    ('bz2', None)
    """
    found = _by_start(_COMPRESSED, start)
    if found == "bz2" and not (start[3:4].isdigit() and start[4:10] in _BZ2_BLOCKS):
        return None
    return found


def encoding_of(start: bytes) -> str | None:
    """Return the encoding that a byte order mark shows, or None.

    Examples
    --------
    >>> encoding_of("1".encode("utf-16")), encoding_of(b"1")
    ('utf-16', None)
    """
    return _by_start(_MARKS, start)


def _by_start(known: dict[bytes, str], start: bytes) -> str | None:
    return next((name for mark, name in known.items() if start.startswith(mark)), None)


def form_of_input(path: PurePath, start: bytes, request: Request) -> str:
    r"""Return the form by the suffix; without a known suffix, by the first bytes.

    Raw numbers have a type. Without one, whatever can be text in UTF-8 is text.

    Examples
    --------
    >>> untyped, typed = Request(), Request(dtype=np.dtype(np.uint16))
    >>> form_of_input(PurePath("keys.csv.gz"), b"", untyped)
    'csv'
    >>> [form_of_input(PurePath("-"), b"\xc3\xa9", each) for each in (untyped, typed)]
    ['text', 'raw']
    """
    suffix = path.suffix.lower()
    if suffix in COMPRESSIONS:
        suffix = PurePath(path.stem).suffix.lower()
    if found := FORMS.get(suffix) or _by_start(_PACKED, start):
        return found
    if start.lstrip().startswith(b"{"):
        return "jsonl"
    if request.encoding or encoding_of(start) or _PRINTABLE.issuperset(start):
        return "text"
    return "text" if request.dtype is None and _is_utf8(start) else "raw"


def _is_utf8(start: bytes) -> bool:
    """Whether the first bytes of a file are text in UTF-8, whose last character may be cut off."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)


def check_content(name: str, form: str, start: bytes, request: Request) -> None:
    """Raise ForeignFile if the first bytes show something else than numbers of a form."""
    what = "a tar archive" if start[257:262] == b"ustar" else _by_start(_FOREIGN, start)
    if what:
        raise ForeignFile(f"{name} is {what}: extract the numbers first")
    if request.compression is None and (inner := compression_of(start)):
        raise ForeignFile(f"{name} is compressed twice, by {inner} inside: decompress it once")
    shown = _by_start(_PACKED, start)
    if shown and shown != form:
        what = "a zip archive" if shown == "npz" else f"a file of the form {shown}"
        raise ForeignFile(f"{name} is {what}, no {form}: say form={shown!r}, or extract it first")


def place_of(
    names: Sequence[str], name: str, column: str | int | None, *, kind: str = "column"
) -> int:
    """Return the place of a column among some names, from 0.

    `column` is a name, or a number from 1; None stands for the only column. `name` is what the file
    is called in messages, `kind` what a column is called. Raises UnknownColumn if there is no such
    column, or if there are several and none was chosen.

    Examples
    --------
    >>> place_of(["host", "ms"], "a.csv", "ms"), place_of(["host", "ms"], "a.csv", 1)
    (1, 0)
    """
    shown = ", ".join(names)
    if column is None:
        if len(names) > 1:
            raise UnknownColumn(
                f"{name} has {len(names)} {kind}s ({shown}): choose one, with column="
            )
        return 0
    if isinstance(column, int) and 1 <= column <= len(names):
        return column - 1
    if str(column) in names:
        return names.index(str(column))
    raise UnknownColumn(f"{name} has no {kind} {column!r}; it has: {shown}")
