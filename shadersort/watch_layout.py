"""Where things lie in the window of `watch`, in pixels, given its size."""

from dataclasses import dataclass

__all__ = ["Box", "Layout", "lay_out"]

MARGIN = 20
HEADER = 62
FOOTER = 58
NAME = 20
"""Heights, and the space around: above a panel is its name. A display of high density has more
pixels to each of these units."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels; `left` and `top` are counted from the window's upper left corner."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the panels lie, and how many pixels wide a texel is there."""

    panels: tuple[Box, ...]
    pixels_per_texel: float


def lay_out(window: tuple[int, int], texture: tuple[int, int], count: int, unit: int) -> Layout:
    """Lay panels out in rows: as large as they can be, centred, equal, none over another.

    A texel is a whole number of pixels, unless it is smaller than one.

    Examples
    --------
    >>> lay_out((900, 700), (32, 32), count=5, unit=1).panels[0]
    Box(left=40, top=109, width=256, height=256)
    """
    margin, header, footer, name = (unit * each for each in (MARGIN, HEADER, FOOTER, NAME))
    wide, high = window[0] - margin, window[1] - header - footer

    def scale_of(columns: int) -> float:
        rows = -(-count // columns)
        scale = min((wide // columns - margin) / texture[0], (high // rows - name) / texture[1])
        return float(int(scale)) if scale >= 1 else max(scale, 1 / max(texture))

    columns = max(range(1, count + 1), key=lambda each: (scale_of(each), each))
    rows, scale = -(-count // columns), scale_of(columns)
    width, height = (max(1, int(side * scale)) for side in texture)
    left = (window[0] - columns * width - (columns - 1) * margin) // 2
    spare = high - rows * (name + height)
    top = header + max(0, spare // (rows + 1))
    panels = tuple(
        Box(
            left + i % columns * (width + margin),
            top + i // columns * (height + name + max(0, spare // (rows + 1))) + name,
            width,
            height,
        )
        for i in range(count)
    )
    return Layout(panels, scale)
