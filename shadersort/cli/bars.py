"""A histogram of equal widths: as bars of characters, and as a picture."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from shadersort.cli.report import Output, print_note, print_table, table
from shadersort.keys.outputs import check_output
from shadersort.keys.types import Integers, Keys
from shadersort.pictures.figure_files import FORMATS, write_figure
from shadersort.pictures.matplotlib_types import check_matplotlib
from shadersort.streams import QuantileSummary, SlidingQuantiles
from shadersort.streams.histogram import bin_counts, equal_steps
from shadersort.streams.histogram_plot import draw_bars, new_axes

BINS = 20
"""Bins of a histogram, if their number is not given."""
WIDEST, NARROWEST = 60, 10
"""Characters of the longest bar."""
GAPS = 4
"""Characters between the columns, all together."""
LARGEST = 1 << 50
"""Integers up to this one can have edges halfway between them."""


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """The counts of values between edges, with bounds."""

    edges: Keys
    counts: Integers
    lower: Integers
    upper: Integers
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, edges: Keys, low: Integers, high: Integers, n: int, dtype: np.dtype[Any]) -> "Bars":
        """Return bars, given bounds of the values that are at most each inner edge."""
        low, high = (np.concatenate([[0], each, [n]]).astype(np.int64) for each in (low, high))
        return cls(edges, *bin_counts(low, high), dtype)

    @property
    def error(self) -> int:
        """No count is off by more than this."""
        return int(np.maximum(self.upper - self.counts, self.counts - self.lower).max())

    def rows(self) -> list[dict[str, Any]]:
        """Return the bars for JSON."""
        names = ("left", "right", "count", "low", "high")
        edges, counts = self.edges.tolist(), (self.counts, self.lower, self.upper)
        columns = (edges[:-1], edges[1:], *(each.tolist() for each in counts))
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def show(self) -> None:
        """Print a bar of characters for each bin."""
        labels = self._labels()
        shown = table("", "values", "count", "")
        shown.columns[2].justify = "left"
        for column in shown.columns:
            column.no_wrap = True
        widths = max(map(len, labels)), max(len("count"), len(f"{self.counts.max():,}"))
        longest = max(NARROWEST, min(WIDEST, Output().width - sum(widths) - GAPS))
        for label, count in zip(labels, self.counts.tolist(), strict=True):
            shown.add_row(label, f"{count:,}", _bar(longest * count / int(self.counts.max())))
        print_note("")
        print_table(shown)
        print_note("", self._error())

    def _error(self) -> str:
        if not self.error:
            return "The counts of the histogram are exact."
        return f"No count of the histogram is off by more than {self.error:,}."

    def _labels(self) -> list[str]:
        """Return a label for each bin: the integers in it, or its edges."""
        low, high = self.edges[:-1], self.edges[1:]
        if low[0] % 1 != 0.5 or self.dtype.kind == "f":
            return [f"{left:.6g} to {right:.6g}" for left, right in zip(low, high, strict=True)]
        pairs = zip((low + 0.5).astype(int), (high - 0.5).astype(int), strict=True)
        return [f"{first}" if first == last else f"{first} to {last}" for first, last in pairs]

    def plot(self, path: Path, *, overwrite: bool) -> None:
        """Draw the bars into a file."""
        axes = new_axes()
        n = int(self.counts.sum())
        draw_bars(self.edges, self.counts / n, self.lower / n, self.upper / n, axes)
        axes.set_title(f"{n:,} values. {self._error()}", fontsize=10)
        write_figure(axes.figure, path, overwrite=overwrite, form=path.suffix[1:].lower())


def _bar(length: float) -> str:
    """Return a bar; a half of a character is drawn, and less only if the bar has nothing else."""
    halves = max(round(2 * length), int(length > 0))
    return "█" * (halves // 2) + "▌" * (halves % 2)


def edges_of(summary: QuantileSummary | SlidingQuantiles, bins: int) -> Keys:
    """Return the edges of bins of equal width; those of integers lie halfway between integers."""
    ends: list[Any] = [summary.minimum.item(), summary.maximum.item()]
    low, high = ends
    if isinstance(low, int) and max(-low, high) < LARGEST:
        step = -(-(high - low + 1) // bins)
        edges: Keys = low - 0.5 + step * np.arange(-(-(high - low + 1) // step) + 1)
        return edges
    return equal_steps(float(low), float(high), bins)


def check_plot(path: Path, *, overwrite: bool) -> None:
    """Raise an error if a picture cannot be written: before anything is read."""
    if path.suffix[1:].lower() not in FORMATS:
        names = ", ".join(f".{name}" for name in FORMATS)
        raise click.UsageError(f"{path} ends in none of {names}: a picture has one of these forms")
    check_output(path.resolve(), overwrite=overwrite)
    check_matplotlib()
