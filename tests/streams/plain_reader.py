"""A reader of the bytes of summaries without NumPy, by docs/format.md alone."""

import json
import struct
from bisect import bisect_right
from fractions import Fraction
from hashlib import blake2b
from itertools import accumulate
from math import ceil
from typing import Any

LETTERS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
LETTERS |= {"f2": "e", "f4": "f", "f8": "d", "S16": "16s"}


def read(data: bytes) -> tuple[str, dict[str, Any], dict[str, list[Any]]]:
    """Return the kind, the parameters and the arrays of a summary."""
    body = data[:-16]
    magic, version, length = struct.unpack_from("<8sHI", body)
    assert (magic, version) == (b"SSUMMARY", 1)
    assert blake2b(body, digest_size=16).digest() == data[-16:]
    head, at, arrays = json.loads(body[14 : 14 + length]), 14 + length, {}
    for name, kind, count in head["arrays"]:
        layout = "<" + count * LETTERS[kind[1:]]
        arrays[name] = list(struct.unpack_from(layout, body, at))
        at += struct.calcsize(layout)
    assert at == len(body)
    return head["kind"], head["parameters"], arrays


class Ranks:
    """Answers quantiles and ranks from a QuantileSummary or a CompactQuantiles."""

    def __init__(self, data: bytes) -> None:
        arrays = read(data)[2]
        columns = (arrays.get(name, []) for name in ("values", "lower", "upper"))
        entries = [*zip(*columns, strict=True), *((v, 1, 1) for v in arrays.get("waiting", []))]
        entries.sort(key=lambda entry: entry[0])
        self.values = [value for value, _, _ in entries]
        self.smallest = list(accumulate(lower for _, lower, _ in entries))
        self.largest = [1, *(1 + total for total in accumulate(upper for *_, upper in entries))]

    def rank_bounds(self, x: float) -> tuple[int, int]:
        """Return the least and the most values that may be at most x."""
        at = bisect_right(self.values, x)
        return (self.smallest[at - 1] if at else 0), self.largest[at] - 1

    def quantile(self, q: float) -> Any:
        """Return a value whose rank is near ⌈qN⌉."""
        r = max(1, ceil(q * self.smallest[-1]))
        off = [max(r - a, b - r) for a, b in zip(self.smallest, self.largest, strict=False)]
        return self.values[off.index(min(off))]


def count_bounds(data: bytes, item: Any) -> tuple[int, int]:
    """Return the least and the most times that an item may have come, of a FrequencySummary."""
    _, parameters, arrays = read(data)
    counted, epsilon = arrays["seen"][0] - len(arrays["waiting"]), parameters["epsilon"]
    columns = (arrays[name] for name in ("items", "counts", "missed"))
    held = {each: numbers for each, *numbers in zip(*columns, strict=True)}
    count, missed = held.get(item, (0, counted // ceil(1 / Fraction(epsilon))))
    here = count + arrays["waiting"].count(item)
    return here, here + missed
