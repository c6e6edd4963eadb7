"""Recording: a sort's own drawing, which also keeps the texture that each pass leaves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels, Texture, packed
from shadersort.drawing.passes import CHANNELS, Pass
from shadersort.drawing.program import Program
from shadersort.errors import TooManyKeys
from shadersort.keys.types import Keys
from shadersort.keys.undrawable import padding
from shadersort.sorting.texture_sort import TextureSort


@dataclass(frozen=True, slots=True)
class Recording(TextureSort):
    """Draws as every sort does, and keeps what each pass leaves."""

    max_bytes: int  # the most bytes that the textures may take
    # of each program that was run: the program, its input, and the texture that each pass left. The
    # textures are read-only, and have their wires row by row.
    runs: list[tuple[Program, Texels, list[Texels]]] = field(default_factory=list)

    def run(self, program: Program, texture: Texels) -> Texels:
        """Run a program and record it; raise TooManyKeys where its textures take too much."""
        self.check_room(program, texture.dtype)
        before, textures = texture.copy(), list[Texels]()

        def observe(index: int, buffers: Mapping[str, Texture]) -> None:
            each = program.passes[index]
            textures.append(row_by_row(buffers[each.target].read(), each))

        ordered = self.device.run(program, texture, observe)
        for each in (before, *textures):
            each.flags.writeable = False
        self.runs.append((program, before, textures))
        return ordered

    def run_keys(self, program: Program, keys: Keys) -> Texels:
        """Run a program on keys as on texels, and record it."""
        texture = packed(keys, program.width, program.height, padding(self.dtype))
        return self.run(program, texture)

    def check_room(self, program: Program, dtype: np.dtype[Any]) -> None:
        """Raise TooManyKeys if the textures would take more than `max_bytes`."""
        needed = bytes_of(program, dtype)
        if needed <= self.max_bytes:
            return
        advice = f"allow that many with max_bytes={needed}"
        if keys := self.most_keys(program, dtype):
            advice = f"trace at most {keys:,} keys, or {advice}"
        raise TooManyKeys(
            f"a trace of {len(program.passes):,} passes over {program.width} × {program.height} "
            f"texels needs {needed:,} bytes, more than max_bytes={self.max_bytes}: {advice}"
        )

    def most_keys(self, program: Program, dtype: np.dtype[Any]) -> int:
        """Return the largest number of keys that could be traced, or 0."""
        length = program.network.n
        while bytes_of(program, dtype) > self.max_bytes:
            length //= 2
            if not length:
                return 0
            program = self.program_of_one(length)
        return length * CHANNELS


def row_by_row(texels: Texels, each: Pass) -> Texels:
    """Return the texture that a pass left, with its wires row by row wherever they lay."""
    if not each.fusion:
        return texels
    keys = texels.reshape(-1, CHANNELS)
    return keys[each.fusion.writes.addresses(len(keys))].reshape(texels.shape)


def bytes_of(program: Program, dtype: np.dtype[Any]) -> int:
    """Return the bytes of the input and of one texture for each pass."""
    texture = program.width * program.height * CHANNELS * dtype.itemsize
    return (len(program.passes) + 1) * texture
