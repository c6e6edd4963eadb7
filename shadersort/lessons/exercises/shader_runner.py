"""Runs a student's function in GLSL: a text, which draws in a child process."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.drawing.devices.opening import default_device
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.errors import DeviceUnavailable
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.dialect import code_of, lines_of
from shadersort.lessons.exercises.outcomes import Case, Outcome
from shadersort.lessons.exercises.shaders.compiler_words import STUDENT, explain, first_error
from shadersort.lessons.exercises.shaders.pictures import four_channels
from shadersort.lessons.exercises.shaders.rules import RULES, SILENT, Rule, words

GIVEN = STUDENT + 1
"""The number of the text around a student's function: compilers name it in errors."""

HELPERS = """\
vec4 texel_at(ivec2 place) {
    bool inside = place.x >= 0 && place.y >= 0 && place.x < size.x && place.y < size.y;
    return inside ? texelFetch(keys, place, 0) : vec4(-1.0);
}
vec4 texel_of(int number) {
    return number < 0 ? vec4(-1.0) : texel_at(ivec2(number % size.x, number / size.x));
}
"""
"""Fetch a texel by its column and row, and by its number, row by row; outside there is −1."""

BLANK = "...  // your code here"
"""What stands in place of a student's lines."""

NO_OPENGL = "there is no OpenGL here"

INT_FOR_FLOAT = re.compile(r"implicitly convert|type int cannot be assigned|call to .*\bint\b")

artist = Child(prepare=default_device)  # the process that draws; it opens its device once


@dataclass(frozen=True, eq=False, slots=True)
class ShaderRunner:
    """Draws with a function of a fragment shader: its text, with the first line.

    A case has texels, an array of shape (height, width, 4), and the numbers that `names` names.
    """

    draw = staticmethod(four_channels)
    signature: str = "vec4 new_texel(ivec2 place)"  # the first line, without its bracket
    # How `main` calls the function: with `place`, the column and row of a texel in the frame, or
    # with `number`, which counts texels row by row.
    call: str = "new_texel(place)"
    names: tuple[str, ...] = ()  # of the numbers after a case's texels: constants of the shader
    part: int = 1  # the frame is this many times narrower and lower than the texture
    rules: tuple[str, ...] = ()  # names of `RULES` that the function has to keep
    seconds: float = 5.0  # the longest time of a case

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """What the function must not have, and what is said of it."""
        return (*(RULES[each] for each in self.rules), *SILENT)

    def refuse(self, answer: Any) -> str:
        """Return how a function breaks a rule; "" if it keeps them."""
        if not isinstance(answer, str):
            return f"a function in GLSL is a text, not {type(answer).__name__}: put it in quotes"
        code = code_of(answer)
        if words(self.signature) not in words(code):
            return f"its first line must stay as it was given: `{self.signature} {{`"
        return next((said for pattern, said in self.all_rules if re.search(pattern, code)), "")

    def run(self, answer: Any, case: Case) -> Outcome:
        """Draw a case with a function; raises DeviceUnavailable where Python has no OpenGL."""
        if broken := self.refuse(answer):
            return Outcome(None, broken, "wrong")
        texels, *numbers = case
        height, width, _ = texels.shape
        text, function = self.text(answer, (width, height), tuple(numbers)), lines_of(answer)
        ended = artist.call(draw_text, text, texels.astype(np.float32), seconds=self.seconds)
        if ended.told:
            return Outcome(told=ended.told)
        frame, log = ended.result
        if log == NO_OPENGL:
            raise DeviceUnavailable(log)
        if frame is None:
            return Outcome(None, f"it does not compile: {explain(log, function)}", "wrong")
        frame = frame[: height // self.part, : width // self.part]
        return Outcome(frame, remark=_refused_elsewhere(log, function))

    def text(self, answer: str, size: tuple[int, int], numbers: tuple[float, ...]) -> str:
        """Return the whole text of the shader, for a texture of a width and height."""
        return self.before(size, numbers) + lines_of(answer) + self.after()

    def before(self, size: tuple[int, int], numbers: tuple[float, ...]) -> str:
        """Return what stands before the function."""
        constants = "".join(
            f"const {'int' if isinstance(number, int) else 'float'} {name} = {number!r};\n"
            for name, number in zip(self.names, numbers, strict=True)
        )
        return (
            f"#line 1 {GIVEN}\nuniform sampler2D keys;\nout vec4 color;\n"
            f"const ivec2 size = ivec2({size[0]}, {size[1]});\n"
            f"{constants}{HELPERS}#line 1 {STUDENT}\n"
        )

    def after(self) -> str:
        """Return what stands after the function: it is called for every texel of the frame."""
        return (
            f"\n#line 1 {GIVEN}\n"
            "void main() {\n"
            "    ivec2 place = ivec2(gl_FragCoord.xy);\n"
            "    int number = place.y * size.x + place.x;\n"
            f"    color = {self.call};\n"
            "}\n"
        )

    def function(self, body: str = BLANK) -> str:
        """Return the text of a function with a body, as a student writes it."""
        return f"{self.signature} {{\n    {body.strip()}\n}}\n"


def _refused_elsewhere(log_of_es: str, function: str) -> str:
    """Return a sentence about the first line with an int where browsers want a float, or ""."""
    error = first_error(log_of_es)
    if error is None or not INT_FOR_FLOAT.search(log_of_es):
        return ""
    return (
        f". But some compilers refuse `{function.splitlines()[error[0] - 1].strip()}`, those of "
        "browsers among them: a float is written with a point, as in 1.0"
    )


def one_pass(width: int, height: int) -> Program:
    """Return a program that draws one quad over the whole frame."""
    drawn = Pass("copy", TEXTURE, FRAME, (whole(width, height),))
    network = Network("one pass", width * height, ())
    return Program(network, "fragment", width, height, (drawn,), FRAME)


def draw_text(text: str, texels: Texels) -> tuple[Texels | None, str]:
    """Draw texels by the text of a fragment shader, in the child process.

    Returns the frame, and what the compiler says of the text in the language of browsers; or None,
    and what it says of the text, or NO_OPENGL.
    """
    device: Any = default_device()
    if device.kind == "software":
        return None, NO_OPENGL
    import moderngl

    height, width, _ = texels.shape
    try:
        frame = device.run_text(text, one_pass(width, height), texels)
    except moderngl.Error as error:
        return None, str(error)
    return frame, device.log_of_es(text)
