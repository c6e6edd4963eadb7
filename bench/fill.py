"""Fills figures from records into Markdown.

    python -m bench.fill      # the README and the pages of docs/

A block of a page has its template in a comment, and the filled text below it:

    <!-- fill one-read-nvidia-h200; n=2^28; data=uniform
    | `one-read` | {ms 3; what=select n/2; dtype=float32} ms |
    -->
    | `one-read` | 0.305 ms |
    <!-- end -->

A placeholder is a formula in braces, as `bench/formula.py` describes it, with a format behind the
column. Source and conditions may stand in the first line of the block. Several figures are written
as the least and the largest. A format is a number of significant digits (2 unless it is given), one
of Python, or `times`, which writes "4.1 times as fast as" or "only 0.24 times as fast as". `device`
and `label` are words about a source, and `words:` before a column lists the words of rows. What no
record has yet is "not measured".
"""

import re
from pathlib import Path

from bench.formula import Formula, Term
from bench.shared.options import Options, command
from bench.shared.words import span, three
from bench.sources import NotMeasured, Sources

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"(<!-- fill ?([^\n]*)\n(.*?)\n-->\n).*?(<!-- end -->\n)", re.DOTALL)
PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
UNKNOWN = "not measured"


@command(__doc__)
def main(options: Options) -> None:
    """Fill all pages."""
    sources = Sources()
    for page in PAGES:
        page.write_text(fill_page(page.read_text(encoding="utf-8"), sources), encoding="utf-8")


def fill_page(text: str, sources: Sources) -> str:
    """Return a page with the text below each template filled in again."""

    def fill_block(found: re.Match[str]) -> str:
        head, defaults, template, end = found.groups()
        name = defaults.partition(";")[0].strip()
        known = not name or name in sources
        text = fill_text(template, sources, defaults) if known else f"Not measured yet: {name}."
        return f"{head}{text}\n{end}"

    return BLOCK.sub(fill_block, text)


def fill_text(text: str, sources: Sources, defaults: str = "") -> str:
    """Return a text with its placeholders filled; a block has a source and conditions for all."""

    def fill(found: re.Match[str]) -> str:
        try:
            return _write(Formula(found[1], sources, defaults), sources)
        except NotMeasured:
            return UNKNOWN

    return PLACEHOLDER.sub(fill, text)


def _write(formula: Formula, sources: Sources) -> str:
    """Return the figures of a formula as its first term says."""
    term = formula.terms[0]
    assert isinstance(term, Term)
    if term.column in ("device", "label") and not term.reduced:
        return str(getattr(sources[term.source], term.column))
    if term.reduced == "words":
        column = term.column
        return "; ".join(dict.fromkeys(str(row[column]) for row in term.rows(sources)))
    figures = [figure for some in formula.result().figures.values() for figure in some]
    if term.format == "times":
        few = "only " if max(figures) < 1 else ""
        return f"{few}{span(figures)} times as fast as"
    if term.format in ("", "2"):
        return span(figures)
    write = three if term.format == "3" else lambda figure: format(figure, term.format)
    return " to ".join(dict.fromkeys([write(min(figures)), write(max(figures))]))


if __name__ == "__main__":
    main()
