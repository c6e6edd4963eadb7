"""Figures of claims that compare cells of the papers' tables: from the record of `bench.reproduce`.

This is the only place that knows the rows of that record: `table`, `of`, `measured`, `n`, and
`variant` and `label` where a row has them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench.claims.claim import AS_PRINTED, IMPROVED, Found, NotMeasured
from bench.claims.sources import REPRODUCED, Records, ran, sizes_and_types, variant_of, words
from bench.shared.record import Row
from shadersort.selection.methods import METHODS
from shadersort.selection.printed import PRINTED

Of = Mapping[str, Any]

ONE_VERSION = METHODS.keys() - PRINTED.keys()
"""Methods whose steps no paper prints."""

Values = dict[str, list[tuple[Of, float]]]
"""What was measured for some cells, by variant."""


class Cells:
    """The measured cells of a table, by variant."""

    def __init__(self, records: Records, table: str) -> None:
        self.record = records[REPRODUCED]
        self.table = table
        self.used: list[Row] = []

    def rows(self, **of: Any) -> Iterator[Row]:
        """Yield the measured rows of some cells, and remember them."""
        for row in self.record.where(table=self.table):
            if of.items() <= row["of"].items() and row["measured"] is not None:
                self.used.append(row)
                yield row

    def values(self, **of: Any) -> Values:
        """Return what was measured for some cells, by variant; raise NotMeasured without any."""
        found: Values = {}
        for row in self.rows(**of):
            found.setdefault(variant_of(row), []).append((row["of"], float(row["measured"])))
        if not found:
            raise NotMeasured(self._why(of))
        return found

    def _why(self, of: Of) -> str:
        """Return why some cells were not measured: what their rows say, or that there are none."""
        for row in self.record.where(table=self.table):
            if of.items() <= row["of"].items() and row.get("why"):
                return str(row["why"])
        return f"{REPRODUCED} has no cell of {self.table} with {words(of)}"

    def beside(self, **of: Any) -> Values:
        """Return what `values` does, to be divided by another method's, or to divide it.

        A method whose steps no paper prints has one version, which stands beside both variants.
        """
        found = self.values(**of)
        if of.get("method", "bucket") in ONE_VERSION and AS_PRINTED not in found:
            found[AS_PRINTED] = found[IMPROVED]
        return found

    def found(self, figures: Mapping[str, Sequence[float]]) -> Found:
        """Return figures as found in the cells that were used."""
        sizes = [row["n"] or 0 for row in self.used]
        of = sizes_and_types(sizes, [row["of"].get("dtype", "") for row in self.used])
        known = {name: some for name, some in figures.items() if some}
        return Found(known, self.record.label, ran(self.used) or self._methods(), of)

    def _methods(self) -> list[str]:
        """Return the methods of the cells, for rows that have no labels."""
        names = [row["of"].get("method") or row["of"].get("faster") for row in self.used]
        return list(dict.fromkeys(name for name in names if name))


def cells(table: str, **of: Any) -> Callable[[Records], Found]:
    """Return a check that takes the figures of some cells."""

    def check(records: Records) -> Found:
        some = Cells(records, table)
        values = some.values(**of)
        return some.found({name: [x for _, x in each] for name, each in values.items()})

    return check


def from_size(table: str, least: int, most: int = 1 << 62, **of: Any) -> Callable[[Records], Found]:
    """Return a check that takes the figures of cells with at least so many keys."""

    def check(records: Records) -> Found:
        some = Cells(records, table)
        values = some.values(**of)
        kept = {
            name: [x for cell, x in each if least <= cell["n"] <= most]
            for name, each in values.items()
        }
        some.used = [row for row in some.used if least <= row["of"]["n"] <= most]
        return some.found(kept)

    return check


def quotient(
    table: str, above: Of, below: Of, *, other: str = "", **of: Any
) -> Callable[[Records], Found]:
    """Return a check that divides one cell by another; `other` is the table of the second."""

    def check(records: Records) -> Found:
        one, two = Cells(records, table), Cells(records, other or table)
        tops, bottoms = one.beside(**of, **above), two.beside(**of, **below)
        one.used += two.used
        return one.found(
            {
                name: [x / y for (_, x), (_, y) in zip(tops[name], bottoms[name], strict=True)]
                for name in tops.keys() & bottoms.keys()
            }
        )

    return check


def by_size(values: Sequence[tuple[Of, float]], key: str = "n") -> dict[Any, float]:
    """Return figures by the size in their cells."""
    return {cell[key]: figure for cell, figure in values}
