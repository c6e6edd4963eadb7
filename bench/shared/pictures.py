"""Pictures of pages as files: the same bytes on every machine, if the figure is the same."""

import io
from collections.abc import Callable
from typing import Any

import matplotlib
from matplotlib.figure import Figure


def svg(draw: Callable[[], Figure], style: Any, title: str, description: str) -> str:
    """Draw a figure in a style, over matplotlib's defaults; return it as the text of a file."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(style)
        file = io.StringIO()
        about: dict[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        about |= {"Title": title, "Description": description}
        draw().savefig(file, format="svg", metadata=about)
    return "\n".join(line.strip() for line in file.getvalue().splitlines()) + "\n"
