"""What the first bytes of a file show: its compression, or its format.

So a compressed or packed file is never read as raw numbers.
"""

import codecs
from pathlib import PurePath

from shadersort.keys.reading.request import Request

COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
"""By suffix."""

FORMS = {
    ".npy": "npy",
    ".npz": "npz",
    ".raw": "raw",
    ".bin": "raw",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
"""The form of a file by its suffix."""

TEXTS = ("text", "csv", "tsv", "jsonl")
"""The forms that consist of lines."""

START = 512
"""Bytes that are looked at."""

_COMPRESSED = {
    b"\x1f\x8b\x08": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
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
_BZ2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")

BYTE_ORDER_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"""By the first bytes; the longer ones first, because one begins with another."""

PRINTABLE = frozenset(b"\t\r\n" + bytes(range(32, 127)))


def compression_of(start: bytes) -> str | None:
    """Return the compression that the first bytes of a file show, or None.

    Examples
    --------
    >>> compression_of(b"BZh91AY&SY"), compression_of(b"BZh, a word")
    ('bz2', None)
    """
    for mark, name in _COMPRESSED.items():
        if start.startswith(mark):
            if name == "bz2" and not (start[3:4].isdigit() and start[4:10] in _BZ2_BLOCKS):
                return None
            return name
    return None


def form_shown(start: bytes) -> str | None:
    """Return the form that the first bytes of a file show, or None.

    Examples
    --------
    >>> form_shown(b"PAR1"), form_shown(b"1.5")
    ('parquet', None)
    """
    return next((form for mark, form in _PACKED.items() if start.startswith(mark)), None)


def foreign(start: bytes) -> str | None:
    """Return what a file is that cannot be read, or None."""
    if start[257:262] == b"ustar":
        return "a tar archive"
    return next((what for mark, what in _FOREIGN.items() if start.startswith(mark)), None)


def encoding_shown(start: bytes) -> str | None:
    """Return the encoding that a byte order mark shows, or None.

    Examples
    --------
    >>> encoding_shown("1".encode("utf-16")), encoding_shown(b"1")
    ('utf-16', None)
    """
    return next((name for mark, name in BYTE_ORDER_MARKS.items() if start.startswith(mark)), None)


def form_of_input(path: PurePath, start: bytes, request: Request) -> str:
    r"""Return the form by the suffix; without a known suffix, by the first bytes.

    Raw numbers have a type. Without one, whatever can be text in UTF-8 is text.

    Examples
    --------
    >>> import numpy as np
    >>> untyped, typed = Request(), Request(dtype=np.dtype(np.uint16))
    >>> form_of_input(PurePath("keys.csv.gz"), b"", untyped)
    'csv'
    >>> [form_of_input(PurePath("-"), b"\xc3\xa9", each) for each in (untyped, typed)]
    ['text', 'raw']
    """
    suffix = path.suffix.lower()
    if suffix in COMPRESSIONS:
        suffix = PurePath(path.stem).suffix.lower()
    if suffix in FORMS:
        return FORMS[suffix]
    if shown := form_shown(start):
        return shown
    if start.lstrip().startswith(b"{"):
        return "jsonl"
    if request.encoding or encoding_shown(start) or PRINTABLE.issuperset(start):
        return "text"
    return "text" if request.dtype is None and _is_utf8(start) else "raw"


def _is_utf8(start: bytes) -> bool:
    """Whether the first bytes of a file are text in UTF-8, whose last character may be cut off."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)
