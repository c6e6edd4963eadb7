"""Small pages for the lessons, each a function that returns a `Piece`."""

from shadersort.web.pieces.stream import stream_piece
from shadersort.web.pieces.street import street_piece

__all__ = ["stream_piece", "street_piece"]
