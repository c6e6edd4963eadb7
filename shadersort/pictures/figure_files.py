"""Figures of matplotlib, written as whole files."""

from io import BytesIO
from pathlib import Path
from typing import Any

from shadersort.keys.outputs import write_file
from shadersort.pictures.matplotlib_types import Figure

UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""What keeps the time out of a file, by its format: equal figures give equal files."""
FORMATS = ("png", "svg", "pdf")
"""The formats of figures."""


def write_figure(figure: Figure, path: Path, *, overwrite: bool, form: str = "png") -> None:
    """Write a figure in one of the `FORMATS`. A failure leaves no file."""
    from matplotlib import rc_context

    drawn = BytesIO()
    with rc_context({"svg.hashsalt": "shadersort"}):  # else an SVG has random names
        figure.savefig(drawn, format=form, dpi=110, metadata=UNDATED.get(form))
    write_file(path, drawn.getvalue(), overwrite=overwrite)
