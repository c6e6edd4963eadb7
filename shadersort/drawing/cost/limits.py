"""The limits of an emulated card: what it refuses to draw.

They are limits of the hardware. The shaders stay those of OpenGL 3.3 and use integers, which a card
of 2005 did not have; it drew the same picture with another program.
"""

from typing import Any, NoReturn

import numpy as np

from shadersort.drawing.cost.profiles import Profile
from shadersort.drawing.methods.butterflies import LAYERS
from shadersort.drawing.passes import CHANNELS, TEXTURE
from shadersort.drawing.program import Program
from shadersort.errors import ProfileLimit
from shadersort.keys.types import BLENDED
from shadersort.names import DrawingMethod


def precision_of(profile: Profile | None, dtype: np.dtype[Any], *, blends: bool) -> str | None:
    """Return "float16" if a card can blend these keys only as halves, or None."""
    if profile is None or not blends or dtype.kind != "f":
        return None
    return "float16" if 8 * dtype.itemsize > profile.blend_precision.value else None


def can_blend(profile: Profile | None, precision: str | None) -> bool:
    """Whether a card can blend floats in a precision; None stands for any precision."""
    wide = precision == "float32" and profile is not None and profile.blend_precision.value < 32
    return not wide


def fastest_method(profile: Profile | None, *, computes: bool, blends: bool) -> DrawingMethod:
    """Return the method that "auto" stands for, here or on a card.

    Benchmarks show that compute shaders are fastest on a GPU, and fused steps on a CPU that draws.
    A card of 2005 has neither, and blends several times faster than it compares.

    `profile` is the card that is emulated, if one is; `computes` says whether compute shaders are
    there and run on a GPU, `blends` whether the keys can be blended.
    """
    if computes and (profile is None or profile.compute_shaders.value):
        return "compute"
    if profile is None or profile.render_targets.value >= LAYERS:
        return "fused"
    return "blend" if blends else "fragment"


def check_size(profile: Profile, width: int, height: int) -> None:
    """Raise ProfileLimit if the card has no textures of this size."""
    side = int(profile.largest_side.value)
    if max(width, height) > side:
        size = f"at most {side} × {side} texels, not {width} × {height}"
        _refuse(profile, f"has textures of {size}: sort fewer keys at a time")


def check_texture(
    profile: Profile, width: int, height: int, dtype: np.dtype[Any], channels: int = CHANNELS
) -> None:
    """Raise ProfileLimit if the card cannot hold a texture of this size and type."""
    check_size(profile, width, height)
    if dtype not in BLENDED and not profile.integer_textures.value:
        advice = "convert them to float32, which keeps whole numbers up to 2**24"
        _refuse(profile, f"has no integer textures for {dtype} keys: {advice}")
    _check_memory(profile, 1, (width, height), dtype, channels)


def check_program(
    profile: Profile, program: Program, dtype: np.dtype[Any], channels: int = CHANNELS
) -> None:
    """Raise ProfileLimit if the card cannot run a program on textures of this type."""
    check_texture(profile, program.width, program.height, dtype, channels)
    layers = max((each.layers for each in program.passes), default=1)
    targets = int(profile.render_targets.value)
    if layers > targets:
        says = f"draws into at most {targets} textures at once, not {layers}"
        _refuse(profile, f"{says}: use method='auto'")
    if program.method == "compute" and not profile.compute_shaders.value:
        _refuse(profile, "has no compute shaders: use method='auto'")
    if precision_of(profile, dtype, blends=program.blends):
        says = f"blends floats of at most {profile.blend_precision.value} bits, not {dtype}"
        _refuse(profile, f"{says}: pass precision='float16', or method='fragment'")
    buffers = {TEXTURE, *(each.target for each in program.passes)}
    _check_memory(profile, len(buffers), (program.width, program.height), dtype, channels)


def fits_memory(
    profile: Profile, textures: int, texels: int, dtype: np.dtype[Any], channels: int = CHANNELS
) -> bool:
    """Whether textures fit into the memory of a card, a part of which the screen needs."""
    size = textures * texels * channels * dtype.itemsize
    return profile.video_memory is None or size < profile.video_memory.value


def _check_memory(
    profile: Profile, textures: int, size: tuple[int, int], dtype: np.dtype[Any], channels: int
) -> None:
    """Raise ProfileLimit if textures do not fit: those of one program, not all of a caller's."""
    texels = size[0] * size[1]
    if not fits_memory(profile, textures, texels, dtype, channels):
        assert profile.video_memory
        _refuse(
            profile,
            f"has {profile.video_memory.value:,.0f} bytes of memory, a part of it for the screen: "
            f"too few for {textures} texture(s) of {size[0]} × {size[1]} texels of {dtype}, "
            f"{textures * texels * channels * dtype.itemsize:,} bytes: "
            "sort fewer keys at a time, or pass precision='float16'",
        )


def _refuse(profile: Profile, says: str) -> NoReturn:
    """Raise ProfileLimit, with the advice that all limits share."""
    raise ProfileLimit(f"{profile.name} {says}, or use no profile, or another")
