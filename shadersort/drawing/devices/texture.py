"""What every texture is, on any device."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.signals import held_signals
from shadersort.errors import DeviceClosed
from shadersort.keys.types import Key, Keys

Texels = npt.NDArray[Any]
"""An array of shape (height, width, 4)."""


def packed(keys: Keys, width: int, height: int, fill: Key) -> Texels:
    """Return texels that hold keys one after the other, filled up with one key.

    Keys that fill all texels are not copied.
    """
    texels = keys
    if len(keys) < width * height * CHANNELS:
        texels = np.empty(width * height * CHANNELS, keys.dtype)
        texels[: len(keys)], texels[len(keys) :] = keys, fill
    return texels.reshape(height, width, CHANNELS)


class Texture(ABC):
    """A texture on a device: height × width texels of four keys each.

    Attributes
    ----------
    device
        The `Device` that made it.
    width, height, dtype
        Its size in texels, and the type of its keys.
    released
        Whether its memory was given back.
    """

    def __init__(self, device: Any, width: int, height: int, dtype: np.dtype[Any]) -> None:
        self.device, self.width, self.height, self.dtype = device, width, height, dtype
        self.released = False

    def read(self, rows: int | None = None) -> Texels:
        """Return a copy of the texels, of shape (height, width, 4), layer after layer.

        With `rows`, it is a copy of so many rows, the first ones; the texture has no layers.
        """
        self._check_alive()
        return self._read(self.height if rows is None else rows)

    def texel(self, x: int = 0, y: int = 0) -> Texels:
        """Return a copy of one texel, an array of 4; the texture has no layers."""
        self._check_alive()
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"no texel ({x}, {y}) in {self.width} × {self.height}")
        return self._texel(x, y)

    def _check_alive(self) -> None:
        if self.released:
            raise DeviceClosed("this texture was released, by its device or by its user")

    def release(self) -> None:
        """Give back its memory. Releasing twice does nothing."""
        with held_signals:
            if not self.released:
                self.released = True
                self._release()

    @abstractmethod
    def _read(self, rows: int) -> Texels:
        """Return a copy of the texels of the first rows."""

    @abstractmethod
    def _texel(self, x: int, y: int) -> Texels:
        """Return a copy of one texel."""

    @abstractmethod
    def _release(self) -> None:
        """Give back the memory; called once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()
