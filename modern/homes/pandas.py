"""Series and DataFrames of pandas: answers keep the labels of the axes that are left."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from modern.homes.aligned import taken
from modern.homes.call import Call
from modern.homes.labels import Front, Kept, Label, relabelled
from shadersort.errors import UnsupportedKeys

AXES = ("index", "columns")
"""pandas' names of axes."""


def answer(call: Call) -> Any:
    """Answer a call with Series and DataFrames; with scalars and larger arrays as they are.

    As in pandas, the q of quantiles are labels, and a Series keeps its name. Weights with labels
    belong to the keys with the same labels, and so do the q of rows.
    """
    x, pandas = call.x, sys.modules["pandas"]

    def has_labels(given: Any) -> bool:
        return isinstance(given, pandas.Series | pandas.DataFrame)

    def aligned(given: Any, axes: Sequence[int], name: str) -> Any:
        """Return numbers in the order of the keys: their last axes are some axes of the keys."""
        own = given.axes[given.ndim - len(axes) :]
        labels = [(each, x.axes[axis]) for each, axis in zip(own, axes, strict=True)]
        return taken(np.asarray(given), labels, name)

    def weigh(given: Any, along: tuple[int, ...]) -> Any:
        if not has_labels(given):
            return given
        axes = range(x.ndim) if given.ndim == x.ndim else along
        if given.ndim != len(axes):  # the shapes do not fit, and an error will say so
            return np.asarray(given)
        return aligned(given, axes, "weights")

    def share(given: Any, left: tuple[int, ...]) -> Any:
        fits = has_labels(given) and given.ndim >= len(left)
        return aligned(given, left, "q") if fits else given

    def wrap(found: Any, labels: list[Label]) -> Any:
        indices = [_index(pandas, x, each) for each in labels]
        if len(indices) == 1:
            return pandas.Series(found, indices[0], name=getattr(x, "name", None))
        return pandas.DataFrame(found, *indices) if len(indices) == 2 else found

    return relabelled(call, _keys(x), AXES[: x.ndim], wrap, weigh, share)


def _keys(x: Any) -> Any:
    """Return the keys without labels; times with a zone, which NumPy has not, are refused."""
    keys = np.asarray(x)
    for each in (x.dtypes if x.ndim == 2 else [x.dtype]) if keys.dtype.hasobject else ():
        if hasattr(each, "tz"):
            raise UnsupportedKeys(
                f"keys of {each} have a time zone: pass times in UTC, x.dt.tz_convert(None)"
            )
    return keys


def _index(pandas: Any, x: Any, label: Label) -> Any:
    """Return the labels of an axis; None for pandas' own numbers."""
    if isinstance(label, Front):
        return pandas.Index(label.values)
    if not isinstance(label, Kept):
        return None
    labels = x.axes[label.axis]
    return labels if label.places is None else labels.take(label.places)
