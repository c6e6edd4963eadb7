"""What rows are asked about, and what they are asked with: weights of their keys, a q of each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from modern.arrays import module_of
from shadersort.errors import ValuesMismatch
from shadersort.keys.stand_ins import StandIn
from shadersort.selection.rows.axes import Layout
from shadersort.selection.rows.own import OwnRows
from shadersort.selection.rows.protocol import Rows


class Cut(Protocol):
    """How rows are cut out of an array."""

    def of_keys(self, array: Any) -> Any:
        """Return what belongs to the keys, (outer, length, inner)."""

    def of_rows(self, values: Any) -> Any:
        """Return what belongs to the rows, with the axes (outer, inner) at the end."""


@dataclass(frozen=True)
class AlongAxes:
    """Rows along axes of an array.

    Examples
    --------
    >>> from shadersort.selection.rows.axes import layout_of
    >>> cut = AlongAxes(layout_of(np.zeros((2, 3)), 1))
    >>> cut.of_keys(np.array([7, 8, 9])).shape, cut.of_rows(np.zeros((4, 2))).shape
    ((2, 3, 1), (4, 2, 1))
    """

    layout: Layout

    def of_keys(self, array: Any) -> Any:
        """Return rows of an array of the same shape, or of one that all rows share."""
        if array.shape == self.layout.shape:
            return self.layout.rows(array)
        return module_of(array).broadcast_to(array[:, None], self.layout.seen)

    def of_rows(self, values: Any) -> Any:
        """Return what belongs to the rows; the last axes are those that the rows leave."""
        return self.layout.of_rows(values)


@dataclass(frozen=True)
class OneKey:
    """A row of one key, which shows the type of an answer."""

    xp: Any

    def of_keys(self, array: Any) -> Any:
        """Return a one, as a key or as a weight."""
        return self.xp.ones((1, 1, 1), array.dtype)

    def of_rows(self, values: Any) -> Any:
        """Return zeros for one row."""
        return np.zeros((*values.shape[:-1], 1, 1), values.dtype)


@dataclass(frozen=True)
class Given:
    """Rows, and what belongs to them."""

    stood_in: Rows  # the rows of the keys or of their stand-ins
    stand_in: StandIn | None
    weights: Any = None  # of the shape of the rows
    q: Any = None  # ends in (outer, inner)
    starts: Any = None  # on the host: where rows begin in a flat array, if they are segments

    @property
    def rows(self) -> Rows:
        """The rows, whose answers are keys of their own type."""
        return self.stood_in if self.stand_in is None else OwnRows(self.stood_in, self.stand_in)


Ask: TypeAlias = Callable[[Given], Any]
"""Returns answers of shape (…, outer, inner)."""


def own_q(q: npt.ArrayLike, left: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return a q for each row as an array; raise ValuesMismatch if it has another shape.

    Examples
    --------
    >>> own_q([[0.5, 0.9]], (2,)).shape
    (1, 2)
    """
    shares = np.asarray(q)
    if shares.shape[max(shares.ndim - len(left), 0) :] != left:
        raise ValuesMismatch(
            f"with q_per_row, the shape of q ends in that of the rows, {left}, not {shares.shape}"
        )
    return shares
