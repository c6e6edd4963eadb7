"""The primitives on a device that draws: each call is a program of passes that asks.

NaNs and denormals are not drawn, and −0.0 is drawn as 0.0 (`keys/undrawable.py`): the host adds the
part of the undrawable keys to each answer. A denormal pivot is replaced by the next number that may
be drawn: the same drawn keys are below both.
"""

from math import prod
from typing import Self

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.base import Device, Found
from shadersort.drawing.devices.texture import packed
from shadersort.drawing.passes import (
    CHANNELS,
    TEXTURE,
    Parameters,
    Shader,
    texture_size,
    window_texels,
)
from shadersort.drawing.program import Program
from shadersort.drawing.questions import copying, counting, reducing
from shadersort.errors import UnsupportedKeys
from shadersort.keys.inputs import as_selectable
from shadersort.keys.types import Key, Keys
from shadersort.keys.undrawable import (
    Undrawable,
    next_drawable,
    padding,
    previous_drawable,
    split_undrawable,
)
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.buckets import distance
from shadersort.selection.primitives.textures.costs import sort_program
from shadersort.selection.primitives.values import Counts, Extent, Objective, Traffic, Tuning
from shadersort.sorting.merge import merge
from shadersort.sorting.texture_sort import check_fits


class TexturePrimitives(Primitives):
    """Primitives over float32 or float16 keys in a texture. Close them, or use `with`.

    A card of 2005 draws a texel at a given place, and cannot gather the texels that passed a test.
    So there are no copies, and methods iterate until one key is left.

    Examples
    --------
    >>> from shadersort import open_device
    >>> with open_device("software") as device:
    ...     with TexturePrimitives(np.float32([3, 1, np.nan, 2, 2]), device) as keys:
    ...         keys.counts(np.float32(2)), keys.at_or_above(np.float32(2.5))
    (Counts(below=1, equal=2, above=2), np.float32(3.0))
    """

    name = "textures"
    tuning = Tuning(copies=False)

    def __init__(self, keys: npt.ArrayLike, device: Device) -> None:
        array, cast = as_selectable(keys)
        if cast is not None or array.dtype not in (np.float16, np.float32):
            raise UnsupportedKeys(
                f"keys of {cast.dtype if cast else array.dtype} are not selected from on "
                "textures, which hold floats of at most 32 bits: use modern.select, or convert "
                "them to float32 if rounding is acceptable"
            )
        self.dtype, self.size, self.device = array.dtype, array.size, device
        self.traffic = Traffic()
        check_fits(device, self.size, CHANNELS)
        drawn, undrawable = split_undrawable(array.astype(np.float32, copy=False))
        self._drawn, self._undrawable = len(drawn), undrawable or Undrawable.divide(drawn[:0])
        self.nans, self._denormals = len(self._undrawable.nans), self._undrawable.denormals
        self._shape = texture_size(window_texels(self.size))
        self._texture = device.upload(packed(drawn, *self._shape, padding(drawn.dtype)))

    def close(self) -> None:
        """Release the texture. Closing twice does nothing."""
        self._texture.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def extent(self) -> Extent:
        """Reduce to smallest, largest and sum, and count the infinities."""
        low, high, total, _ = self._reduce("extent", {})
        minus, plus = self._infinities(-1), self._infinities(1)
        finite = self.size - self.nans - minus - plus
        ends = [low, high] if finite > len(self._denormals) else []
        ends += [*self._denormals[:1], *self._denormals[-1:]] or ([] if ends else [0, 0])
        total = float(total) + float(self._denormals.sum(dtype=np.float64))
        kind = self.dtype.type
        return Extent(kind(min(ends)), kind(max(ends)), total, finite, minus, plus, self.nans)

    def below(self, pivot: Key) -> int:
        """Count the keys below a pivot by one occlusion query."""
        return self._count(np.float32(pivot), ("below",))[0]

    def counts(self, pivot: Key) -> Counts:
        """Count by two occlusion queries: the keys below a pivot, and the keys equal to it."""
        below, equal = self._count(np.float32(pivot), ("below", "equal"))
        return Counts(below, equal, self.size - below - equal)

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count by occlusion queries, and reduce to the sums of distances."""
        window = {
            "low": -np.inf if low is None else previous_drawable(np.float32(low)),
            "high": np.inf if high is None else next_drawable(np.float32(high)),
        }
        parameters = {"pivot": next_drawable(np.float32(pivot)), **window}
        sums = self._reduce("distances", parameters)[2:]
        below, above = self._denormal_distances(pivot, low, high)
        return Objective(self.counts(pivot), float(sums[0]) + below, float(sums[1]) + above)

    def at_or_above(self, pivot: Key) -> Key | None:
        """Reduce to the smallest key that is not below a pivot."""
        return self._nearest(pivot, 1)

    def at_or_below(self, pivot: Key) -> Key | None:
        """Reduce to the largest key that is not above a pivot."""
        return self._nearest(pivot, -1)

    def _nearest(self, pivot: Key, sign: int) -> Key | None:
        """Return the first number from a pivot on, upwards or downwards."""
        kind, infinity = self.dtype.type, np.float32(sign * np.inf)
        if np.isnan(pivot):
            return None
        if pivot == -infinity and self._infinities(-sign):
            return kind(-infinity)
        drawn = (next_drawable if sign > 0 else previous_drawable)(np.float32(pivot))
        texel = self._reduce("nearest", {"pivot": drawn})
        nearest, count = texel[[0, 2]] if sign > 0 else texel[[1, 3]]
        found = [nearest] if count else []
        found += list(self._denormals[sign * self._denormals >= sign * pivot])[::sign][:1]
        if found:
            return kind(sign * min(sign * key for key in found))
        return kind(infinity) if self._infinities(sign) else None

    def sort(self) -> NumPyPrimitives:
        """Sort by a network on the device; the host merges the four channels."""
        program = sort_program(*self._shape, self.device.profile)
        copied = self.device.execute(copying(*self._shape), self._texture)
        with copied, self.device.execute(program, copied) as result:
            ordered = merge(result.read().reshape(-1, CHANNELS).T)[: self._drawn]
        fetched = sum(each.texels * each.fetches for each in program.passes)
        self.traffic.add(CHANNELS * fetched, CHANNELS * program.texels)
        ordered = self._undrawable.put_back(ordered)
        return NumPyPrimitives(ordered.astype(self.dtype, copy=False), self.traffic)

    def _infinities(self, sign: int) -> int:
        """Count the infinite keys of one sign."""
        return self._count(np.float32(sign * np.inf), ("equal",))[0]

    def _count(self, pivot: np.float32, shaders: tuple[Shader, ...]) -> list[int]:
        """Count keys by one occlusion query for each shader; add the keys on the host."""
        if np.isnan(pivot):
            return [self.nans if each == "equal" else self.size - self.nans for each in shaders]
        program = counting(*self._shape, shaders)
        drawn = next_drawable(pivot)
        found = dict(zip(shaders, self._ask(program, {"pivot": drawn}).counts, strict=True))
        if "below" in found:
            found["below"] += int(np.searchsorted(self._denormals, pivot))
        if "equal" in found and drawn != pivot:  # the pivot is denormal
            found["equal"] = int(np.count_nonzero(self._denormals == pivot))
        if "equal" in found and pivot == np.inf:
            found["equal"] -= CHANNELS * prod(self._shape) - self._drawn  # the padding
        return list(found.values())

    def _reduce(self, shader: Shader, parameters: Parameters) -> Keys:
        """Reduce the drawn keys to a minimum, a maximum and two sums."""
        texel = self._ask(reducing(*self._shape, shader), parameters).texel
        assert texel is not None
        return texel

    def _denormal_distances(
        self, pivot: Key, low: Key | None, high: Key | None
    ) -> tuple[float, float]:
        """Return the sums of the distances of the denormal keys, which stay on the host."""
        inside, pivot = self._denormals, np.float32(pivot)
        inside = inside if low is None else inside[inside > low]
        inside = inside if high is None else inside[inside < high]
        below = distance(pivot, inside[inside < pivot])
        return float(below.sum()), float(distance(inside[inside > pivot], pivot).sum())

    def _ask(self, program: Program, parameters: Parameters) -> Found:
        """Run a program that asks, and count every pass that reads the keys."""
        for each in program.passes:
            if each.source == TEXTURE:
                self.traffic.add(self.size)
        return self.device.ask(program, self._texture, parameters)
