"""Lesson 3, sorting by drawing: known mistakes, by what they make of a texture."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Mistake


def compare_mirrored(keys: Keys, block: int) -> Keys:
    """Compare key i of every block with key block − 1 − i."""
    blocks = keys.reshape(-1, block)
    return _halves(blocks, blocks[:, ::-1]).reshape(keys.shape)


def compare_shifted(keys: Keys, block: int) -> Keys:
    """Compare key i of every block with key block / 2 + i, for the keys of the first half."""
    blocks = keys.reshape(-1, block)
    return _halves(blocks, np.roll(blocks, block // 2, axis=1)).reshape(keys.shape)


def _halves(own: Keys, other: Keys) -> Keys:
    """Return the smaller keys in the first half of each row, and the larger ones in the other."""
    first = np.arange(own.shape[1]) < own.shape[1] // 2
    return np.where(first, np.minimum(own, other), np.maximum(own, other))


def _first_block_only(keys: Keys, block: int) -> Keys:
    return np.where(np.arange(keys.shape[1]) < block, compare_mirrored(keys, block), keys)


def _rows_mirrored_too(keys: Keys, block: int) -> Keys:
    other = keys[::-1].reshape(-1, block)[:, ::-1]
    return _halves(keys.reshape(-1, block), other).reshape(keys.shape)


COLUMNS = (
    Mistake(
        "you exchanged minima and maxima: the larger keys go to the left",
        lambda keys, block: -compare_mirrored(-keys, block),
        "The first of the two is drawn with MIN: it lies over the left half of each block.",
    ),
    Mistake(
        "you drew the first block of columns only",
        _first_block_only,
        "There are width // block such blocks in a row: think of ss.Repeat.",
    ),
    Mistake(
        "you mirrored the columns, as you should, but the rows, too",
        _rows_mirrored_too,
        "A block lies inside one row here, so t runs as y does, from 0 to height.",
    ),
    Mistake(
        "you moved the halves of a block without mirroring them",
        compare_shifted,
        "The first wire of a block meets the last: let s run from block down to block // 2.",
    ),
)


SHIFTED_STEP = (
    Mistake(
        "you mirrored the halves of a block, as PBSN does",
        compare_mirrored,
        "Key i of the first half meets key block // 2 + i: s runs with x, and t with y.",
    ),
    Mistake(
        "your bands are right, but your columns are still mirrored",
        lambda keys, block: (compare_mirrored if block <= keys.shape[1] else compare_shifted)(
            keys, block
        ),
        "For columns, too, s runs forwards now.",
    ),
    Mistake(
        "your columns are right, but your bands are still mirrored",
        lambda keys, block: (compare_shifted if block <= keys.shape[1] else compare_mirrored)(
            keys, block
        ),
        "For bands, too, s and t run forwards now.",
    ),
    Mistake(
        "you exchanged minima and maxima",
        lambda keys, block: -compare_shifted(-keys, block),
        "The first of the two is drawn with MIN: it lies over the first half of each block.",
    ),
)
