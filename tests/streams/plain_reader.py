"""A reader of the bytes of summaries without NumPy, by docs/format.md alone."""

import json
import struct
from bisect import bisect_right
from fractions import Fraction
from hashlib import blake2b
from itertools import accumulate
from math import ceil
from typing import Any

LETTERS = {
    **{"|i1": "b", "|u1": "B", "<i2": "h", "<u2": "H", "<i4": "i", "<u4": "I"},
    **{"<i8": "q", "<u8": "Q", "<f2": "e", "<f4": "f", "<f8": "d"},
}


def read(data: bytes) -> tuple[str, dict[str, Any], dict[str, list[Any]]]:
    """Return the kind, the parameters and the arrays of a summary."""
    body, digest = data[:-16], data[-16:]
    magic, version, length = struct.unpack_from("<8sHI", body)
    assert (magic, version) == (b"SSUMMARY", 1)
    assert blake2b(body, digest_size=16).digest() == digest
    head, at = json.loads(body[14 : 14 + length]), 14 + length
    arrays = {}
    for name, kind, count in head["arrays"]:
        layout = f"<{count}{LETTERS[kind]}"
        arrays[name] = list(struct.unpack_from(layout, body, at))
        at += struct.calcsize(layout)
    assert at == len(body)
    return head["kind"], head["parameters"], arrays


class Ranks:
    """Answers quantiles and ranks from a QuantileSummary or a TailSummary."""

    def __init__(self, data: bytes) -> None:
        _, _, arrays = read(data)
        columns = (arrays.get(name, []) for name in ("values", "lower", "upper"))
        entries = [*zip(*columns, strict=True), *((value, 1, 1) for value in arrays["waiting"])]
        entries.sort(key=lambda entry: entry[0])
        self.values = [value for value, _, _ in entries]
        self.smallest = list(accumulate(lower for _, lower, _ in entries))
        self.largest = [1, *(1 + sum_ for sum_ in accumulate(upper for _, _, upper in entries))]

    def rank_bounds(self, x: float) -> tuple[int, int]:
        """Return the least and the most values that may be at most x."""
        at = bisect_right(self.values, x)
        return (self.smallest[at - 1] if at else 0), self.largest[at] - 1

    def quantile(self, q: float) -> Any:
        """Return a value whose rank is near ⌈qN⌉."""
        rank = max(1, ceil(q * self.smallest[-1]))
        bounds = zip(self.smallest, self.largest, strict=False)
        return self.values[min(enumerate(max(rank - a, b - rank) for a, b in bounds), key=_off)[0]]


def _off(entry: tuple[int, int]) -> int:
    return entry[1]


def count_bounds(data: bytes, item: Any) -> tuple[int, int]:
    """Return the least and the most times that an item may have come, of a FrequencySummary."""
    _, parameters, arrays = read(data)
    held = zip(arrays["counts"], arrays["missed"], strict=True)
    counted = dict(zip(arrays["items"], held, strict=True))
    buckets = (arrays["seen"][0] - len(arrays["waiting"])) // ceil(
        1 / Fraction(parameters["epsilon"])
    )
    count, missed = counted.get(item, (0, buckets))
    here = arrays["waiting"].count(item)
    return count + here, count + here + missed
