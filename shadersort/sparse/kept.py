"""What is kept above a level is written, and zero for all else: each key by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.stand_ins import is_bfloat16
from shadersort.selection.rows.chunks import in_threads
from shadersort.selection.thresholds import masked, shrunk
from shadersort.sparse.level import Level
from shadersort.sparse.parts import Parts


@dataclass(frozen=True)
class Ties:
    """Which keys at the level are kept: those before a place of a piece."""

    piece: int
    place: int


ALL, NONE = Ties(1 << 62, 0), Ties(-1, 0)


def kept_above(parts: Parts, level: Level, count: int, soft: bool, results: Sequence[Any]) -> None:
    """Write `count` keys of largest magnitude into the results, and zero for all others.

    `soft` keeps the keys above the level only, and moves them towards zero by it; of NaNs alone it
    keeps `count`.
    """
    xp = parts.home.xp
    is_nan = parts.dtype.kind == "f" and level.code == parts.nan
    step = None if is_nan or not soft else _magnitude(parts, level.code)
    left = 0 if step is not None else count - level.above
    equal = left, level.equal
    if parts.home.steps.kept(parts.arrays, results, level.code, equal, step is not None):
        return
    ties = _ties(parts, level, left)

    def do(task: tuple[int, tuple[Any, ...]]) -> None:
        number, (piece, result) = task
        if step is None:
            masked(piece, _flags(parts, level.code, ties, number, piece), result)
        else:
            moved = parts.narrowed(shrunk(parts.widened(piece), step), piece.dtype)
            if is_bfloat16(result.dtype):  # whose bits every library can copy
                moved, result = moved.view(np.uint16), result.view(np.uint16)
            result[...] = moved

    tasks = enumerate(parts.pieces(results))
    in_threads(tasks, do, parts.size if xp is np else 0)


def _magnitude(parts: Parts, code: int) -> Any:
    """Return the magnitude of a code as a scalar."""
    found = np.array(code, f"u{parts.dtype.itemsize}")
    return found.view(parts.dtype)[()] if parts.dtype.kind == "f" else found[()]


def _flags(parts: Parts, code: int, ties: Ties, number: int, piece: Any) -> Any:
    """Return which keys of a piece are kept."""
    xp, codes = parts.home.xp, parts.codes(piece)
    level = codes.dtype.type(code)
    if code == parts.nan:
        codes = xp.minimum(codes, level)
    if number != ties.piece:
        return codes >= level if number < ties.piece else codes > level
    first = xp.arange(codes.size).reshape(codes.shape) < ties.place
    return (codes > level) | ((codes == level) & first)


def _ties(parts: Parts, level: Level, left: int) -> Ties:
    """Return which keys at the level are kept, the first ones; one more read if not all or none."""
    if left in (0, level.equal):
        return ALL if left else NONE
    for number, (piece,) in enumerate(parts.pieces()):
        codes = parts.codes(piece).ravel()
        same = parts.home.xp.minimum(codes, parts.nan) == level.code
        here = int(same.sum())
        if left <= here:
            places = parts.home.xp.flatnonzero(same)
            return Ties(number, int(places[left - 1]) + 1)
        left -= here
    raise AssertionError("fewer keys have this magnitude than were counted")
