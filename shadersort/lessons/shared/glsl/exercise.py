"""Exercises whose answer is a function in GLSL: a text, which draws in a child process."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.errors import DeviceUnavailable
from shadersort.lessons.shared.asked import WrongKind, missing
from shadersort.lessons.shared.calling import Call, TookTooLong, call
from shadersort.lessons.shared.child import SECONDS_TO_START
from shadersort.lessons.shared.exercise import Answer, Exercise
from shadersort.lessons.shared.glsl.compiler_words import errors_in, explained
from shadersort.lessons.shared.glsl.drawing import Drawn, artist, draw_text, log_of_es, one_pass
from shadersort.lessons.shared.glsl.grids import Draw, all_asked, asked, four_channels, one_channel
from shadersort.lessons.shared.glsl.habits import HABITS
from shadersort.lessons.shared.glsl.surroundings import (
    BLANK,
    STUDENT,
    Surroundings,
    is_blank,
    without_first_break,
)
from shadersort.lessons.shared.mistakes import Case, Mistake
from shadersort.lessons.shared.pictures import picture
from shadersort.lessons.shared.verdict import Verdict
from shadersort.pictures.matplotlib_types import Figure
from shadersort.web.piece import Piece
from shadersort.web.pieces.shader import shader_case, shader_page

ANY = Surroundings("vec4 new_texel(ivec2 place)", "new_texel(place)")
"""The surroundings of a function that computes a texel from its place."""

INT_FOR_FLOAT = re.compile(r"implicitly convert|type int cannot be assigned|call to .*\bint\b")

REFUSED_ELSEWHERE = (
    "But some compilers refuse `{}`, those of browsers among them: a float is written with a "
    "point, as in 1.0"
)
"""What is said of a right text with an int where a float is needed."""

MOST_KEPT = 512
"""Frames that are kept, because a verdict asks for some again."""


Request = tuple[str, tuple[int, ...], bytes]
"""The text of a shader, and texels: their shape and content."""

_failed: dict[Request, BaseException] = {}
"""What failed in the present check."""


class NotCompiled(WrongKind):
    """The compiler refused the text of a student."""


def shader_exercise(
    name: str,
    asks: str,
    surroundings: Surroundings,
    specification: Callable[..., Texels],
    cases: Callable[[np.random.Generator], Iterable[Case]],
    hints: tuple[str, ...],
    mistakes: Iterable[tuple[str, str, str]],
    draw: Draw = one_channel,
) -> "ShaderExercise":
    """Return an exercise; each mistake has what is said, the body of the function, and a hint."""
    return ShaderExercise(
        name=name,
        asks=asks,
        surroundings=surroundings,
        specification=specification,
        cases=cases,
        hints=hints,
        mistakes=tuple(
            Mistake(said, surroundings.function(body), hint) for said, body, hint in mistakes
        ),
        draw=draw,
    )


@dataclass(frozen=True, eq=False, slots=True)
class ShaderExercise(Exercise):
    """A function of a fragment shader to write. The answer is its text, with the first line.

    A case has texels, an array of shape (height, width, 4), and the numbers that
    `Surroundings.constants` names.

    Attributes
    ----------
    asks
        What it asks for, in a sentence or two.
    surroundings
        What stands around the function.

    Examples
    --------
    >>> copying = shader_exercise(
    ...     "copied",
    ...     "Copy the texture.",
    ...     ANY,
    ...     specification=lambda texels: texels,
    ...     cases=lambda rng: [(rng.permutation(16).reshape(2, 2, 4).astype(np.float32),)],
    ...     hints=("Return the texel at this place.",),
    ...     mistakes=[("you took another place", "return texel_at(place.yx);", "")],
    ... )
    >>> copying.check("vec4 new_texel(ivec2 place) { return texel_at(place); }")
    copied: right, in all 1 cases
    >>> copying.check("vec4 new_texel(ivec2 place) { return texel_at(plaice); }").about
    'it does not compile: line 1, `vec4 new_texel(ivec2 place) { return texel_at(plaice); }`: \
“plaice” is not declared. Is it spelled right? Capitals matter.'
    """

    asks: str = ""
    surroundings: Surroundings = ANY
    seconds: float = 5.0

    def check(self, answer: Any) -> Verdict:
        """Try a function on every case; return the verdict."""
        if missing(answer) or (isinstance(answer, str) and is_blank(answer)):
            return Verdict(self.name, "not yet", "", self.hints)
        if not isinstance(answer, str):
            about = f"a function in GLSL is a text, not {type(answer).__name__}: put it in quotes"
            return Verdict(self.name, "wrong", about, self.hints)
        written: Any = answer
        _failed.clear()
        verdict = Exercise.check(self, written)
        if verdict.passed and (line := self._refused_elsewhere(answer)):
            verdict = replace(verdict, about=f"{verdict.about}. {REFUSED_ELSEWHERE.format(line)}")
        return replace(verdict, names=self.surroundings.constants)

    def _refused_elsewhere(self, answer: str) -> str:
        """Return the first line that has an int where browsers want a float; "" if none has."""
        texels, *numbers = next(iter(self.cases(np.random.default_rng(0))))
        height, width, _ = texels.shape
        text = self.surroundings.text(answer, (width, height), tuple(numbers))
        ended = artist.call(log_of_es, text, seconds=self.seconds)
        log = ended.result if ended.state == "returned" else ""
        own = [each.line for each in errors_in(log) if each.source == STUDENT]
        if not own or not INT_FOR_FLOAT.search(log):
            return ""
        return without_first_break(answer).splitlines()[own[0] - 1].strip()

    def drawn(self, answer: Any, texels: Texels, *numbers: int | float) -> Texels:
        """Return the frame that a function draws: the `outcome` of this exercise.

        Raises
        ------
        NotCompiled
            The compiler refused the text; the message has the student's own line.
        WrongKind
            It ended the process that draws.
        TookTooLong
            It did not end in time.
        """
        height, width, _ = texels.shape
        text = self.surroundings.text(answer, (width, height), numbers)
        done = self._done(text, texels)
        if done.frame is None:
            raise NotCompiled(
                f"it does not compile: {explained(done.log, without_first_break(answer))}"
            )
        part = self.surroundings.part
        return done.frame[: height // part, : width // part]

    def _done(self, text: str, texels: Texels) -> Drawn:
        """Draw in a child; a text that fails in a case is not tried again by the same check."""
        request = text, texels.shape, texels.astype(np.float32).tobytes()
        if request in _failed:
            raise _failed[request]
        try:
            return drawn_in_child(*request, self.seconds)
        except (WrongKind, TookTooLong) as error:
            _failed[request] = error
            raise

    def piece(self) -> Piece:
        """Return the exercise for a browser, after a picture of what is asked for.

        Without OpenGL there is nothing that could draw the known mistakes; the page says so then.
        """
        around = self.surroundings
        text: dict[str, Any] = {
            "name": self.name,
            "told": self.asks,
            "signature": around.signature,
            "text": around.function(BLANK),
            "after": around.after(),
            "part": around.part,
            "rules": around.kept,
            "hints": self.hints,
            "mistakes": [{"said": each.said, "hint": each.hint} for each in self.mistakes],
            "habits": HABITS,
        }
        cases = list(self.cases(np.random.default_rng(0)))
        still = picture(
            self.asked(cases[0]), f"{self.name}: a texture, and what the function makes of it"
        )
        try:
            drawn = [self._drawn_case(self.mistakes, *each) for each in cases]
        except DeviceUnavailable as error:
            drawn = [self._drawn_case((), *each) for each in cases]
            told = f"{self.asks} (Known mistakes are not named here: {error}.)"
            text |= {"told": told, "mistakes": []}
        return shader_page(f"Write the function {self.name}", text, drawn).beside(still)

    def asked(self, case: Case) -> Figure:
        """Return a figure of a case: the texture, and the frame that is expected."""
        draw = all_asked if self.draw is four_channels else asked
        figure = draw(case[0], self.specification(*case))
        if told := self._numbers(case[1:]):
            figure.suptitle(", ".join(told), fontsize=10)
        return figure

    def _numbers(self, numbers: Iterable[int | float]) -> list[str]:
        """Return the numbers of a case with their names."""
        named = zip(self.surroundings.constants, numbers, strict=True)
        return [f"{name} = {value:g}" for name, value in named]

    def _drawn_case(
        self, mistakes: Iterable[Mistake], texels: Texels, *numbers: int | float
    ) -> dict[str, Any]:
        """Return a case as a browser takes it, with what some mistakes make of it."""
        height, width, _ = texels.shape
        return shader_case(
            told=", ".join([f"{width} × {height} texels", *self._numbers(numbers)]),
            program=one_pass(width, height),
            before=self.surroundings.before((width, height), numbers),
            texels=texels,
            expected=self.specification(texels, *numbers),
            outcomes=[self.drawn(each.answer, texels, *numbers) for each in mistakes],
        )

    def _broken_rule(self, answer: Any) -> str:
        """Return how a function breaks a rule or does not compile; "" if all is well."""
        if broken := self.surroundings.broken_rule(answer):
            return broken
        first = next(iter(self.cases(np.random.default_rng(0))))
        try:
            self.drawn(answer, *first)
        except NotCompiled as error:
            return str(error)
        except (WrongKind, TookTooLong):  # the verdict tells this of the case in which it happens
            return ""
        return ""

    def _called(self, answer: Answer, case: Case, *, quiet: bool = True) -> Call:
        """Draw a case with a function; the child that draws has a time limit of its own."""
        return call(lambda: self.drawn(answer, *case), case, 2 * SECONDS_TO_START, quiet=quiet)


@lru_cache(MOST_KEPT)
def drawn_in_child(text: str, shape: tuple[int, ...], content: bytes, seconds: float) -> Drawn:
    """Draw texels of float32 by a text in a child process; return the frame, or the log.

    Raises
    ------
    WrongKind
        The text ended the process.
    TookTooLong
        It did not end in time.
    DeviceUnavailable
        This machine has no OpenGL.
    """
    texels = np.frombuffer(content, np.float32).reshape(shape)
    ended = artist.call(draw_text, text, texels, seconds=seconds)
    if ended.state == "took too long":
        raise TookTooLong
    if ended.error == DeviceUnavailable.__name__:
        raise DeviceUnavailable(ended.message)
    if ended.state != "returned":
        raise WrongKind(ended.told)
    drawn: Drawn = ended.result
    return drawn
