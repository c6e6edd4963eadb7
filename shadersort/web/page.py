"""Pages that need no server and no network: style, scripts and data stand in one file."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Any

from shadersort.web.export import script_text, style_text

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
{scripts}
const main = new {main}(document.querySelector("main"), DATA);
</script>
</body>
</html>
"""

NO_LINKS: Mapping[str, str] = MappingProxyType({})


def page(
    title: str,
    scripts: Sequence[str],
    data: Any,
    main: str,
    *,
    lede: str | None = None,
    links: Mapping[str, str] = NO_LINKS,
) -> str:
    """Return a page with scripts of `scripts/`, and the style sheets beside them, of their names.

    The page is filled by a class of JavaScript, `main`. Scripts find what `data` holds as `DATA`; a
    `lede` stands under the title. `links` are addresses of other pages with their names.
    """
    doors = "".join(f'<a href="{escape(to)}">{escape(name)}</a>\n' for to, name in links.items())
    site = f'<nav class="site" aria-label="The site">{doors}</nav>\n' if links else ""
    told = f"<p>{escape(lede)}</p>" if lede else ""
    header = "" if lede is None else f"<header><h1>{escape(title)}</h1>{told}</header>\n"
    names = ("page/page.js", "page/elements.js", *scripts)
    return PAGE.format(
        title=escape(title),
        style="".join(map(style_text, names)),
        head=site + header,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        scripts="\n".join(map(script_text, names)),
        main=main,
    )
