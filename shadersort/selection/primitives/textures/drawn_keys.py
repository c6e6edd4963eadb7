"""Keys in a texture: what a device that draws can answer about all of them.

NaNs and denormals are not drawn, and −0.0 is drawn as 0.0 (`keys/undrawable.py`): NaNs are counted
once, and the host adds what NumPy answers about denormals. A denormal pivot is replaced by the next
number that may be drawn: the same drawn keys are below both.
"""

from math import prod

import numpy as np

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
from shadersort.keys.codes import code, key
from shadersort.keys.types import Integers, Key, Keys
from shadersort.keys.undrawable import (
    Undrawable,
    next_drawable,
    padding,
    previous_drawable,
    split_undrawable,
)
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.buckets import Doubles
from shadersort.selection.primitives.textures.costs import sort_program
from shadersort.selection.primitives.values import Counts, Extent, Traffic
from shadersort.sorting.merge import merge
from shadersort.sorting.texture_sort import check_fits


class DrawnKeys:
    """All keys, float32 or float16: in a texture, or on the host if they are never drawn."""

    def __init__(self, keys: Keys, device: Device) -> None:
        self.dtype, self.size, self.device = keys.dtype, keys.size, device
        self.traffic = Traffic()
        check_fits(device, self.size, CHANNELS)
        drawn, undrawable = split_undrawable(keys.astype(np.float32, copy=False))
        self._drawn, self._undrawable = len(drawn), undrawable or Undrawable.divide(drawn[:0])
        self.nans = len(self._undrawable.nans)
        self._denormals = NumPyPrimitives(self._undrawable.denormals)
        self._shape = texture_size(window_texels(self.size))
        self.texture = device.upload(packed(drawn, *self._shape, padding(drawn.dtype)))
        infinity = self.dtype.type(np.inf)
        self.first, self.infinity = code(-infinity), code(infinity)  # codes; below `first` are none
        self.last = (1 << 8 * self.dtype.itemsize) - 1  # the code of NaN
        self._ranks: dict[int, int] = {}  # how many keys have smaller codes, where it was counted

    def extent(self) -> Extent:
        """Reduce to smallest, largest and sum, and count the infinities."""
        low, high, total, _ = self._reduce("extent", {})
        minus, plus, aside = self._infinities(-1), self._infinities(1), self._denormals.extent()
        finite, kind = self.size - self.nans - minus - plus, self.dtype.type
        if finite == aside.finite:
            low, high = aside.low, aside.high
        elif aside.finite:
            low, high = min(low, aside.low), max(high, aside.high)
        total = float(total) + aside.total
        return Extent(kind(low), kind(high), total, finite, minus, plus, self.nans)

    def below(self, pivot: Key) -> int:
        """Count the keys below a pivot by one occlusion query."""
        return self._count(np.float32(pivot), ("below",))[0]

    def counts(self, pivot: Key) -> Counts:
        """Count by two occlusion queries: the keys below a pivot, and the keys equal to it."""
        below, equal = self._count(np.float32(pivot), ("below", "equal"))
        place = code(self.dtype.type(pivot))
        self._ranks |= {place: below, place + 1: below + equal}
        return Counts.complete(below, equal, self.size)

    def ranks(self, codes: Integers) -> Integers:
        """Return how many keys have a smaller code than each of some; counted once for each."""
        distinct, places = np.unique(codes, return_inverse=True)
        found = np.array([self._rank(each) for each in distinct.tolist()], np.int64)
        return found[places.reshape(codes.shape)]

    def _rank(self, place: int) -> int:
        """Return how many keys have a code below this one."""
        if place <= self.first:
            return 0
        if place > self.infinity:
            return self.size - (self.nans if place <= self.last else 0)
        if place not in self._ranks:
            self._ranks[place] = self.below(key(place, self.dtype))
        return self._ranks[place]

    def distances(self, pivot: Key, low: Key, high: Key) -> Doubles:
        """Reduce to the sums of distances to a pivot, of keys below and above it in a window."""
        pivot, low, high = map(np.float32, (pivot, low, high))
        ends = {"low": previous_drawable(low), "high": next_drawable(high)}
        sums = self._reduce("distances", {"pivot": next_drawable(pivot), **ends})[2:]
        return np.asarray(sums + np.array(self._denormals.objective(pivot, low, high)[1:]))

    def nearest(self, pivot: Key, sign: int) -> Key | None:
        """Return the first number from a pivot on, upwards or downwards."""
        kind, infinity = self.dtype.type, np.float32(sign * np.inf)
        if np.isnan(pivot):
            return None
        if pivot == -infinity and self._infinities(-sign):
            return kind(-infinity)
        drawn = (next_drawable if sign > 0 else previous_drawable)(np.float32(pivot))
        texel = self._reduce("nearest", {"pivot": drawn})
        nearest, count = texel[[0, 2]] if sign > 0 else texel[[1, 3]]
        call = self._denormals.at_or_above if sign > 0 else self._denormals.at_or_below
        found = [each for each in (nearest if count else None, call(pivot)) if each is not None]
        if found:
            return kind(sign * min(sign * each for each in found))
        return kind(infinity) if self._infinities(sign) else None

    def sort(self) -> Keys:
        """Sort by a network on the device; the host merges the four channels."""
        program = sort_program(*self._shape, self.device.profile)
        copied = self.device.execute(copying(*self._shape), self.texture)
        with copied, self.device.execute(program, copied) as result:
            ordered = merge(result.read().reshape(-1, CHANNELS).T)[: self._drawn]
        fetched = sum(each.texels * each.fetches for each in program.passes)
        self.traffic.add(CHANNELS * fetched, CHANNELS * program.texels)
        return self._undrawable.put_back(ordered).astype(self.dtype, copy=False)

    def keys_at(self, places: Integers) -> Keys:
        """Return the keys at some places, a texel for each; denormals and NaNs are the last."""
        self.traffic.read += places.size
        found, denormals = np.full(places.size, np.nan, np.float32), self._denormals.keys
        for i, place in enumerate(places.tolist()):
            if place < self._drawn:
                y, x = divmod(place // CHANNELS, self._shape[0])
                found[i] = self.texture.texel(x, y)[place % CHANNELS]
            elif place < self._drawn + denormals.size:
                found[i] = denormals[place - self._drawn]
        return found.astype(self.dtype)

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
        aside = self._denormals.counts(pivot)
        if "below" in found:
            found["below"] += aside.below
        if "equal" in found and drawn != pivot:  # the pivot is denormal
            found["equal"] = aside.equal
        if "equal" in found and pivot == np.inf:
            found["equal"] -= CHANNELS * prod(self._shape) - self._drawn  # the padding
        return list(found.values())

    def _reduce(self, shader: Shader, parameters: Parameters) -> Keys:
        """Reduce the drawn keys to a minimum, a maximum and two sums."""
        texel = self._ask(reducing(*self._shape, shader), parameters).texel
        assert texel is not None
        return texel

    def _ask(self, program: Program, parameters: Parameters) -> Found:
        """Run a program that asks, and count every pass that reads the keys."""
        for each in program.passes:
            if each.source == TEXTURE:
                self.traffic.add(self.size)
        return self.device.ask(program, self.texture, parameters)
