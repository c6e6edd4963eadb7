"""Lesson 3, sorting by drawing: known mistakes."""

from shadersort.drawing.quads import Quad, Quads, Repeat
from shadersort.lessons.shared.mistakes import Mistake

Halves = tuple[Quads, Quads]


def _columns_of(block: int, width: int, height: int, *, mirrored: bool) -> Halves:
    half = block // 2
    again = Repeat(width // block, dx=block)
    if mirrored:
        minima = Quad(0, 0, half, height, block, 0, half, height)
        return Quads(minima, again), Quads(Quad(half, 0, block, height, half, 0, 0, height), again)
    minima = Quad(0, 0, half, height, half, 0, block, height)
    return Quads(minima, again), Quads(Quad(half, 0, block, height, 0, 0, half, height), again)


def _bands_of(block: int, width: int, height: int, *, mirrored: bool) -> Halves:
    rows = block // width
    middle = rows // 2
    again = Repeat(height // rows, dy=rows)
    left, right = (width, 0) if mirrored else (0, width)
    top, bottom = (rows, middle) if mirrored else (middle, rows)
    above, below = (middle, 0) if mirrored else (0, middle)
    minima = Quad(0, 0, width, middle, left, top, right, bottom)
    maxima = Quad(0, middle, width, rows, left, above, right, below)
    return Quads(minima, again), Quads(maxima, again)


def _first_only(halves: Halves) -> Halves:
    minima, maxima = halves
    return Quads(minima.quad), Quads(maxima.quad)


def _mirrored(block: int, width: int, height: int) -> Halves:
    return _columns_of(block, width, height, mirrored=True)


def _exchanged(halves: Halves) -> Halves:
    return halves[1], halves[0]


def _rows_mirrored_too(block: int, width: int, height: int) -> Halves:
    half = block // 2
    again = Repeat(width // block, dx=block)
    minima = Quad(0, 0, half, height, block, height, half, 0)
    return Quads(minima, again), Quads(Quad(half, 0, block, height, half, height, 0, 0), again)


def _rows_mirrored_only(block: int, width: int, height: int) -> Halves:
    half = block // 2
    again = Repeat(width // block, dx=block)
    minima = Quad(0, 0, half, height, half, height, block, 0)
    return Quads(minima, again), Quads(Quad(half, 0, block, height, 0, height, half, 0), again)


def _without_quads(block: int, width: int, height: int) -> tuple[Quad, Quad]:
    minima, maxima = _mirrored(block, width, height)
    return minima.quad, maxima.quad


COLUMNS = (
    Mistake(
        "you exchanged minima and maxima: the larger keys go to the left",
        lambda *size: _exchanged(_mirrored(*size)),
        "The first of the two is drawn with MIN: it lies over the left half of each block.",
    ),
    Mistake(
        "you drew the first block of columns only",
        lambda *size: _first_only(_mirrored(*size)),
        "There are width // block such blocks in a row: think of ss.Repeat.",
    ),
    Mistake(
        "you mirrored the columns, as you should, but the rows, too",
        _rows_mirrored_too,
        "A block lies inside one row here, so t runs as y does, from 0 to height.",
    ),
    Mistake(
        "you mirrored the rows but not the columns",
        _rows_mirrored_only,
        "Left and right are exchanged, so s runs backwards, and t runs as y does.",
    ),
    Mistake(
        "you moved the halves of a block without mirroring them",
        lambda *size: _columns_of(*size, mirrored=False),
        "The first wire of a block meets the last: let s run from block down to block // 2.",
    ),
    Mistake("you returned the quads of the minima only", lambda *size: _mirrored(*size)[0]),
    Mistake(
        "you mirrored the whole row, however long a block is",
        lambda block, width, height: _mirrored(width, width, height),
        "The quad of the minima is block // 2 columns wide.",
    ),
    Mistake(
        "you drew over the first row only",
        lambda block, width, height: _mirrored(block, width, 1),
        "The quads are as high as the texture.",
    ),
    Mistake(
        "you returned each ss.Quad without ss.Quads around it",
        _without_quads,
        "ss.Quads(quad, ss.Repeat(…)) says how often a quad is drawn.",
    ),
)


def _step(block: int, width: int, height: int, *, columns: bool, bands: bool) -> Halves:
    """Return a step that mirrors columns, bands, both or nothing."""
    if block <= width:
        return _columns_of(block, width, height, mirrored=columns)
    return _bands_of(block, width, height, mirrored=bands)


def _one_band_only(block: int, width: int, height: int) -> Halves:
    right = _step(block, width, height, columns=False, bands=False)
    return right if block <= width else _first_only(right)


def _a_row_is_a_band(block: int, width: int, height: int) -> Halves:
    if block < width:
        return _columns_of(block, width, height, mirrored=False)
    return _bands_of(block, width, height, mirrored=False)


SHIFTED_STEP = (
    Mistake(
        "you mirrored the halves of a block, as PBSN does",
        lambda *size: _step(*size, columns=True, bands=True),
        "Key i of the first half meets key block // 2 + i: s runs with x, and t with y.",
    ),
    Mistake(
        "your bands are right, but your columns are still mirrored",
        lambda *size: _step(*size, columns=True, bands=False),
        "For columns, too, s runs forwards now.",
    ),
    Mistake(
        "your columns are right, but your bands are still mirrored",
        lambda *size: _step(*size, columns=False, bands=True),
        "For bands, too, s and t run forwards now.",
    ),
    Mistake(
        "you drew bands where a block is just as long as a row",
        _a_row_is_a_band,
        "A band of one row has no upper half. Draw columns if block <= width.",
    ),
    Mistake(
        "you drew the first band only",
        _one_band_only,
        "There are height // rows bands: ss.Repeat(height // rows, dy=rows).",
    ),
    Mistake(
        "you drew columns, even where a block is longer than a row",
        lambda *size: _columns_of(*size, mirrored=False),
        "A block of several rows is a band: its halves lie above each other.",
    ),
    Mistake(
        "you compared neighbours, however long a block is",
        lambda block, width, height: _columns_of(2, width, height, mirrored=False),
        "A key meets the one that is block // 2 further on.",
    ),
    Mistake(
        "you exchanged minima and maxima",
        lambda *size: _exchanged(_step(*size, columns=False, bands=False)),
        "The first of the two is drawn with MIN: it lies over the first half of each block.",
    ),
)
