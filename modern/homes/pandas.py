"""Series and DataFrames of pandas: answers keep the labels of the axes that are left."""

import sys
from typing import Any

import numpy as np

from modern.homes.call import Call
from modern.homes.labels import Front, Kept, Label, relabelled

AXES = ("index", "columns")
"""pandas' names of axes."""


def answer(call: Call) -> Any:
    """Answer a call with Series and DataFrames; with scalars and larger arrays as they are.

    As in pandas, the q of quantiles are labels, and a Series keeps its name.
    """
    x, pandas = call.x, sys.modules["pandas"]

    def wrap(found: Any, labels: list[Label]) -> Any:
        indices = [_index(pandas, x, each) for each in labels]
        if len(indices) == 1:
            return pandas.Series(found, indices[0], name=getattr(x, "name", None))
        return pandas.DataFrame(found, *indices) if len(indices) == 2 else found

    return relabelled(call, np.asarray(x), AXES[: x.ndim], wrap)


def _index(pandas: Any, x: Any, label: Label) -> Any:
    """Return the labels of an axis; None for pandas' own numbers."""
    if isinstance(label, Front):
        return pandas.Index(label.values)
    if not isinstance(label, Kept):
        return None
    labels = x.axes[label.axis]
    return labels if label.places is None else labels.take(label.places)
