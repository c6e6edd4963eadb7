"""How the rows of an array lie in the memory of a device, along one axis or several joined ones."""

from functools import lru_cache
from math import prod
from typing import NamedTuple

from modern.rows.plans import Lying, Sizes
from shadersort.selection.rows.axes import Layout, layout_of


class DeviceLayout(NamedTuple):
    """An array seen as rows along the middle axis of (outer, length, inner).

    Either `inner` is 1, and the keys of a row are neighbours in memory; or neighbouring rows are.
    """

    lying: Lying
    order: Sizes | None  # of the axes of a contiguous copy; None if the array is taken as it is
    axes: Layout  # the same along the axes of the caller's array
    sizes: tuple[Sizes, ...]  # of the axes that are joined to each of the three
    back: Sizes | None  # what puts the axes back where they were; None if they are there


@lru_cache(maxsize=256)
def device_layout(shape: Sizes, strides: Sizes, axis: int | Sizes | None) -> DeviceLayout:
    """Lay out an array; raise NumPy's errors for axes that it has not.

    Examples
    --------
    >>> device_layout((4, 5, 3), (15, 3, 1), 1)[:2]
    (Lying(outer=4, length=5, inner=3, steps=(15, 3, 1)), None)
    >>> device_layout((5, 4), (1, 5), 0)[:2]
    (Lying(outer=4, length=5, inner=1, steps=(5, 1, 0)), None)
    >>> device_layout((4, 5, 3), (15, 3, 1), (0, 2))[:2]
    (Lying(outer=5, length=12, inner=1, steps=(12, 1, 0)), (1, 0, 2))
    """
    known = layout_of(shape, axis)
    axes, rest = known.axes, known.order[: len(known.left)]
    first, last = (axes[0], axes[-1]) if axes else (len(shape), 0)
    gap = any(first < each < last for each in rest)
    before = rest if gap else tuple(each for each in rest if each < first)
    groups = before, axes, rest[len(before) :]
    inner = prod(shape[each] for each in groups[2])
    copied: Sizes | None = sum(groups, ())
    steps: Sizes = (known.length * inner, inner, int(inner > 1))
    for some in (groups, (rest, axes, ()), ((), axes, rest)):
        joined = [each for group in some if (each := join_axes(shape, strides, group))]
        if len(joined) == len(some) and are_near(*zip(*joined, strict=True)):
            groups, copied, steps = some, None, tuple(step for _, step in joined)
            break
    order, every = sum(groups, ()), tuple(range(len(shape)))
    back = tuple(sorted(every, key=order.__getitem__))
    sizes = tuple(tuple(shape[each] for each in group) for group in groups)
    outer, length, inner = map(prod, sizes)
    lying = Lying(outer, length, inner, steps)
    return DeviceLayout(lying, copied, known, sizes, None if back == every else back)


def join_axes(shape: Sizes, strides: Sizes, axes: Sizes) -> tuple[int, int] | None:
    """Return size and stride of axes as one axis; None if they do not lie so."""
    known = [(shape[each], strides[each]) for each in axes if shape[each] != 1]
    size, step = known.pop() if known else (1, 0)
    last = size * step
    for each, stride in reversed(known):
        if stride != last:
            return None
        size, last = size * each, stride * each
    return None if step < 0 else (size, step)


def are_near(shape: Sizes, strides: Sizes) -> bool:
    """Whether the keys of rows are neighbours; or those of columns, if there are several."""
    if 0 in shape:
        return True
    return strides[2] == 1 if shape[2] > 1 else strides[1] == 1 or shape[1] == 1
