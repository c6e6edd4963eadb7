"""The report, a page for each paper: `make report` writes it as one page."""

import re

from bench.report.anchors import Anchors, anchor

HEADING = re.compile(r"^#{1,3} (.+)$", re.MULTILINE)
PAPER = re.compile(r"^## (?!Contents)", re.MULTILINE)
LINK = re.compile(r"\]\(#([^()\s]+)\)")


def divide(text: str) -> dict[str, str]:
    r"""Return the pages of the report by their names: the first one leads to the papers.

    Links between the parts of the report lead from page to page.

    Examples
    --------
    >>> pages = divide("# Report\n\n[a](#a-1), [b](#b-2)\n\n## A 1\n\n## B 2\n")
    >>> list(pages)
    ['reproduced.md', 'reproduced-a-1.md', 'reproduced-b-2.md']
    >>> pages["reproduced.md"].splitlines()[2]
    '[a](reproduced-a-1.md#a-1), [b](reproduced-b-2.md#b-2)'
    """
    first, *papers = PAPER.split(text)
    pages = {"reproduced.md": first}
    for each in papers:
        title, body = each.split("\n", 1)
        pages[f"reproduced-{anchor(title)}.md"] = f"# {title}\n" + body.replace("\n### ", "\n## ")
    there, all_names = dict[str, str](), Anchors()
    for page, body in pages.items():
        names = Anchors()
        for heading in HEADING.findall(body):
            there[all_names.of(heading)] = f"{page}#{names.of(heading)}"
    return {
        page: LINK.sub(lambda link: f"]({there[link[1]]})", body) for page, body in pages.items()
    }
