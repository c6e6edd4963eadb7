"""Pages that need no server and no network: style, scripts and data stand in one file."""

import json
from collections.abc import Sequence
from html import escape
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
    title: str, scripts: Sequence[str], data: Any, styles: Sequence[str] = (), head: str = ""
) -> str:
    """Return a page with scripts and style sheets of `scripts/`.

    Scripts find what `data` holds as `DATA`. `head` stands before the element that they fill.
    """
    names = ("page/page.js", "page/elements.js", *scripts)
    return PAGE.format(
        title=escape(title),
        style="".join(script_text(name) for name in ("page/style.css", *styles)),
        head=head,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        scripts="\n".join(script_text(name) for name in names),
    )
