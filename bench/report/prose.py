"""The sentences of the report: those of `prose.md`, with their figures filled in.

A section of that page belongs to one part of the report, or to a paper. The comment below its
heading has the defaults of its placeholders; `bench/fill.py` describes these. Sources are records,
the papers' tables by their names, and `curves`.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from bench.fill import fill_text
from bench.papers import TABLES
from bench.report.curves import Times
from bench.report.tables import Measured
from bench.shared.record import Library, Record, Row

PAGE = Path(__file__).parent / "prose.md"
SECTION = re.compile(r"^## ([^\n]*)\n<!-- ?(.*?) ?-->\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)


class _Sources:
    """Records by name, and what was measured for the cells of the papers' tables, or for curves."""

    def __init__(self, library: Library, ours: Measured, times: Times) -> None:
        self._library, self._times = library, times
        self._tables: dict[str, list[Row]] = {name: [] for name in TABLES}
        for (table, _), line in ours.lines.items():
            if line.measured is not None:
                row = {**line.of, "variant": line.variant, "gain": line.ratio, "paper": line.paper}
                share = line.measured / line.paper if line.paper else None
                row |= {"measured": line.measured, "share": share}
                self._tables[table.partition("{")[0]].append(row)

    def __contains__(self, name: str, /) -> bool:
        return name == "curves" or name in self._tables or name in self._library

    def __getitem__(self, name: str, /) -> Record:
        if name == "curves":
            return Record(self._times.record.device, self._times.record.date, self._times.rows)
        if name in self._tables:
            return Record("", "", tuple(self._tables[name]))
        return self._library[name]


def sentences(library: Library, ours: Measured, times: Times) -> Mapping[str, str]:
    """Return the text of each section by its heading."""
    sources, found = _Sources(library, ours, times), {}
    for heading, defaults, text in SECTION.findall(PAGE.read_text(encoding="utf-8")):
        name, *fields = (part.strip() for part in defaults.split(";"))
        found[heading] = fill_text(text.strip(), sources, name, fields)
    return found
