"""Pieces for the lessons: a quad to drag, a network to build, a shader to edit."""

from shadersort.web.pieces.network import network_piece
from shadersort.web.pieces.quad import quad_piece
from shadersort.web.pieces.shader import shader_piece

__all__ = ["network_piece", "quad_piece", "shader_piece"]
