"""Small pages for the lessons, each a function that returns a `Piece`."""

from shadersort.web.pieces.guess import Guess, guess_piece, nearest
from shadersort.web.pieces.network import network_piece
from shadersort.web.pieces.outlier import outlier_piece
from shadersort.web.pieces.quad import quad_piece
from shadersort.web.pieces.shader import shader_piece
from shadersort.web.pieces.sort import sort_piece
from shadersort.web.pieces.stream import stream_piece
from shadersort.web.pieces.street import street_piece

__all__ = [
    "Guess",
    "guess_piece",
    "nearest",
    "network_piece",
    "outlier_piece",
    "quad_piece",
    "shader_piece",
    "sort_piece",
    "stream_piece",
    "street_piece",
]
