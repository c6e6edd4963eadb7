"""What formulas read: records by name, the papers' tables, curves rank by rank, and claims.

A table's name stands for its cells, `curves` for the rows of `bench.curves` with one for each rank,
`claims` for the records of `bench.claims`, of which the first that has rows counts, and `priced`
for sorts by the price list of the card of 2005.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from bench.papers import TABLES, load
from bench.reproduce.alabi_2012 import ranks
from bench.reproduce.lines import Line
from bench.shared.record import Library, Record, Row
from bench.shared.words import count_of
from shadersort import estimate
from shadersort.drawing.cost.profiles import memory_bandwidth
from shadersort.errors import ShadersortError, UnknownName
from shadersort.names import DrawingMethod, NetworkName

REPRODUCED, CURVES = "reproduce-nvidia-h200", "curves-nvidia-h200"
CLAIMS = ("claims-nvidia-h200", "claims-numpy")

PRINTED, IMPROVED, LIBRARY, TODAY = "as printed", "improved", "library", "today"
"""Variants: to a paper's letter; ours; another library's function; ours beside a paper's table."""


CARD, LARGE = "GeForce 6800 Ultra", 1 << 23
PRICED: tuple[tuple[NetworkName, DrawingMethod], ...] = (("pbsn", "blend"), ("bitonic", "fragment"))
"""The paper's card, its keys, and the sorts that are priced on it."""


class NotMeasured(ShadersortError):
    """No record has some figures; the message is the reason."""


def variant_of(row: Row) -> str:
    """Return the variant of a row: its field, or what its label says of the thing that ran.

    Examples
    --------
    >>> variant_of({"label": "bucket, as printed"}), variant_of({"label": "NumPy, 2 threads"})
    ('as printed', 'improved')
    """
    if "variant" in row:
        return str(row["variant"])
    printed = PRINTED in row.get("label", "") or "network" in row  # a network has one version
    return PRINTED if printed else IMPROVED


def strip_variant(label: str) -> str:
    """Return a label without its variant.

    Examples
    --------
    >>> strip_variant("sort-choose, as printed / bucket, as printed")
    'sort-choose / bucket'
    >>> strip_variant("as printed, NumPy, 2 threads, float16")
    'NumPy, 2 threads, float16'
    """
    for variant in (PRINTED, IMPROVED):
        label = label.replace(f", {variant}", "").removeprefix(f"{variant}, ")
    return label


def describe(row: Row) -> Row:
    """Return a row with its variant, its method, and one name for the keys and for the data."""
    named = {"variant": variant_of(row), "method": strip_variant(row.get("label") or "")}
    return {**named, "n": row.get("keys"), "data": row.get("distribution"), **row}


class Sources:
    """Rows by the names of their sources: from a library of records, or from given ones."""

    def __init__(self, library: Library | None = None, known: Mapping[str, Record] | None = None):
        self.library = library or Library()
        self.records: dict[str, Record] = dict(known or {})
        self._rows: dict[str, list[Row]] = {}
        self._claims = CLAIMS[0]

    def alternatives(self) -> Iterator["Sources"]:
        """Yield the sources with each of the records that `claims` may stand for."""
        for self._claims in CLAIMS:
            yield self

    def __contains__(self, name: str) -> bool:
        """Return whether there is a source of this name, or of all names that `+` joins."""
        if "+" in name:
            return all(each in self for each in name.split("+"))
        home = self._home(name)
        return home == "priced" or home in self.records or home in self.library

    def __getitem__(self, name: str) -> Record:
        """Return the record of a source; raise NotMeasured if there is none."""
        home = self._home(name)
        if home == "priced":
            return _priced()
        if home not in self.records:
            if home not in self.library:
                raise NotMeasured(f"there is no record {home}")
            self.records[home] = self.library[home]
        return self.records[home]

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a source, describe; raise NotMeasured if there is no record."""
        if "+" in name:
            return [row for each in name.split("+") for row in self.rows(each)]
        name = self._claims if name == "claims" else name
        if name not in self._rows:
            record = self[name]
            rows: list[Row] = list(record.rows)
            if name in TABLES:
                rows = [_cell(row, record.label) for row in rows if row["table"] == name]
            if name == "curves":
                rows = [each for row in rows for each in split_ranks(row)]
            of: Row = {"record": record.label, "source": self._home(name)}
            of |= {"dirty": record.commit.endswith("-dirty")}
            self._rows[name] = [{**describe(row), **of} for row in rows]
        return self._rows[name]

    def _home(self, name: str) -> str:
        """Return the name of the record that has a source."""
        if name in TABLES:
            return REPRODUCED
        return {"curves": CURVES, "claims": self._claims}.get(name, name)


def _cell(row: Row, label: str) -> Row:
    """Return a cell of a table with its ratios to the paper's figure, and that of the cards."""
    line, ratios = Line.of_row(row), dict[str, Any]()
    if line.n and line.n != line.of.get("n", line.n):
        return {**row, **line.of, "measured": None, "why": f"only {count_of(line.n)} keys"}
    if line.measured and line.paper:
        ratios = {"gain": line.ratio, "share": line.measured / line.paper}
    with suppress(UnknownName):  # a record of NumPy names no card
        then, now = (memory_bandwidth(card).value for card in (load(row["table"]).device, label))
        ratios["bandwidth"] = now / then
    return {**row, **line.of, "keys": line.n, **ratios}


@cache
def _priced() -> Record:
    """Price sorts of 2^23 halves on the paper's card, without transfers."""
    rows = []
    for network, method in PRICED:
        cost = estimate(LARGE, network=network, method=method, precision="float16")
        ms = 1e3 * (cost.seconds - cost.transfer_seconds)
        of = {"network": network, "method": method, "dtype": "float16", "keys": LARGE}
        rows.append({**of, "label": f"{network}, {method}, float16", "program_ms": ms})
    return Record(CARD, "priced", tuple(rows))


def split_ranks(row: Row) -> list[Row]:
    """Return a row for each rank of a row of curves; of a row without ranks, itself."""
    if "each" not in row:
        return [row]
    n, times = row["n"], row["each"]
    places = ranks(n, len(times))
    return [{**row, "ms": ms, "share": (k + 1) / n} for k, ms in zip(places, times, strict=True)]
