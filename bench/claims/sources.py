"""The records that claims are computed from, and rows of them by variant."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.claims.claim import AS_PRINTED, IMPROVED, Found, NotMeasured
from bench.shared.record import RECORDS, Record, Row, load
from bench.shared.words import count_of

CLAIMS = ("claims-nvidia-h200", "claims-numpy")
"""Records of `bench.claims`; the first that has a figure counts."""

REPRODUCED, CURVES = "reproduce-nvidia-h200", "curves-nvidia-h200"
HOSTILE = "adversaries-nvidia-h200"
SORTED, SHARED = "sort-nvidia-h200", "shared-sort-nvidia-h200"

Value = Callable[[Row], float]
Pick = str | Value


class Records:
    """Records by name: those of a folder, or those that a test gives."""

    def __init__(self, folder: Path = RECORDS, known: Mapping[str, Record] | None = None) -> None:
        self.folder = folder
        self.known: dict[str, Record] = dict(known or {})

    def __getitem__(self, name: str) -> Record:
        """Return a record; raise NotMeasured if there is none."""
        if name not in self.known:
            if not (self.folder / f"{name}.json").exists():
                raise NotMeasured(f"there is no record {name}")
            self.known[name] = load(name, self.folder)
        return self.known[name]

    def where(self, name: str, **of: Any) -> tuple[Record, list[Row]]:
        """Return a record and its rows that have these values; raise NotMeasured without one."""
        record = self[name]
        rows = record.where(**of)
        if not rows:
            raise NotMeasured(f"{name} has no row with {words(of)}")
        return record, rows

    def measured(self, about: str, **of: Any) -> tuple[Record, list[Row]]:
        """Return the first record of `CLAIMS` that has such rows, and these."""
        missing = []
        for name in CLAIMS:
            try:
                return self.where(name, about=about, **of)
            except NotMeasured as error:
                missing.append(str(error))
        raise NotMeasured("; ".join(missing))


def words(of: Mapping[str, Any]) -> str:
    """Return fields in words.

    Examples
    --------
    >>> words({"method": "bucket", "n": 1 << 27})
    'method bucket, n 2^27'
    """
    told = {name: count_of(x) if name in ("n", "keys") else x for name, x in of.items()}
    return ", ".join(f"{name} {value}" for name, value in told.items())


def variant_of(row: Row) -> str:
    """Return the variant that a row's label names, as the trace or the sorter told it.

    Examples
    --------
    >>> variant_of({"label": "bucket, as printed"}), variant_of({"label": "NumPy, 2 threads"})
    ('as printed', 'improved')
    """
    if "variant" in row:
        return str(row["variant"])
    return AS_PRINTED if AS_PRINTED in row.get("label", "") else IMPROVED


def by_variant(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return rows by their variants."""
    found: dict[str, list[Row]] = {AS_PRINTED: [], IMPROVED: []}
    for row in rows:
        found[variant_of(row)].append(row)
    return found


def what(label: str) -> str:
    """Return a label without its variant, which has a column of its own.

    Examples
    --------
    >>> what("sort-choose, as printed / bucket, as printed")
    'sort-choose / bucket'
    >>> what("as printed, NumPy, 2 threads, float16")
    'NumPy, 2 threads, float16'
    """
    for variant in (AS_PRINTED, IMPROVED):
        label = label.replace(f", {variant}", "").removeprefix(f"{variant}, ")
    return label


def ran(rows: Iterable[Row]) -> list[str]:
    """Return what ran, as the labels of rows tell it, each once."""
    return [each for each in dict.fromkeys(what(row.get("label", "")) for row in rows) if each]


def on(rows: Sequence[Row]) -> str:
    """Return the numbers and the types of keys, as far as rows tell them.

    Examples
    --------
    >>> on([{"keys": 1 << 20, "dtype": "float32"}, {"keys": 1 << 22, "dtype": "float32"}])
    '2^20 to 2^22 float32'
    """
    sizes = [row.get("keys") or row.get("n") or 0 for row in rows]
    return sizes_and_types(sizes, [row.get("dtype", "") for row in rows])


def sizes_and_types(sizes: Iterable[int], types: Iterable[str]) -> str:
    """Return the least and the largest size, and each type once, without zeros and blanks."""
    some = sorted(set(sizes) - {0})
    ends = dict.fromkeys(map(count_of, [some[0], some[-1]] if some else []))
    names = dict.fromkeys(each for each in types if each)
    return " ".join(word for word in (" to ".join(ends), ", ".join(names)) if word)


def figures(record: Record, rows: Sequence[Row], pick: Pick) -> Found:
    """Return a figure of each row, by variant."""
    value: Value = (lambda row: float(row[pick])) if isinstance(pick, str) else pick
    found = {
        name: tuple(value(row) for row in some) for name, some in by_variant(rows).items() if some
    }
    return Found(found, record.label, ran(rows), on(rows))


def of_all(record: Record, rows: Sequence[Row], over: Callable[[Sequence[Row]], float]) -> Found:
    """Return one figure of all rows of a variant."""
    found = {name: (over(some),) for name, some in by_variant(rows).items() if some}
    return Found(found, record.label, ran(rows), on(rows))


def matched(
    record: Record, above: Sequence[Row], below: Sequence[Row], pick: str, *same: str
) -> Found:
    """Return quotients of rows that agree in some fields, by variant."""
    quotients: dict[str, list[float]] = {}
    divided: list[Row] = []
    names, both = by_variant(below), by_variant(above)
    for variant, some in both.items():
        of = {tuple(row.get(name) for name in same): row for row in names[variant]}
        for row in some:
            other = of.get(tuple(row.get(name) for name in same))
            if other and row.get(pick) is not None and other.get(pick):
                quotients.setdefault(variant, []).append(row[pick] / other[pick])
                divided += [row, other]
    return Found(quotients, record.label, ran(divided), on(divided))
