"""The places of the panels in the window of `watch`, in pixels."""

from dataclasses import dataclass

MARGIN = 20
HEADER = 62
FOOTER = 58
NAME = 20
"""Heights and margins in units; NAME is the height of the name above a panel. A unit is one pixel,
or more on a display of high density."""

WHOLE = 2
"""From this size on, a texel is a whole number of pixels wide."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels; (0, 0) is the upper left corner of the window."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The panels, and the width of a texel in pixels."""

    panels: tuple[Box, ...]
    pixels_per_texel: float


def lay_out(window: tuple[int, int], texture: tuple[int, int], count: int, unit: int) -> Layout:
    """Place panels: the first at the left, the others in rows beside it, as large as possible.

    Panels have one size and do not overlap. Texels of at least two pixels are a whole number of
    pixels wide, so all texels are equal.

    Examples
    --------
    >>> [(box.left, box.top) for box in lay_out((900, 700), (32, 32), count=5, unit=1).panels]
    [(46, 91), (322, 91), (598, 91), (322, 376), (598, 376)]
    """
    margin, header, footer, name = (unit * each for each in (MARGIN, HEADER, FOOTER, NAME))
    wide, high = window[0] - margin, window[1] - header - footer

    def scale_of(columns: int) -> float:
        rows = -(-(count - 1) // columns)
        across = (wide // (1 + columns) - margin) / texture[0]
        scale = min(across, (high // rows - name - margin // 2) / texture[1])
        return float(int(scale)) if scale >= WHOLE else max(scale, 1 / max(texture))

    columns = max(range(1, count), key=lambda each: (scale_of(each), -each))
    rows, scale = -(-(count - 1) // columns), scale_of(columns)
    width, height = (max(1, int(side * scale)) for side in texture)
    spare = max(0, high - rows * (name + height))
    gap = min(spare // (rows + 1), margin)
    left = (window[0] - columns * (width + margin) - width) // 2
    top = header + (spare - (rows - 1) * gap) // 2 + name

    def panel(column: int, row: int) -> Box:
        x, y = column * (width + margin), row * (height + name + gap)
        return Box(left + x, top + y, width, height)

    beside = (panel(1 + i % columns, i // columns) for i in range(count - 1))
    return Layout((panel(0, 0), *beside), scale)
