"""Pieces: pages that a notebook or another page shows in a frame, and that need nothing else."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from shadersort.keys.outputs import write_file


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Piece:
    """A page of its own, to be embedded.

    A notebook shows two outputs: the still picture, which every viewer shows, and the page in a
    frame, which some viewers remove with its scripts.

    Attributes
    ----------
    title
        What it is, in a few words.
    page
        The whole page: one file, which loads nothing.
    height
        Pixels of its frame.
    still
        What a notebook shows as a picture, or None.

    Examples
    --------
    >>> Piece("nothing", "<!doctype html><title>nothing</title>")
    <Piece: nothing>
    """

    title: str
    page: str
    height: int = 560
    still: Any = None

    def __repr__(self) -> str:
        return f"<Piece: {self.title}>"

    @property
    def frame(self) -> str:
        """The element that embeds it."""
        return (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" loading="lazy" '
            f'width="100%" height="{self.height}" style="border: 0" '
            f'srcdoc="{escape(self.page)}"></iframe>'
        )

    def to_html(self, path: str | Path, *, overwrite: bool = True) -> Path:
        """Write the page; return its path.

        Raises
        ------
        OutputExists, DiskFull
            The file cannot be written; no part of it is left.
        """
        write_file(Path(path), self.page.encode(), overwrite=overwrite)
        return Path(path)

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        if self.still is not None:
            display(self.still)  # type: ignore[no-untyped-call]
        display(HTML(self.frame))  # type: ignore[no-untyped-call]
