"""Matplotlib's types for annotations; the library is imported only where something is drawn."""

from importlib import import_module
from typing import TYPE_CHECKING, NewType

from shadersort.drawing.signals import held_signals
from shadersort.errors import MissingPackage

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:
    Axes, Figure = NewType("Axes", object), NewType("Figure", object)


PARTS = ("matplotlib.figure", "matplotlib.animation", "matplotlib.backends.backend_agg")
"""Modules that bring in all of matplotlib that is used here."""


def check_matplotlib() -> None:
    """Import matplotlib, or raise MissingPackage; called before anything is drawn.

    Signals are held back: an import of matplotlib that is interrupted may end the process.
    """
    try:
        with held_signals:
            for part in PARTS:
                import_module(part)
    except ModuleNotFoundError as error:
        raise MissingPackage(
            "the picture needs matplotlib, which is not installed: pip install 'shadersort[plots]'",
            name="matplotlib",
        ) from error
