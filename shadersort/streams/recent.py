"""The newest values of a stream, kept as they are."""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.types import Keys

__all__ = ["Recent"]


@dataclass(frozen=True, slots=True, eq=False)
class Recent:
    """Up to so many of the newest values; it is never changed, only replaced.

    It shares its buffer with the one that replaces it, which writes beyond what this one sees. So a
    value is copied a few times, however few come at a time.

    Attributes
    ----------
    most
        How many values are kept.
    buffer
        Where they lie, and
    end
        where they end.
    """

    most: int
    buffer: Keys
    end: int = 0

    @property
    def values(self) -> Keys:
        """The newest values, in the order they came."""
        return self.buffer[max(0, self.end - self.most) : self.end]

    def __len__(self) -> int:
        return min(self.most, self.end)

    def followed_by(self, values: Keys) -> "Recent":
        """Return them with newer values.

        Examples
        --------
        >>> recent = Recent(3, np.empty(0, int)).followed_by(np.arange(2))
        >>> recent.followed_by(np.arange(9, 11)).values
        array([ 1,  9, 10])
        """
        values = values[max(0, len(values) - self.most) :]
        buffer, end = self.buffer, self.end
        if end + len(values) > len(buffer):
            kept = self.values
            buffer = np.empty(min(2 * self.most, 2 * (len(kept) + len(values))), buffer.dtype)
            end = len(kept)
            buffer[:end] = kept
        buffer[end : end + len(values)] = values
        return Recent(self.most, buffer, end + len(values))
