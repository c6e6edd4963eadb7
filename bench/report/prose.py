"""The sentences of the report: those of `prose.md`, with their figures filled in.

A section of that page belongs to one part of the report, or to a paper. The comment below its
heading has the defaults of its placeholders; `bench/fill.py` describes these.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from bench.fill import fill_text
from bench.sources import Sources

PAGE = Path(__file__).parent / "prose.md"
SECTION = re.compile(r"^## ([^\n]*)\n<!-- ?(.*?) ?-->\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def sentences(sources: Sources) -> Mapping[str, str]:
    """Return the text of each section by its heading."""
    found = SECTION.findall(PAGE.read_text(encoding="utf-8"))
    return {head: fill_text(text.strip(), sources, defaults) for head, defaults, text in found}
