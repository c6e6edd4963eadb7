"""Draws with the text of a fragment shader; runs in a child process."""

from typing import NamedTuple

from shadersort.drawing.devices.opening import default_device
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.errors import DeviceUnavailable


class Drawn(NamedTuple):
    """The frame that a shader has drawn, or the log of the compiler that refused its text."""

    frame: Texels | None
    log: str = ""
    log_of_es: str = ""  # what the compiler says of it in the language of browsers


def one_pass(width: int, height: int) -> Program:
    """Return a program that draws one quad over the whole frame."""
    drawn = Pass("copy", TEXTURE, FRAME, (whole(width, height),))
    network = Network("one pass", width * height, ())
    return Program(network, "fragment", width, height, (drawn,), FRAME)


def draw_text(text: str, texels: Texels) -> Drawn:
    """Draw texels by the text of a fragment shader.

    Raises
    ------
    DeviceUnavailable
        This machine has no OpenGL.
    """
    import moderngl

    from shadersort.drawing.devices.opengl import OpenGLDevice

    device = default_device()
    if not isinstance(device, OpenGLDevice):
        raise DeviceUnavailable(
            "a shader needs OpenGL, and there is none here: install Mesa's llvmpipe, or write the "
            "shader in a browser"
        )
    height, width, _ = texels.shape
    try:
        frame = device.run_text(text, one_pass(width, height), texels)
    except moderngl.Error as error:
        return Drawn(None, str(error))
    return Drawn(frame, "", device.log_of_es(text))
