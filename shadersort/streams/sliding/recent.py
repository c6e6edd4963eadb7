"""The newest values of a stream, kept as they are."""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.types import Keys


@dataclass(frozen=True, slots=True, eq=False)
class Recent:
    """The newest values, up to a number; a value that is replaced, never changed.

    A `Recent` shares its buffer with the one that replaces it, which writes behind the values that
    this one sees. So each value is copied only a few times, even if few come at a time.

    Attributes
    ----------
    most
        How many values are kept.
    buffer, end
        An array, and the end of the values in it.
    """

    most: int
    buffer: Keys
    end: int = 0

    @property
    def values(self) -> Keys:
        """The newest values in their order."""
        return self.buffer[max(0, self.end - self.most) : self.end]

    def __len__(self) -> int:
        return min(self.most, self.end)

    def followed_by(self, values: Keys) -> "Recent":
        """Return the values with newer ones added, whose array nobody else changes.

        An array with all values that are kept becomes the buffer, without a copy.

        Examples
        --------
        >>> recent = Recent(3, np.empty(0, int)).followed_by(np.arange(2))
        >>> recent.followed_by(np.arange(9, 11)).values
        array([ 1,  9, 10])
        """
        values = values[max(0, len(values) - self.most) :]
        if len(values) == self.most:
            return Recent(self.most, values, self.most)
        buffer, end = self.buffer, self.end
        if end + len(values) > len(buffer):
            kept = self.values
            buffer = np.empty(min(2 * self.most, 2 * (len(kept) + len(values))), buffer.dtype)
            end = len(kept)
            buffer[:end] = kept
        buffer[end : end + len(values)] = values
        return Recent(self.most, buffer, end + len(values))
