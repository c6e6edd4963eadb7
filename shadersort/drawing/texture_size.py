"""Sizes of textures: how many texels hold some keys, and which width and height suit them."""

from shadersort.drawing.passes import CHANNELS


def window_texels(keys: int, per_texel: int = CHANNELS) -> int:
    """Return the number of texels, a power of two, that holds `keys` keys."""
    return ceil_power_of_two(-(-keys // per_texel))


def largest_texture(max_texture_size: int) -> int:
    """Return the texels of the largest texture whose sides are powers of two."""
    side = 1 << (max_texture_size.bit_length() - 1)
    return side * side


def texture_size(texels: int) -> tuple[int, int]:
    """Return width and height of a texture of `texels` texels: nearly square, as in the paper.

    The width is a power of two.
    """
    width = 1 << (ceil_power_of_two(texels).bit_length() - 1) // 2
    return width, -(-texels // width)


def ceil_power_of_two(value: int) -> int:
    """Return the smallest power of two that is at least `value`."""
    return 1 << max(0, value - 1).bit_length()
