"""The report as Markdown and as HTML, both with their plots in files beside them."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from markdown_it import MarkdownIt

from bench.report.anchors import Anchors
from bench.report.parts import Grid, Part

TITLE = "The papers, reproduced"

PAPERS = {
    "Govindaraju et al. 2005": (
        "N. K. Govindaraju, N. Raghuvanshi, D. Manocha: Fast and Approximate Stream Mining of "
        "Quantiles and Frequencies Using Graphics Processors. SIGMOD 2005."
    ),
    "Beliakov 2011": (
        "G. Beliakov: Parallel calculation of the median and order statistics on GPUs with "
        "application to robust regression. 2011."
    ),
    "Alabi et al. 2012": (
        "T. Alabi, J. D. Blanchard, B. Gordon, R. Steinbach: Fast K-selection Algorithms for "
        "Graphics Processing Units. ACM Journal of Experimental Algorithmics, 2012."
    ),
    "Blanchard et al. 2015": (
        "J. D. Blanchard, E. Opavsky, E. Uysaler: Selecting Multiple Order Statistics with a "
        "Graphics Processing Unit. 2015."
    ),
}
"""Each paper in full, from the oldest to the newest."""

PICTURES = (
    ("Govindaraju et al. 2005", "Figure 1", "the card's units; a drawing, nothing is measured"),
    ("Govindaraju et al. 2005", "Figure 2", "the quads of a step: lessons 1 and 3 draw them"),
    ("Beliakov 2011", "Figure 1", "source code of the objective"),
    ("Beliakov 2011", "Figure 4", "cutting planes step by step: lesson 10 draws them"),
    ("Beliakov 2011", "Figure 5", "the same with an outlier: lesson 10 draws it"),
)
"""Figures without measurements, and where to find a similar picture."""

KINDS = ("Table", "Figure", "Adversaries", "Speed-ups", "Claims")
"""The first words of the parts' names, in the order of the parts."""

INTRODUCTION = (
    "Every table and figure of four papers: the paper's numbers, those measured with this package, "
    "their ratio, and what changed and why; and the claims that each paper makes in words.",
    'A row "paper" of a table has the numbers that the paper prints. The rows below it were '
    'measured with this package: "as printed" is the method as the paper prints its steps, if it '
    'prints them, and "improved" is our version. In brackets is the paper\'s figure over the '
    "measured one; for times, that is how many times faster it is now. A time of 0 means that our "
    "version has no such step. A cell that is empty in the paper's row is empty in the others, "
    "too; any other empty cell was not measured, and a note says why. Each answer is checked. "
    "In tables and figures, methods as printed are timed without the proof by counts, which no "
    "paper has, and ours with it, unless a note says otherwise.",
    "Written by `python -m bench.report` from `bench/papers/` and `bench/records/`; not edited by "
    "hand. `make reproduce` measures the tables with NumPy on the machine at hand, and "
    "`make reproduce-gpu` what needs a GPU; both write `build/reproduced.html`, with more rows and "
    "the figures of this machine.",
)


def _in_order(parts: Sequence[Part]) -> Iterator[tuple[str, list[Part]]]:
    """Yield each paper with its parts: tables, figures, speed-ups, and then the claims."""
    papers = list(PAPERS)

    def place(part: Part) -> tuple[int, int, int]:
        kind, *rest = part.name.split()
        number = int(rest[0]) if kind == "Figure" else 0
        return papers.index(part.paper), KINDS.index(kind), number

    ordered = sorted(parts, key=place)
    for paper, some in groupby(ordered, lambda part: part.paper):
        yield paper, list(some)


def _pictures(paper: str) -> list[str]:
    return [f"{name}: {what}" for of, name, what in PICTURES if of == paper]


def markdown(parts: Sequence[Part]) -> str:
    """Return the report as Markdown."""
    lines = [f"# {TITLE}", ""]
    for paragraph in INTRODUCTION:
        lines += [paragraph, ""]
    lines += ["## Contents", "", *_contents(parts), ""]
    for paper, some in _in_order(parts):
        lines += [f"## {paper}", "", PAPERS[paper], ""]
        if pictures := _pictures(paper):
            lines += ["Not measured: " + "; ".join(pictures) + ".", ""]
        for part in some:
            lines += [f"### {_heading(part)}", "", f"**{part.changed}**", ""]
            for grid in part.grids:
                lines += [*_markdown_table(grid), ""]
            for name in part.files:
                lines += [f"[![{part.name}]({name})]({name})", ""]
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


def html(parts: Sequence[Part]) -> str:
    """Return the report as a page of HTML."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens, names = reader.parse(markdown(parts)), Anchors()
    for token, text in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", names.of(text.content))
    body = reader.renderer.render(tokens, reader.options, {})
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<title>{TITLE}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>\n{body}</body></html>\n'
