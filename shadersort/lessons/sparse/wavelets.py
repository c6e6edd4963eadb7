"""Lesson 17: pictures as sums and differences of neighbours, after Haar 1910, and a house."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys

HALF = np.sqrt(0.5)
"""With this factor, neither direction changes the sum of squares."""


def to_coefficients(pictures: Any) -> Keys:
    """Return the coefficients of square pictures whose side is a power of two.

    Each pair of neighbours becomes its sum and its difference, times √½, across and down; then the
    same is done to the sums. The last two axes are those of a picture.
    """
    found = np.array(pictures, np.float64)
    side = found.shape[-1]
    while side > 1:
        for axis in (-1, -2):
            part = np.moveaxis(found[..., :side, :side], axis, -1)
            even, odd = part[..., 0::2], part[..., 1::2]
            part[...] = HALF * np.concatenate([even + odd, even - odd], axis=-1)
        side //= 2
    return found


def to_pictures(coefficients: Any) -> Keys:
    """Return the square pictures that have these coefficients."""
    found = np.array(coefficients, np.float64)
    side = 2
    while side <= found.shape[-1]:
        for axis in (-2, -1):
            part = np.moveaxis(found[..., :side, :side], axis, -1)
            sums, differences = np.split(HALF * part, 2, axis=-1)
            pairs = np.stack([sums + differences, sums - differences], axis=-1)
            part[...] = pairs.reshape(part.shape)
        side *= 2
    return found


def house(side: int = 64) -> Keys:
    """Return a picture of a house at night, of values from 0 to 1, with row 0 on top."""
    down, right = np.mgrid[:side, :side] / side
    found = np.full((side, side), 0.15)
    found[np.hypot(right - 13 / 16, down - 3 / 16) < 1 / 8] = 1.0  # the moon
    found[down >= 3 / 4] = 0.35  # the ground
    found[_box(down, right, 1 / 2, 7 / 8, 1 / 8, 1 / 2)] = 0.6  # the wall
    across = np.abs(right + 1 / (2 * side) - 5 / 16)
    found[(down >= 1 / 4) & (down < 1 / 2) & (across < down + 1 / side - 1 / 4)] = 0.8  # the roof
    found[_box(down, right, 9 / 16, 11 / 16, 3 / 16, 1 / 4)] = 1.0  # the window
    found[_box(down, right, 5 / 8, 7 / 8, 3 / 8, 7 / 16)] = 0.05  # the door
    return found


def _box(down: Keys, right: Keys, top: float, bottom: float, first: float, last: float) -> Any:
    return (top <= down) & (down < bottom) & (first <= right) & (right < last)
