"""Matplotlib's types for annotations; the library is imported only where something is drawn."""

from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:
    Axes, Figure = NewType("Axes", object), NewType("Figure", object)
