"""What the head of a page tells search engines, and those who show a preview of a link."""

from html import escape

from scripts.site.links import REPOSITORY

DESCRIPTION = (
    "How a graphics card sorted in 2005, when it could only draw, and how a GPU of today computes "
    "the same: lessons with exercises, four papers reproduced, and a Python package."
)
ICON = '<link rel="icon" href="_static/favicon.svg">\n'

owner, _, name = REPOSITORY.partition("/")
ADDRESS = f"https://{owner}.github.io/{name}/" if REPOSITORY else ""
"""Where GitHub publishes the site; previews need whole addresses."""


def head(title: str, description: str) -> str:
    """Return elements that describe a page."""
    texts = {"og:title": title, "og:description": description, "og:type": "article"}
    if ADDRESS:
        texts["og:image"] = f"{ADDRESS}_static/sorting.png"
    named = {"name": {"description": description}, "property": texts}
    return "".join(
        f'<meta {kind}="{key}" content="{escape(text)}">\n'
        for kind, some in named.items()
        for key, text in some.items()
    )
