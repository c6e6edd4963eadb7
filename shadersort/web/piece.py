"""Pieces: pages that a notebook or another page shows in a frame, and that need nothing else."""

from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from shadersort.keys.outputs import write_file

FIT_FRAMES = """\
<script>
addEventListener("message", ({ source, data }) => {
  const frames = [...document.querySelectorAll("iframe")];
  const frame = frames.find((each) => each.contentWindow === source);
  if (frame && data?.heightOfPiece > 0) frame.height = data.heightOfPiece;
});
</script>
"""
"""Gives a frame the height of its page, which `page.js` tells, so that it has no scroll bar."""


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Piece:
    """A page of its own, to be embedded.

    A notebook shows two outputs: the still picture, which every viewer shows, and the page in a
    frame, which some viewers remove with its scripts. A page that asks a question has what answers
    it below.

    Attributes
    ----------
    title
        What it is, in a few words.
    page
        The whole page: one file, which loads nothing.
    height
        Pixels of its frame, until its page has told how high it is.
    still
        What a notebook shows as a picture above the frame, or None.
    below
        What a notebook shows below the frame, or None.
    """

    title: str
    page: str
    height: int = 560
    still: Any = None
    below: Any = None

    def __repr__(self) -> str:
        return f"<Piece: {self.title}>"

    @property
    def frame(self) -> str:
        """The element that embeds it, with a script that fits its height: ASCII alone."""
        element = (
            f'<iframe title="{escape(self.title)}" sandbox="allow-scripts" loading="lazy" '
            f'width="100%" height="{self.height}" style="border: 0" '
            f'srcdoc="{escape(self.page)}"></iframe>\n{FIT_FRAMES}'
        )
        return element.encode("ascii", "xmlcharrefreplace").decode()  # for a page of any encoding

    def beside(self, still: Any) -> "Piece":
        """Return the piece with a still picture, which a notebook shows before it."""
        return replace(self, still=still)

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

        for output in (self.still, HTML(self.frame), self.below):  # type: ignore[no-untyped-call]
            if output is not None:
                display(output)  # type: ignore[no-untyped-call]
