"""Pages that need no server and no network: style, scripts and data stand in one file."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from shadersort.web.look import text_of

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
{body}
{data}
<script>
"use strict";
{scripts}</script>
</body>
</html>
"""

ALWAYS = ("data.js", "theme.js", "framed.js")
"""Scripts that are in every page, before the others."""


def page(
    title: str,
    body: str,
    scripts: Sequence[str],
    data: dict[str, Any],
    styles: Sequence[str] = (),
) -> str:
    """Return a page with some scripts of this folder, and data that they find by `dataOf(name)`.

    `styles` are style sheets of this folder that follow `style.css`.

    Examples
    --------
    >>> page("Sorted", "<main></main>", ["encoded.js"], {"keys": [1, 2]})[:15]
    '<!doctype html>'
    """
    texts = [text_of(name).replace('"use strict";\n\n', "") for name in ALWAYS + tuple(scripts)]
    return PAGE.format(
        title=escape(title),
        style="".join(text_of(name) for name in ("style.css", *styles)),
        body=body,
        data="\n".join(_element(name, value) for name, value in data.items()),
        scripts="\n".join(texts),
    )


def _element(name: str, value: Any) -> str:
    text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
