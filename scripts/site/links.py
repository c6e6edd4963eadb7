"""Links of Markdown files: between pages they stay; to other files they lead to the repository."""

import posixpath
import re
from collections.abc import Container
from pathlib import Path, PurePosixPath

from scripts.site.repository import REPOSITORY, source

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<!!)\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s]+)\)")
PICTURE = re.compile(r"\[(!\[[^][]*\]\(([^()\s]+)\))\]\(\2\)")


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
        path = _path(target, page)
        if path in pages or not (path and (ROOT / path).exists()):
            return link[0]
        address = source(path, repository)
        return f"[{words}]({address})" if address else words

    return LINK.sub(changed, PICTURE.sub(lambda found: _alone(found, page), text))


def _path(target: str, page: str) -> str:
    """Return the path in the repository that a link of a page leads to, or nothing."""
    file = target.partition("#")[0]
    if not file or "://" in file:
        return ""
    return posixpath.normpath(str(PurePosixPath(page).parent / file))


def _alone(found: re.Match[str], page: str) -> str:
    """Return a picture in a link to its file: Sphinx copies all pictures into one folder."""
    up = "../" * page.count("/")
    name = PurePosixPath(found[2]).name
    return f'<a href="{up}_images/{name}">{found[1]}</a>'
