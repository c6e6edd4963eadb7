"""Links of Markdown files: between pages they stay; to other files they lead to the repository."""

import os
import posixpath
import re
from collections.abc import Container
from html import escape
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PARTS = ROOT / "site" / "parts"  # of pages
SETTING = re.compile(r'^repository = "(.*)"$', re.MULTILINE)
REPOSITORY = "".join(SETTING.findall((ROOT / "site" / "conf.py").read_text(encoding="utf-8")))
REPOSITORY = REPOSITORY or os.environ.get("GITHUB_REPOSITORY", "")
"""Owner and name on GitHub, such as "someone/shadersort", or nothing."""

LINK = re.compile(r"(?<!!)\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s]+)\)")
PICTURE = re.compile(r"\[(!\[[^][]*\]\(([^()\s]+)\))\]\(\2\)")


def head(title: str, description: str = "") -> str:
    """Return what the head of a page tells search engines, and who shows a preview of a link."""
    told = description or (PARTS / "description.txt").read_text(encoding="utf-8").strip()
    owner, _, name = REPOSITORY.partition("/")
    address = f"https://{owner}.github.io/{name}/" if REPOSITORY else ""
    html = (PARTS / "head.html").read_text(encoding="utf-8")
    return html.format(title=escape(title), description=escape(told), address=address)


def linked(text: str, page: str, pages: Container[str], repository: str = REPOSITORY) -> str:
    """Return Markdown with links that work on the site.

    A link to a page of the site stays. A link to another file of the repository leads to it there,
    or is plain text if its address is not known. A picture that links to itself opens alone.

    Examples
    --------
    >>> linked("[report](b.md), [code](../Makefile)", "docs/a.md", {"docs/b.md"}, "")
    '[report](b.md), code'
    """

    def changed(link: re.Match[str]) -> str:
        words, target = link.groups()
        file = target.partition("#")[0]
        path = posixpath.normpath(str(PurePosixPath(page).parent / file))
        if not file or "://" in file or path in pages or not (ROOT / path).exists():
            return link[0]
        address = f"https://github.com/{repository}/blob/main/{path}"
        return f"[{words}]({address})" if repository else words

    def alone(picture: re.Match[str]) -> str:
        """Return a picture in a link to its file: Sphinx copies all pictures into one folder."""
        name = PurePosixPath(picture[2]).name
        return f'<a href="{"../" * page.count("/")}_images/{name}">{picture[1]}</a>'

    return LINK.sub(changed, PICTURE.sub(alone, text))
