"""What pandas and xarray have in common: keys are computed with as arrays, and labelled again."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from modern.homes.call import Call
from modern.homes.labels import Label, labels_of, numbered


def relabelled(
    call: Call,
    keys: Any,
    names: Sequence[Hashable],
    wrap: Callable[[Any, list[Label]], Any],
) -> Any:
    """Answer a call with arrays that have labels.

    `keys` are the keys without labels, `names` those of their axes; `wrap` labels an array.
    """
    axis = numbered(call.axis, names)
    named: dict[str, Any] = {"axis": axis} if "axis" in call.options else {}
    found = call.of(keys, **named)
    if call.out is not None:
        return found
    labels = labels_of(call, found, axis, np.ndim(keys))
    return call.answered(found, lambda each: wrap(each, labels))
