"""`Buffer`: values of a stream, kept in their order."""

import numpy as np

from shadersort.keys.types import Keys

UNLIMITED = 1 << 62


class Buffer:
    """The newest values of a stream, up to a number; a value that is replaced, never changed.

    A `Buffer` shares its array with the one that replaces it, which writes behind the values that
    this one sees. So each value is copied only a few times, even if few come at a time.
    """

    __slots__ = ("array", "end", "most")

    def __init__(self, array: Keys, end: int = 0, most: int = UNLIMITED) -> None:
        self.array, self.end, self.most = array, end, most

    @property
    def values(self) -> Keys:
        """The values in their order."""
        return self.array[max(0, self.end - self.most) : self.end]

    def __len__(self) -> int:
        return min(self.most, self.end)

    def append(self, values: Keys) -> "Buffer":
        """Return the buffer with newer values, whose array nobody else changes."""
        if len(values) >= self.most:
            return Buffer(values[len(values) - self.most :], self.most, self.most)
        array, end = self.array, self.end + len(values)
        if end > len(array):
            kept = self.values
            end = len(kept) + len(values)
            array = np.empty(2 * min(self.most, end), array.dtype)
            array[: len(kept)] = kept
        array[end - len(values) : end] = values
        return Buffer(array, end, self.most)

    def clear(self) -> "Buffer":
        """Return an empty buffer with as much room."""
        return Buffer(np.empty_like(self.array), 0, self.most)
