"""The microscope of kernels: what each step of each thread reads, writes and costs.

The scripts in `scripts/kernels/` show nothing, and need no other script.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from shadersort.web.page import NO_LINKS, page

READ_KERNELS = ("tokens", "expressions", "statements", "evaluate", "operations")
RUN_KERNELS = ("memory", "machine", "trace", "verdict")
KERNEL_SCRIPTS = tuple(f"kernels/{name}.js" for name in (*READ_KERNELS, *RUN_KERNELS))

GPU_SCRIPTS = ("gpu/compute.js", "kernels/wgsl.js")  # after the others

SCRIPTS = (
    *("page/player.js", "page/link.js", "page/answer.js"),
    *(*KERNEL_SCRIPTS, *GPU_SCRIPTS),
    *("microscope/sentences.js", "microscope/memory_view.js", "microscope/microscope.js"),
)


def microscope(
    title: str,
    kernels: Sequence[Mapping[str, Any]],
    words: Mapping[str, Any],
    *,
    lede: str = "",
    links: Mapping[str, str] = NO_LINKS,
) -> str:
    """Return a page on which kernels are written, judged, and watched step by step, as HTML.

    Each of the `kernels` has a `name`; what it asks for (`told`); a `text` to begin with; and what
    `checkKernel` in `scripts/kernels/verdict.js` reads, whose cases need no expected result. The
    `words` say what a fault is, by its kind. A page with `links` has an address that restores what
    is seen.
    """
    data = {"kernels": kernels, "words": words, "linked": bool(links)}
    return page(title, SCRIPTS, data, "Microscope", lede=lede, links=links)
