"""Gradients in PyTorch: that of a median or of top keys goes to the keys which were chosen."""

import sys
from functools import cache
from typing import Any

from numpy.lib.array_utils import normalize_axis_tuple

from modern.homes import Call
from modern.places import argmedian, argselect


def of_topk(call: Call, found: Any) -> Any:
    """Return top keys as those at their places in the keys, which PyTorch differentiates."""
    axis = call.axis
    if isinstance(axis, tuple | list):
        (axis,) = axis
    torch: Any = sys.modules["torch"]
    return type(found)(torch.take_along_dim(call.x, found.indices, axis), found.indices)


def of_median(call: Call, found: Any) -> Any:
    """Return medians with their gradient: half goes to each middle key.

    Both halves go to the only middle key of an odd number of keys, and to the first NaN if there is
    one. Of equal keys, the one at the lowest place is meant.
    """
    x, axis, torch = call.x, call.axis, sys.modules["torch"]
    along = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    rest = tuple(each for each in range(x.ndim) if each not in along)
    rows = x.permute(rest + tuple(sorted(along))).flatten(len(rest))
    lower = argmedian(x.detach(), axis=axis)
    upper = argselect(x.detach(), rows.shape[-1] // 2, axis=axis)
    upper = torch.where(rows.detach().gather(-1, lower[..., None])[..., 0].isnan(), lower, upper)
    middle = (rows.gather(-1, each[..., None])[..., 0] for each in (lower, upper))
    return _means().apply(*(each.reshape(found.shape) for each in middle), found)


@cache
def _means() -> Any:
    """Return a function of PyTorch: means of two tensors, which are already known."""
    torch: Any = sys.modules["torch"]

    class Means(torch.autograd.Function):  # type: ignore[misc]  # mypy does not know its class
        @staticmethod
        def forward(_: Any, lower: Any, upper: Any, means: Any) -> Any:
            return means.clone()

        @staticmethod
        def backward(_: Any, gradient: Any) -> Any:
            return gradient / 2, gradient / 2, None

    return Means
