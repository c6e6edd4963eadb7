"""Which shader a pass needs, and which command runs it."""

from typing import Any

import moderngl
import numpy as np

from shadersort.drawing.devices import commands, drawn_butterflies
from shadersort.drawing.devices.commands import Command, Dispatch, Draw, LinkedShader, ShaderKey
from shadersort.drawing.devices.drawn_butterflies import DrawButterflies
from shadersort.drawing.passes import Pass, Program


def shader_key(each: Pass, program: Program, dtype: np.dtype[Any]) -> ShaderKey:
    """Return what the linked shader of a pass depends on."""
    if each.shader == "butterfly":
        macros = drawn_butterflies.macros_of(each, program)
    else:
        macros = commands.macros_of(each)
    if each.steps and each.record > 1:
        macros += (("RECORD", each.record),)
    # an image is declared with its format, a sampler and a colour only with the kind of number
    alike = "float32" if dtype.kind == "f" and not each.computes else dtype.name
    return each.shader, alike, macros


def command_of(gl: moderngl.Context, shader: LinkedShader, each: Pass, program: Program) -> Command:
    """Return the command that runs a pass."""
    if each.computes:
        return Dispatch(gl, shader, each, program)
    draw = DrawButterflies if each.shader == "butterfly" else Draw
    return draw(gl, shader, each, program)
