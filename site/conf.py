"""Sphinx's settings. `python -m scripts.site` fills the folder that Sphinx reads."""

import gc
import re
from html import unescape
from pathlib import Path
from textwrap import shorten
from typing import Any

from scripts.site.links import REPOSITORY, head
from shadersort import __version__

gc.disable()  # it took a third of a build; without it a process has less than half a gigabyte

# Owner and name of the repository on GitHub, such as "someone/shadersort"; GitHub's runners know
# it. Without it no page leads to Colab, to Binder or to files of the source.
repository = ""

project = "shadersort"
release = __version__
html_title = project
copyright = "the authors of shadersort, MIT licence"

root_doc = "contents"  # the first page, index.html, is no page of Sphinx
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["README.md"]  # guide.md includes it

nb_execution_mode = "off"  # the notebooks have their outputs
myst_heading_anchors = 4
myst_heading_slug_func = "bench.report.anchors.anchor"  # the anchors of GitHub

smartquotes_action = "D"  # dashes alone: names of options stand in straight quotes
default_role = "literal"  # docstrings have code between single backticks
autodoc_default_options = {
    "members": True,
    "member-order": "bysource",
    "inherited-members": (  # except from
        "BaseEstimator, BaseException, Parameters, Protocol, Sequence, dict, object, tuple"
    ),
    "exclude-members": "get_metadata_routing, score, set_score_request",  # scikit-learn tells
}
autodoc_typehints = "none"  # the text of each parameter says what it is
napoleon_use_rtype = False
napoleon_use_ivar = False

pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
html_theme = "furo"
html_static_path = ["static", "../docs/sorting.png"]  # the picture is the preview of a page
html_favicon = "static/favicon.svg"
html_search_scorer = str(Path(__file__).parent / "static" / "search_scorer.js")
html_css_files = ["site.css"]
html_js_files = ["site.js", "film.js"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
if REPOSITORY:
    html_theme_options["footer_icons"] = [
        {"name": "source", "url": f"https://github.com/{REPOSITORY}", "html": "source"}
    ]


def setup(app: Any) -> None:
    """Describe pages, and add a script to the page of the search alone."""
    app.connect("html-page-context", _add_to_page)


def _add_to_page(app: Any, page: str, _: str, context: dict[str, Any], doctree: Any) -> None:
    if page == "search":
        app.add_js_file("search_files.js")
    found = doctree.findall(lambda node: node.tagname == "paragraph") if doctree else ()
    text = next(filter(None, (each.astext() for each in found)), "").removeprefix("The idea. ")
    title = unescape(re.sub("<[^>]*>", "", context.get("title", project)))
    told = head(title, shorten(text, 200, placeholder=" …"))
    context["metatags"] = context.get("metatags", "") + told
