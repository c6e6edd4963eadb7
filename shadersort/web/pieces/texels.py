"""The small textures of pieces."""

from collections.abc import Sequence

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import KeysNotFlat, NotFinite, choices
from shadersort.keys.types import Keys

SIDES = (2, 4, 8)
"""Texels along a side: few, so that their keys can be read."""


def permuted(side: int, *, channels: bool = False) -> Keys:
    """Return the numbers from 0, in an order that looks random, as a square texture.

    Examples
    --------
    >>> permuted(4)[0]
    array([ 1., 12.,  7., 10.], dtype=float32)
    """
    shape = (side, side, CHANNELS) if channels else (side, side)
    keys: Keys = np.random.default_rng(1).permutation(int(np.prod(shape)))
    return keys.reshape(shape).astype(np.float32)


def texels_of(keys: Keys, sides: Sequence[int] = SIDES) -> Texels:
    """Return keys as texels of four channels of float32; keys of one channel fill all four.

    Raises
    ------
    KeysNotFlat
        The keys are not of shape (height, width) or (height, width, 4), or are too many to show.
    NotFinite
        A key is no finite number.
    """
    keys = np.asarray(keys)
    if keys.ndim == 2:
        keys = np.repeat(keys[..., np.newaxis], CHANNELS, axis=2)
    if keys.shape[2:] != (CHANNELS,) or not {*keys.shape[:2]} <= {*sides}:
        raise KeysNotFlat(
            f"keys of a small texture have shape (height, width) or (height, width, {CHANNELS}), "
            f"with {choices(map(str, sides))} texels a side; their shape is {keys.shape}"
        )
    texels: Texels = keys.astype(np.float32)
    if not np.isfinite(texels).all():
        raise NotFinite("a key of a small texture is NaN or infinite; only finite keys are drawn")
    return texels + np.float32(0)  # so that −0.0 is 0.0: hardware may change it
