"""Sorting keys of 64 bits: each key's code is drawn as a record, digit by digit.

A texture has no channel of 64 bits. But shaders compare records of two digits of 32 bits (or of
four of 16 bits on a card without integers), so the unsigned integer in the order of a key is such
a record itself. Every bit of it is compared, so the order is that of the ordinals: −0.0 comes
before 0.0. NaNs are set aside by the caller.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.drawing.limits import type_of_records
from shadersort.drawing.texture_size import largest_texture
from shadersort.errors import MethodUnavailable
from shadersort.keys.codes import from_ordinals, ordinals, unsigned
from shadersort.keys.types import Keys
from shadersort.names import NetworkName, SortMethod
from shadersort.sorting.records import DIGITS, Digits, sorted_records
from shadersort.sorting.texture_sort import TextureSort


@dataclass(frozen=True, slots=True)
class WideSort:
    """One way to sort keys of 64 bits on one device."""

    way: TextureSort
    digits: Digits
    dtype: np.dtype[Any]

    @classmethod
    def prepared(
        cls, device: Device, dtype: np.dtype[Any], network: NetworkName, method: SortMethod
    ) -> Self:
        """Settle how keys of a type are sorted, or raise an error that says why they cannot be."""
        if method == "blend":
            raise MethodUnavailable(
                f"{dtype} keys are drawn as two words each, which blending would part: "
                "use method='auto', or round floats first by precision='float32'"
            )
        digits = DIGITS[type_of_records(device.profile).name]
        way = TextureSort.prepared(device, digits.dtype, network, method, record=digits.record)
        return cls(way, digits, dtype)

    @property
    def most(self) -> int:
        """The most keys that the device's largest texture holds."""
        return self.digits.lists * largest_texture(self.way.device.max_texture_size)

    def sort(self, keys: Keys) -> Keys:
        """Return keys without NaNs in order, as a new array.

        Examples
        --------
        >>> from shadersort.drawing.devices import open_device
        >>> with open_device("software") as device:
        ...     way = WideSort.prepared(device, np.dtype(np.int64), "pbsn", "auto")
        ...     way.sort(np.array([2**53 + 1, -1, 2**53]))
        array([              -1, 9007199254740992, 9007199254740993])
        """
        bits = unsigned(ordinals(keys)).astype(np.uint64, copy=False)
        return _keys_of(sorted_records(self.way, self.digits, bits), self.dtype)


def _keys_of(bits: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the keys of a type, given their ordinals as `unsigned` integers."""
    if dtype.kind == "u":
        return bits
    numbers = (bits ^ np.uint64(1 << 63)).view(np.int64)
    return from_ordinals(numbers, dtype, in_place=True)
