"""The microscope of kernels: what each step of each thread reads, writes and costs.

The scripts in `scripts/kernels/` show nothing, and need no other script.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from shadersort.web.page import page

KERNEL_SCRIPTS = tuple(
    f"kernels/{name}.js"
    for name in (
        *("tokens", "expressions", "statements", "evaluate", "operations"),
        *("memory", "machine", "trace", "verdict"),
    )
)
"""What reads, runs, traces and checks a kernel, in the order in which scripts stand in a page."""

GPU_SCRIPTS = ("gpu/compute.js", "kernels/wgsl.js", "kernels/run_on_gpu.js")
"""What translates a kernel into WGSL, and runs it by WebGPU; these stand after the others."""

SCRIPTS = (
    *("page/theme.js", "page/player.js", "page/link.js", "page/answer.js"),
    *(*KERNEL_SCRIPTS, *GPU_SCRIPTS),
    *("microscope/sentences.js", "microscope/memory_view.js", "microscope/microscope.js"),
)
STYLES = ("page/answer.css", "microscope/microscope.css")


def microscope(
    title: str,
    kernels: Sequence[Mapping[str, Any]],
    words: Mapping[str, Any],
    *,
    lede: str = "",
    home: str | None = None,
) -> str:
    """Return a page on which kernels are written, judged, and watched step by step, as HTML.

    Parameters
    ----------
    title
        What stands on top.
    kernels
        Each has a `name`; what it asks for (`told`); a `text` to begin with; and what `checkKernel`
        in `scripts/kernels/verdict.js` reads, whose cases need no expected result.
    words
        What a verdict says of faults, by their kinds.
    lede
        What a reader can do here.
    home
        The address of the first page of the site, to which the page then has a link. Its own
        address restores what is seen.
    """
    way_home = f'<nav><a href="{escape(home)}">← shadersort</a></nav>\n' if home else ""
    head = f"{way_home}<header><h1>{escape(title)}</h1><p>{escape(lede)}</p></header>\n"
    data = {"kernels": kernels, "words": words, "linked": home is not None}
    return page(title, SCRIPTS, data, STYLES, head=head)
