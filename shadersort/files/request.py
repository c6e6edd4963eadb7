"""What a caller requests of inputs, and what their names and first bytes show."""

import codecs
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from shadersort.errors import BadOption, ForeignFile, UnknownColumn

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}  # by suffix
FORMS = {  # by suffix
    **{".npy": "npy", ".npz": "npz", ".raw": "raw", ".bin": "raw"},
    **{".txt": "text", ".text": "text", ".log": "text", ".csv": "csv", ".tsv": "tsv"},
    **{".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"},
    **{".pq": "parquet", ".arrow": "arrow", ".arrows": "arrow", ".feather": "arrow"},
    ".ipc": "arrow",
}
FORMS_READ = tuple(dict.fromkeys(FORMS.values()))
LINES = ("text", "csv", "tsv", "jsonl")  # the forms that consist of lines
START = 512  # bytes by which a format is found

COMPRESSED = {  # by the first bytes
    **{b"\x1f\x8b\x08": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"},
    **{b"BZh%d1AY&SY" % level: "bz2" for level in range(1, 10)},
    **{b"BZh%d\x17rE8P\x90" % level: "bz2" for level in range(1, 10)},  # of nothing
}
_PACKED = {
    **{b"\x93NUMPY": "npy", b"PK\x03\x04": "npz", b"PK\x05\x06": "npz"},
    **{b"PAR1": "parquet", b"ARROW1\0\0": "arrow"},
}
_FOREIGN = {
    **{b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive", b"Rar!\x1a\x07": "a RAR archive"},
    **{b"\x04\x22\x4d\x18": "an LZ4 file", b"\x89HDF\r\n\x1a\n": "an HDF5 file"},
    **{b"SQLite format 3\0": "an SQLite database", b"%PDF-": "a PDF"},
}
ENCODED = {  # by byte order marks, the longer ones first, because one begins with another
    **{b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32"},
    **{b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"},
}
_PRINTABLE = frozenset(b"\t\r\n" + bytes(range(32, 127)))


@dataclass(frozen=True, slots=True)
class Request:
    """How inputs are read; what is None is found out from the input."""

    form: str | None = None  # one of `FORMS_READ`
    dtype: np.dtype[Any] | None = None  # of the numbers; raw numbers must have one
    offset: int = 0  # bytes to skip at the beginning of raw numbers
    column: str | int | None = None  # a column, a field, an array, a member; or a number from 1
    delimiter: str | None = None  # what separates the columns of a CSV
    header: bool | None = None  # whether the first row of a CSV holds titles
    encoding: str | None = None  # of a text
    skip_bad: bool = False  # leave out words that are no number of the type, and count them

    def check(self, name: str, form: str) -> None:
        """Raise BadOption if an option does not apply to a format."""
        tables = ("csv", "tsv")
        allowed = {"offset": ("raw",), "delimiter": tables, "header": tables, "encoding": LINES}
        for option, forms in allowed.items():
            said = getattr(self, option) is not None and (option != "offset" or self.offset)
            if said and form not in forms:
                inputs = " and ".join(forms)
                raise BadOption(f"{option}= is for {inputs} inputs, and {name} is {form}")
        if self.column is not None and form == "raw":
            raise BadOption(f"column= is for inputs with columns, and {name} is raw numbers")

    def find_form(self, name: str, start: bytes) -> str:
        """Return the form of an input; raise ForeignFile or BadOption if it does not fit."""
        form = self.form or self._guess_form(PurePath(name), start)
        self._check_start(name, form, start)
        self.check(name, form)
        return form

    def _guess_form(self, path: PurePath, start: bytes) -> str:
        """Return the form by the suffix, or else by the first bytes; raw numbers have a type."""
        suffix = path.suffix.lower()
        if suffix in COMPRESSIONS:
            suffix = PurePath(path.stem).suffix.lower()
        if found := FORMS.get(suffix) or match_start(_PACKED, start):
            return found
        if start.lstrip().startswith(b"{"):
            return "jsonl"
        if self.encoding or match_start(ENCODED, start) or _PRINTABLE.issuperset(start):
            return "text"
        return "text" if self.dtype is None and _is_utf8(start) else "raw"

    def _check_start(self, name: str, form: str, start: bytes) -> None:
        """Raise ForeignFile if the first bytes are those of another form."""
        what = "a tar archive" if start[257:262] == b"ustar" else match_start(_FOREIGN, start)
        if what:
            raise ForeignFile(f"{name} is {what}: extract the numbers first")
        if inner := match_start(COMPRESSED, start):
            raise ForeignFile(f"{name} is compressed twice, by {inner} inside: decompress it once")
        if (shown := match_start(_PACKED, start)) not in (None, form):
            what = "a zip archive" if shown == "npz" else f"a file of the form {shown}"
            advice = f"say form={shown!r}, or extract it first"
            raise ForeignFile(f"{name} is {what}, no {form}: {advice}")


def match_start(known: dict[bytes, str], start: bytes) -> str | None:
    """Return what the first bytes of a file show, or None."""
    return next((name for mark, name in known.items() if start.startswith(mark)), None)


def _is_utf8(start: bytes) -> bool:
    """Whether the first bytes of a file are text in UTF-8, whose last character may be cut off."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)


def place_of(
    names: list[str], name: str, column: str | int | None, kind: str = "column", advice: str = ""
) -> int:
    """Return the place of a column, given by its name or its number from 1; None is the only one.

    Raises UnknownColumn if there is no such column, or if there are several and none was chosen.
    """
    if column is None and len(names) > 1:
        shown = f"{len(names)} {kind}s ({', '.join(names)})"
        raise UnknownColumn(f"{name} has {shown}: choose one, with column=")
    if column is None:
        return 0
    if isinstance(column, int) and 1 <= column <= len(names):
        return column - 1
    if str(column) in names:
        return names.index(str(column))
    raise UnknownColumn(f"{name} has no {kind} {column!r}; it has: {', '.join(names)}{advice}")
