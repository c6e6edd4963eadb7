"""Tracing: the program that `sort` runs, recorded pass by pass.

A trace holds one texture for each pass; slices share the textures. It can be seen as arrays, as a
picture, as a film, or in a player that a browser opens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import overload

import numpy.typing as npt

from shadersort.drawing.devices import borrowed
from shadersort.drawing.devices.base import Device
from shadersort.errors import UnsupportedKeys
from shadersort.keys.inputs import as_drawable, precise_type
from shadersort.keys.outputs import write_file
from shadersort.keys.types import WIDE
from shadersort.names import DeviceName, MergeName, NetworkName, Precision, SortMethod
from shadersort.pictures.matplotlib_types import Figure
from shadersort.pictures.player import page_of
from shadersort.pictures.recorded_sort import RecordedSort, TracedPass, traced_passes
from shadersort.pictures.recording import Recording
from shadersort.pictures.stills import MOST_IN_GRID, draw_pass, draw_passes, thinned, write_gif

MOST_BYTES = 1 << 30
"""The most bytes of textures of a trace by default: 1 GiB."""
MOST_PAGE_BYTES = 32 << 20
"""The most bytes of a page of `to_html` by default: 32 MiB."""
MOST_SHOWN_BYTES = 2 << 20
"""The most bytes of a page that a notebook shows by itself: 2 MiB, because it stores them."""


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Trace(RecordedSort, Sequence[TracedPass]):
    """The passes of a sort in order. A slice is a trace, too, and copies no texture.

    Attributes
    ----------
    program
        The whole program, also in a slice.
    passes
        The passes of this trace.
    input
        The input of the program: the keys as `sort` packs them, filled up with keys that sort
        last, without the keys that are never drawn (NaN, −0.0, denormals).
    result
        The sorted keys, as `sort` returns them.

    Examples
    --------
    >>> import numpy as np
    >>> seen = trace(np.float32([3, 1, 2, 5, 4, 0, 7, 6]), device="software")
    >>> len(seen), seen[1].command.blend, seen[1].after.shape
    (3, 'min', (2, 1, 4))
    >>> seen[1:].result
    array([0., 1., 2., 3., 4., 5., 6., 7.], dtype=float32)
    """

    def __len__(self) -> int:
        return len(self.passes)

    @overload
    def __getitem__(self, index: int) -> TracedPass: ...

    @overload
    def __getitem__(self, index: slice) -> "Trace": ...

    def __getitem__(self, index: int | slice) -> "TracedPass | Trace":
        if isinstance(index, slice):
            return Trace(self.program, self.passes[index], self.input, self.result)
        return self.passes[index]

    def __iter__(self) -> Iterator[TracedPass]:
        return iter(self.passes)

    def to_image(self, passes: int | slice | None = None) -> Figure:
        """Draw one pass, or several in a grid, with matplotlib.

        The first panel shows the quads: minima in blue, maxima in orange, copies in grey. The
        other four show the channels, coloured by the ranks of their keys, with outlined quads. One
        pass is drawn with its source and, if it blends, with its target before it; of several
        passes, only the targets after them are drawn.

        Parameters
        ----------
        passes
            An index, or a slice of at most 60 passes. None takes all passes, or 60 evenly spread
            ones with the first and the last.

        Raises
        ------
        BadOption, TooManyKeys
            The slice has no passes, or more than 60.
        MissingPackage
            matplotlib is not installed.

        Examples
        --------
        >>> import numpy as np
        >>> seen = trace(np.arange(64, 0, -1, dtype=np.float32), device="software")
        >>> seen.to_image(slice(1, 10)).savefig("passes.png")  # doctest: +SKIP
        """
        if passes is None:
            few = tuple(self[index] for index in thinned(len(self), MOST_IN_GRID))
            return draw_passes(replace(self, passes=few))
        if isinstance(passes, slice):
            return draw_passes(self[passes])
        return draw_pass(self, self[passes])

    def to_gif(
        self,
        path: str | Path,
        *,
        passes: slice | Sequence[int] | None = None,
        frames: int = 200,
        fps: float = 4,
        overwrite: bool = True,
    ) -> Path:
        """Write an animated GIF with one frame for each pass; return its path.

        Parameters
        ----------
        path
            The file. It appears when the film is complete.
        passes
            The passes, in this order. None takes all passes, or `frames` evenly spread ones with
            the first and the last.
        frames
            The most frames, at least two, if `passes` is None.
        fps
            Frames a second.
        overwrite
            Replace an existing file; if False, raise OutputExists.

        Examples
        --------
        >>> import numpy as np
        >>> seen = trace(np.arange(64, 0, -1, dtype=np.float32), device="software")
        >>> seen.to_gif("sort.gif", fps=8)  # doctest: +SKIP
        """
        if passes is None:
            passes = thinned(len(self), frames)
        indices = range(len(self))[passes] if isinstance(passes, slice) else passes
        shown = [self[index] for index in indices]
        return write_gif(self, shown, Path(path), fps, overwrite=overwrite)

    @overload
    def to_html(self, path: None = None, *, max_bytes: int = ..., overwrite: bool = ...) -> str: ...

    @overload
    def to_html(self, path: str | Path, *, max_bytes: int = ..., overwrite: bool = ...) -> Path: ...

    def to_html(
        self,
        path: str | Path | None = None,
        *,
        max_bytes: int = MOST_PAGE_BYTES,
        overwrite: bool = True,
    ) -> str | Path:
        """Make an HTML player of the trace: one file that works offline.

        Open it at `#pass=12` to begin there, or at `#pass=12&texel=3,5` to choose a texel, too.

        Parameters
        ----------
        path
            The file to write; its path is returned. None returns the page itself.
        max_bytes
            The most bytes of the page.
        overwrite
            Replace an existing file; if False, raise OutputExists.

        Raises
        ------
        BadOption, TooManyKeys
            The trace has no passes, or too many for a page of this size.
        OutputExists, DiskFull
            The file cannot be written; no part of it is left.

        Examples
        --------
        >>> import numpy as np
        >>> seen = trace(np.arange(64, 0, -1, dtype=np.float32), device="software")
        >>> seen.to_html()[:15]
        '<!doctype html>'
        """
        page = page_of(self, max_bytes)
        if path is None:
            return page
        write_file(Path(path), page.encode(), overwrite=overwrite)
        return Path(path)

    def _repr_html_(self) -> str:
        """Show the player in a notebook if the page is small; otherwise say how to get it."""
        try:
            page = self.to_html(max_bytes=MOST_SHOWN_BYTES)
        except ValueError as error:
            return f"<p>{escape(repr(self))}<br>No player shown here: {escape(str(error))}</p>"
        return (
            f'<iframe title="{escape(repr(self))}" sandbox="allow-scripts" width="100%" '
            f'height="640" style="border: 0" srcdoc="{escape(page)}"></iframe>'
        )


def trace(
    keys: npt.ArrayLike,
    *,
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    device: Device | DeviceName | None = None,
    precision: Precision | None = None,
    merge: MergeName = "host",
    max_bytes: int = MOST_BYTES,
) -> Trace:
    """Sort keys as `sort` does; return the texture after each pass.

    Parameters
    ----------
    keys, network, method, device, precision
        As for `sort`, but keys of 32 bits at most: `precision="float32"` rounds doubles.
    merge
        As for `sort`, but "host", the default, as in the paper: the passes leave four sorted
        lists. With "device" they also merge them.
    max_bytes
        The most bytes of textures: one texture for each pass, and the input.

    Raises
    ------
    TooManyKeys
        The textures need more bytes. The message says how many keys fit. Nothing is drawn.

    Examples
    --------
    >>> import numpy as np
    >>> seen = trace(np.float32([3, 1, 2, 0]), device="software")
    >>> seen.result
    array([0., 1., 2., 3.], dtype=float32)
    >>> seen = trace(np.random.default_rng(0).random(64, np.float32), device="software")
    >>> seen
    <Trace: 64 float32 keys, pbsn by blend, 48 passes over 4 × 4 texels>
    >>> seen[-1].caption
    'pass 47 (last 47) · step 16 of 16: mirror 2 · MAX'
    >>> merged = trace(np.float32([7, 2, 5, 4, 3, 6, 1, 0]), device="software", merge="device")
    >>> merged[-1].caption
    'pass 11 (last 11) · steps 7–8 of 8: inside 1 · within each texel'
    """
    keys = as_drawable(keys)
    if (dtype := precise_type(keys.dtype, precision)) in WIDE:
        doubles = "round them by precision='float32'"
        advice = doubles if dtype.kind == "f" else "pass keys.astype(np.int32)"
        raise UnsupportedKeys(
            f"{dtype} keys are drawn as two words, and pictures show keys of one word: {advice}"
        )
    with borrowed(device) as opened:
        recording = Recording.prepared(
            opened, keys.dtype, network, method, precision, merge=merge, max_bytes=max_bytes
        )
        result = recording.sort(keys)
    ((program, texture, textures),) = recording.runs
    passes = tuple(traced_passes(program, texture, textures))
    return Trace(program, passes, texture, result)
