"""Pages that need no server and no network: style, scripts and data stand in one file."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

from shadersort.web.export import script_text

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{head}<main></main>
<script type="application/json" id="data">{data}</script>
<script>
"use strict";
{scripts}</script>
</body>
</html>
"""


def page(
    title: str,
    scripts: Sequence[str],
    data: Any,
    styles: Sequence[str] = (),
    *,
    lede: str | None = None,
    links: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a page with scripts and style sheets of `scripts/`.

    Scripts find what `data` holds as `DATA`, and fill the page; a `lede` stands before that, under
    the title. `links` are addresses of other pages with their names.
    """
    doors = "".join(f'<a href="{escape(to)}">{escape(name)}</a>\n' for to, name in links.items())
    site = f'<nav class="site" aria-label="The site">{doors}</nav>\n' if links else ""
    told = f"<p>{escape(lede)}</p>" if lede else ""
    header = "" if lede is None else f"<header><h1>{escape(title)}</h1>{told}</header>\n"
    names = ("page/page.js", "page/elements.js", *scripts)
    return PAGE.format(
        title=escape(title),
        style="".join(script_text(name) for name in ("page/style.css", *styles)),
        head=site + header,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        scripts="\n".join(script_text(name) for name in names),
    )
