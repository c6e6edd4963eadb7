"""Formulas: figures of records, as pages, the report and the papers' claims write them.

A term is `SOURCE COLUMN; field=value; …`: a column of the rows of a source that have these values;
`bench/sources.py` says what is a source. A value may be `2^28`, `a|b` (one of them), `!x` (not x),
`most` or `least` (of the rows that are left), and `None` (whatever it is). `n>=2^20` and `n<=2^20`
are bounds. `max:`, `min:`, `mean:`, `sum:`, `count:` or `swing:` before a column make one figure of
several; a swing is the largest over the least, of each data, type and number of keys.

`a / b` divides two terms, and `a - b` subtracts: rows of one variant that agree in the fields of
`SAME` which both terms leave open or restrict alike; or in those that follow ` matching `. Rows of
a thing that has one version stand beside both variants. `a / b // c / d` divides quotients.
`max of`, `min of` and `swing of` before a formula make one figure of all; `first n of a / b` is the
least n with which a is below b, as a power of two.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.shared.record import Row
from bench.sources import IMPROVED, LIBRARY, PRINTED, TODAY, NotMeasured, Sources
from shadersort.selection import METHODS
from shadersort.selection.printed import PRINTED as METHODS_AS_PRINTED

ONE_VERSION = METHODS.keys() - METHODS_AS_PRINTED.keys()
"""Methods whose steps no paper prints."""

SAME = (
    *("about", "workload", "method", "what", "data", "dtype", "n", "ranks", "count"),
    *("statistic", "part", "phase", "finish", "epsilon", "shortest", "window", "network"),
    *("sorter", "order", "term", "rank"),
)
"""Fields that say what was measured; rows that are divided agree in them."""

CONDITION = re.compile(r"(.*?)(>=|<=|=)(.*)")
OPERATION = re.compile(r" (//|/|-) ")
FRAME = re.compile(r"(?:(max|min|swing|first n) of )?(.*?)(?: matching ([\w ]+))?", re.DOTALL)
NUMBER = re.compile(r"2\^-?\d+|\d+(\.\d+)?")
NAMES = {"data": ["distribution"], "n": ["keys"], "method": ["faster", "label"]}
"""Other names of fields in some records."""

OPERATIONS: Mapping[str, Callable[[float, float], float]] = {
    **dict.fromkeys(["/", "//"], operator.truediv),
    "-": operator.sub,
}
REDUCED: Mapping[str, Callable[[Sequence[float]], float]] = {
    **dict.fromkeys(["", "mean"], lambda some: sum(some) / len(some)),
    **{"max": max, "min": min, "sum": sum, "count": len},
    "swing": lambda some: max(some) / min(some),
}

BY: Mapping[str, Sequence[str] | None] = {"": None, "swing": ("data", "dtype", "n")}
"""Fields in which the rows of a term alone agree, by how they become one; None: each is alone."""

Key = tuple[Any, ...]
Figures = dict[str, dict[Key, float]]
"""Figures by variant, and by what rows agree in."""


@dataclass(frozen=True)
class Term:
    """Some rows of a source, and a column of them."""

    source: str
    column: str
    reduced: str = ""  # how several figures become one
    format: str = ""  # how a page writes it
    conditions: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, sources: Sources, name: str, defaults: Iterable[str]) -> "Term":
        """Read a term; name and defaults stand for what it leaves out."""
        head, *fields = (part.strip() for part in text.split(";"))
        words = head.split()
        if len(words) > 1 and ("-" in words[0] or words[0] in sources):
            name = words.pop(0)
        *reduced, column = words.pop(0).split(":")
        conditions: dict[tuple[str, str], str] = {}
        for each in (*defaults, *fields):
            found = CONDITION.fullmatch(each)
            if not found:
                raise KeyError(f"{each!r} of {{{text}}} is no condition")
            conditions[found[1], found[2]] = found[3]
        wanted = {of: value for of, value in conditions.items() if value != "None"}
        return cls(name, column, "".join(reduced), "".join(words), wanted)

    def rows(self, sources: Sources, *, counts: bool = False) -> list[Row]:
        """Return the rows; without any raise NotMeasured, unless they are only to be counted."""
        rows = sources.rows(self.source)
        for (name, relation), value in self.conditions.items():
            rows = _filter(rows, name, relation, value)
            if relation == "=" and value[0:1] != "!":
                missing = {_number(each) for each in value.split("|")}
                missing -= {str(row.get(name)) for row in rows} | {"most", "least"}
                if missing and (rows or not counts):
                    lacks = f"{name} {' or '.join(sorted(missing))}"
                    raise NotMeasured(f"no row of {self.source} has {lacks}{self._among(name)}")
        measured = [row for row in rows if row.get(self.column) is not None]
        if not measured and not counts:
            whys = (str(row["why"]) for row in rows if row.get("why"))
            raise NotMeasured(
                next(whys, f"no row of {self.source} has {self.column}{self._among('')}")
            )
        return measured

    def _among(self, last: str) -> str:
        """Return the conditions before the one on a field, in words."""
        told = []
        for (name, relation), value in self.conditions.items():
            if name == last:
                break
            told.append(f"{name} {relation.strip('=')}{value}")
        return f" ({', '.join(told)})" if told else ""

    def conditions_on(self, name: str) -> list[tuple[str, str]]:
        """Return the conditions on a field."""
        names = [name, *NAMES.get(name, [])]
        return [(of[1], value) for of, value in self.conditions.items() if of[0] in names]

    def figure(self, rows: Sequence[Row]) -> float:
        """Return one figure of some rows."""
        return float(REDUCED[self.reduced]([_figure(row[self.column]) for row in rows]))


def _figure(value: Any) -> float:
    """Return a figure; a word, such as the name of a fault, counts as one."""
    return float(value) if isinstance(value, int | float) else 1.0


def _filter(rows: Sequence[Row], name: str, relation: str, value: str) -> list[Row]:
    """Return the rows whose field has a value."""
    if value in ("most", "least"):
        ends = [row[name] for row in rows if row.get(name) is not None]
        end = (max if value == "most" else min)(ends, default=None)
        return [row for row in rows if row.get(name) == end]
    if relation != "=":
        bound, compare = float(_number(value)), operator.ge if relation == ">=" else operator.le
        return [row for row in rows if row.get(name) is not None and compare(row[name], bound)]
    wanted = {_number(each) for each in value.removeprefix("!").split("|")}
    return [row for row in rows if (str(row.get(name)) in wanted) != value.startswith("!")]


def _number(text: str) -> str:
    """Return a power of two as a number, and any other text as it is."""
    base, _, power = text.partition("^")
    return str(2 ** int(power)) if base == "2" and power.isdecimal() else text


@dataclass(frozen=True)
class Result:
    """The figures of a formula by variant, and the rows on both sides of its quotients."""

    figures: dict[str, list[float]]
    sides: list[tuple[list[Row], list[Row]]]

    @property
    def rows(self) -> list[Row]:
        """All rows that were used."""
        return [row for pair in self.sides for side in pair for row in side]


class Formula:
    """A term, or a quotient of terms; `defaults` has the source and conditions that they lack."""

    def __init__(self, text: str, sources: Sources, defaults: str = "") -> None:
        found = FRAME.fullmatch(text.strip())
        assert found
        name, *fields = (part.strip() for part in defaults.split(";"))
        self.sources, self.outer, self.by = sources, found[1], (found[3] or "").split()
        parts = OPERATION.split(found[2])
        self.operations, self.terms = parts[1::2], list[Term | float]()
        for part in parts[::2]:
            if NUMBER.fullmatch(part.strip()):
                base, _, power = part.strip().partition("^")
                self.terms.append(float(base) ** int(power or 1))
            else:
                term = Term.parse(part, sources, name, fields)
                self.terms.append(term)
                name = name or term.source

    def result(self) -> Result:
        """Return the figures; raise NotMeasured without any."""
        missing = []
        for sources in self.sources.alternatives():
            try:
                return self._compute(sources)
            except NotMeasured as error:
                missing.append(str(error))
        raise NotMeasured("; ".join(dict.fromkeys(missing)))

    def _compute(self, sources: Sources) -> Result:
        sides: list[tuple[list[Row], list[Row]]] = []
        figures = self._quotient(sources, 0, sides)
        if "//" in self.operations:
            figures = _join(figures, self._quotient(sources, 2, sides), operator.truediv)
        lists = {name: self._outer(some) for name, some in figures.items()}
        if not any(lists.values()):
            raise NotMeasured("no two rows agree")
        return Result({name: some for name, some in lists.items() if some}, sides)

    def _quotient(
        self, sources: Sources, at: int, sides: list[tuple[list[Row], list[Row]]]
    ) -> Figures:
        """Return the figures of one quotient, or of a term alone; and its rows in `sides`."""
        one, *others = self.terms[at : at + 2]
        assert isinstance(one, Term)
        operation = self.operations[at] if at < len(self.operations) else "//"
        other = 1.0 if operation == "//" else others[0]
        counts = one.reduced == "count" or (isinstance(other, Term) and one.reduced == "sum")
        rows = one.rows(sources, counts=counts)
        alone = PRINTED if rows and rows[0]["variant"] == LIBRARY else IMPROVED
        if isinstance(other, float):
            sides.append((rows, []))
            found = _group(one, rows, self.by or BY.get(one.reduced, ())) or {"": {(): 0.0}}
            return {
                name or alone: {key: figure / other for key, figure in some.items()}
                for name, some in found.items()
            }
        below = other.rows(sources)
        same = self.by or [
            name for name in SAME if one.conditions_on(name) == other.conditions_on(name)
        ]
        asked = one.conditions_on("variant"), other.conditions_on("variant")
        across = all(asked) and asked[0] != asked[1]  # one variant by another
        tops, bottoms = (_group(*x, same, across) for x in ((one, rows), (other, below)))
        if counts:  # nothing to count is a figure, too
            tops = {name: dict.fromkeys(x, 0.0) | tops.get(name, {}) for name, x in bottoms.items()}
        joined = _join(tops, bottoms, OPERATIONS[operation])
        keys = {key for some in joined.values() for key in some}
        used = ([x for x in some if _key(x, same) in keys] for some in (rows, below))
        sides.append((next(used), next(used)))
        self._n = same.index("n") if "n" in same else 0
        return {name or alone: some for name, some in joined.items()}

    def _outer(self, some: Mapping[Key, float]) -> list[float]:
        if self.outer == "first n":
            below = [key[self._n] for key, ratio in some.items() if ratio < 1]
            return [float((min(below) - 1).bit_length())] if below else []
        figures = list(some.values())
        return [REDUCED[self.outer](figures)] if self.outer else figures


def _key(row: Row, same: Iterable[str]) -> Key:
    return tuple(row.get(name) for name in same)


def _own_variant(row: Row) -> str:
    """Return the variant of a row; nothing if it stands beside both variants."""
    variant = str(row["variant"])
    one = variant in (LIBRARY, TODAY) or (variant == IMPROVED and row["method"] in ONE_VERSION)
    return "" if one else variant


def _group(
    term: Term, rows: Sequence[Row], same: Sequence[str] | None, across: bool = False
) -> Figures:
    """Return one figure of the rows of each variant that agree; or of all, across variants.

    Without fields to agree in, each row is alone.
    """
    groups: dict[str, dict[Key, list[Row]]] = {}
    for at, row in enumerate(rows):
        variant, key = (
            "" if across else _own_variant(row),
            (at,) if same is None else _key(row, same),
        )
        groups.setdefault(variant, {}).setdefault(key, []).append(row)
    return {
        variant: {key: term.figure(some) for key, some in keyed.items()}
        for variant, keyed in groups.items()
    }


def _join(tops: Figures, bottoms: Figures, operation: Callable[[float, float], float]) -> Figures:
    """Return the figures of one side with those of the other, where they agree."""
    found: Figures = {}
    for variant in [name for name in dict.fromkeys([*tops, *bottoms]) if name] or [""]:
        one, other = (each.get("", {}) | each.get(variant, {}) for each in (tops, bottoms))
        figures = {
            key: operation(x, other[key])
            for key, x in one.items()
            if key in other and (other[key] or operation is operator.sub)
        }
        if figures:
            found[variant] = figures
    return found
