"""Order statistics on a device that draws: the functions that users call."""

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy.typing as npt

from shadersort import selection
from shadersort.drawing.devices import borrowed
from shadersort.drawing.devices.base import Device
from shadersort.keys.types import Keys, Number
from shadersort.names import DeviceName, QuantileMethod, SelectionMethod
from shadersort.selection.primitives.textures import TexturePrimitives
from shadersort.selection.selection_trace import SelectionTrace


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    method: SelectionMethod = ...,
    device: Device | DeviceName | None = ...,
    as_printed: bool = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Number: ...


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    method: SelectionMethod = ...,
    device: Device | DeviceName | None = ...,
    as_printed: bool = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Number, SelectionTrace]: ...


def select(
    x: npt.ArrayLike,
    k: int,
    *,
    method: SelectionMethod = "cutting-plane",
    device: Device | DeviceName | None = None,
    as_printed: bool = False,
    return_trace: bool = False,
    **options: Any,
) -> Any:
    """Return the k-th smallest key, `np.partition(x, k)[k]`, found by drawing.

    The keys are uploaded once; then only counts and sums come back. Counts prove every answer.

    Parameters
    ----------
    x
        One-dimensional; float32 or float16, as many as fit into the four channels of the device's
        largest texture. For other types there is `modern.select`.
    k
        The rank, from zero, NaNs last; a negative rank counts from the end.
    method
        A name in `shadersort.selection.METHODS`: "cutting-plane" (by sums), "bitwise" (one
        occlusion query a bit), "bucket" and others; not "one-read" and "quickselect-serial".
    device
        A device of `open_device`, or the name of one to open for this call. None uses the best
        device of this machine, which is opened once and kept until the process ends.
    as_printed
        Do exactly what the method's paper prints, with its faults (`docs/errata.md`). On textures
        "sort-choose", "randomized", "cutting-plane" and the five searches of Beliakov 2011 can:
        "bisection", "golden", "brent-root", "brent-min" and "quasi-newton" are then the textbook's,
        with the paper's tolerance; `transform="log"` needs `modern.select`. Places are rounded down
        to keys.
    return_trace
        Return the pair (key, `SelectionTrace`).
    **options
        Options of the method: see its function in `shadersort.selection.methods`.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat, EmptyInput, TooManyKeys
        These keys cannot be selected from on this device.
    RankOutOfRange, BadRank, UnknownName, BadOption
        There is no such rank, method, option or device.
    MethodUnavailable
        The method needs a call that textures do not have; the message names it.
    DidNotConverge, AnswerRefuted
        The method gave up, or counts disproved its answer as printed; the error carries its trace.
    ProfileLimit, DeviceUnavailable
        The device emulates a card that could not do this, or cannot be opened here.

    Examples
    --------
    >>> import numpy as np
    >>> select(np.float32([3, 1, np.nan, 2]), 1, device="software")
    np.float32(2.0)
    """
    with borrowed(device) as opened, TexturePrimitives(x, opened) as keys:
        options |= {"method": method, "as_printed": as_printed, "return_trace": return_trace}
        return selection.select(keys, k, **options)


def median(
    x: npt.ArrayLike,
    *,
    method: SelectionMethod = "cutting-plane",
    device: Device | DeviceName | None = None,
    **options: Any,
) -> Number:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The parameters are those of `select`, `as_printed` among them. The median of no keys is NaN,
    with a RuntimeWarning.

    Examples
    --------
    >>> import numpy as np
    >>> median(np.float32([4, 1, 2, 3]), method="bitwise", device="software")
    np.float32(2.5)
    """
    with borrowed(device) as opened, TexturePrimitives(x, opened) as keys:
        found: Number = selection.median(keys, method=method, **options)
        return found


@overload
def quantile(
    x: npt.ArrayLike,
    q: float,
    *,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    device: Device | DeviceName | None = ...,
    **options: Any,
) -> Number: ...


@overload
def quantile(
    x: npt.ArrayLike,
    q: Sequence[float] | Keys,
    *,
    method: QuantileMethod = ...,
    selector: SelectionMethod = ...,
    device: Device | DeviceName | None = ...,
    **options: Any,
) -> Keys: ...


def quantile(
    x: npt.ArrayLike,
    q: npt.ArrayLike,
    *,
    method: QuantileMethod = "linear",
    selector: SelectionMethod = "cutting-plane",
    device: Device | DeviceName | None = None,
    **options: Any,
) -> Any:
    """Return quantiles as `np.quantile` does, of the shape of q, NaN if any key is NaN.

    `method` is how to interpolate between neighbours, one of NumPy's 13 methods, and `selector` how
    to find them, a method of `select`, whose other parameters and errors apply. A q that is no
    number from 0 to 1 raises `QuantileNotNumber` or `QuantileOutOfRange`. The quantiles of no keys
    are NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import numpy as np
    >>> quantile(np.float32([1, 2, 3, 4]), [0.25, 0.5], device="software")
    array([1.75, 2.5 ])
    """
    with borrowed(device) as opened, TexturePrimitives(x, opened) as keys:
        return selection.quantile(keys, q, method=method, selector=selector, **options)
