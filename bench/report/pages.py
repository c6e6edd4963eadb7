"""The report as Markdown and as HTML."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from markdown_it import MarkdownIt

from bench.report.anchors import Anchors
from bench.report.parts import Grid, Part

TITLE = "The papers, reproduced"
INTRODUCTION = "Introduction"
"""The heading of the text before the papers, in `prose.md`."""

PAPERS = ("Govindaraju et al. 2005", "Beliakov 2011", "Alabi et al. 2012", "Blanchard et al. 2015")
"""From the oldest to the newest."""

KINDS = ("Table", "Figure", "Adversaries", "Speed-ups", "Claims")
"""The first words of the parts' names, in the order of the parts."""


def _in_order(parts: Sequence[Part]) -> Iterator[tuple[str, list[Part]]]:
    """Yield each paper with its parts: tables, figures, speed-ups, and then the claims."""

    def place(part: Part) -> tuple[int, int, int]:
        kind, *rest = part.name.split()
        number = int(rest[0]) if kind == "Figure" else 0
        return PAPERS.index(part.paper), KINDS.index(kind), number

    ordered = sorted(parts, key=place)
    for paper, some in groupby(ordered, lambda part: part.paper):
        yield paper, list(some)


def markdown(parts: Sequence[Part], prose: Mapping[str, str], *, pictures: bool) -> str:
    """Return the report as Markdown: with pictures, or with the names of their files."""
    lines = [f"# {TITLE}", "", prose[INTRODUCTION], ""]
    lines += ["## Contents", "", *_contents(parts), ""]
    for paper, some in _in_order(parts):
        lines += [f"## {paper}", "", prose[paper], ""]
        for part in some:
            changed = part.changed or prose[f"{paper}: {part.name}"]
            lines += [f"### {_heading(part)}", "", f"**{' '.join(changed.split())}**", ""]
            for grid in part.grids:
                lines += [*_markdown_table(grid), ""]
            shown = f"[![{part.name}]({part.file})]({part.file})"
            named = f"The figure is on the site; `make report` draws `build/report/{part.file}`."
            lines += [shown if pictures else named, ""] if part.plots else []
            lines += [*(f"- {_escaped(note)}" for note in part.notes), ""]
    return "\n".join(lines).rstrip() + "\n"


def _heading(part: Part) -> str:
    return f"{part.name}: {part.fact}"


def _contents(parts: Sequence[Part]) -> Iterator[str]:
    """Yield a line for each paper, and below it one for each part, with links to them."""
    names = Anchors()
    names.of(TITLE), names.of("Contents")
    for paper, some in _in_order(parts):
        yield f"- [{paper}](#{names.of(paper)})"
        for part in some:
            yield f"  - [{part.name}](#{names.of(_heading(part))}): {_escaped(part.fact)}"


def _markdown_table(grid: Grid) -> list[str]:
    marks = ["---"] * grid.left + ["--:"] * (len(grid.head) - grid.left)
    rows = [list(map(_escaped, row)) for row in (grid.head, *grid.rows)]
    texts = ["| " + " | ".join(row) + " |" for row in rows]
    return [texts[0], "|" + "|".join(marks) + "|", *texts[1:]]


def _escaped(text: str) -> str:
    for sign in "\\|*_<":
        text = text.replace(sign, "\\" + sign)
    return text


STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 1040px; margin: 2em auto; padding: 0 1em; color: #222 }
img { width: 100%; min-width: 800px; vertical-align: top }
p:has(img) { overflow-x: auto }
h2 { border-bottom: 1px solid #bbb; margin-top: 2.5em } h3 { margin-top: 2em }
table { border-collapse: collapse; font-size: 14px; margin: 1em 0 }
table { display: block; overflow-x: auto }
th, td { border: 1px solid #ddd; padding: 2px 7px } td[style] { white-space: nowrap }
h3 ~ ul { color: #555; font-size: 14px }
"""


def html(text: str) -> str:
    """Return the report's Markdown as a page of HTML."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens, names = reader.parse(text), Anchors()
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", names.of(content.content))
    body = reader.renderer.render(tokens, reader.options, {})
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<title>{TITLE}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>\n{body}</body></html>\n'
