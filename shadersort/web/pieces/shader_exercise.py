"""A function of a shader to write: the browser draws with it, and compares with Python's texels."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.program import Program
from shadersort.web.encoded import encoded
from shadersort.web.glsl import glsl_of
from shadersort.web.look import look
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.pieces.shader import EDITING

SCRIPTS = (*EDITING, "pieces/shader_exercise.js")

FILE = "copy.frag"
"""The shader in whose place the reader's text stands."""


@dataclass(frozen=True, eq=False, slots=True)
class DrawnCase:
    """A case of an exercise, with everything that a browser compares.

    Attributes
    ----------
    told
        The case in a few words.
    program
        The program of one "copy" pass that draws it.
    before
        What stands before the function.
    texels, expected
        The texture, and what the frame should hold.
    outcomes
        What the frame holds after each of the known mistakes.
    """

    told: str
    program: Program
    before: str
    texels: Texels
    expected: Texels
    outcomes: tuple[Texels, ...]


@dataclass(frozen=True, eq=False, slots=True)
class FunctionToWrite:
    """What an exercise asks for.

    Attributes
    ----------
    name, told
        Its name, and what it asks for, in a sentence or two.
    signature, text
        The first line of the function without its bracket, and the text with dots to replace.
    after
        What stands after the function.
    part
        The frame is this many times narrower and lower than the texture.
    rules
        What each rule forbids, as a regular expression, and what is said of it.
    hints
        From the gentlest to the last but one step.
    mistakes
        What is said of each known mistake, and its hint.
    habits
        What people who know Python write by habit, as a regular expression for a line, and what is
        said of it.
    joined, types
        What signs cannot join, as a regular expression for a statement, and what is said of it. In
        the statement names of these types are written as the type with brackets; the last part of
        `types` is what stands between a type and a name that is declared with it.
    unnamed
        What is said of a name, `{0}`, that has a value but no type.
    ended
        What stands before a name that is declared, as a regular expression, and what is said of a
        name, `{0}`, that was declared on a line before, but is not known any more.
    """

    name: str
    told: str
    signature: str
    text: str
    after: str
    part: int
    rules: tuple[tuple[str, str], ...]
    hints: tuple[str, ...]
    mistakes: tuple[tuple[str, str], ...]
    habits: tuple[tuple[str, str], ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    types: tuple[tuple[str, ...], str] = ((), "")
    unnamed: str = ""
    ended: tuple[str, str] = ("(?!)", "")


def shader_exercise_piece(function: FunctionToWrite, cases: Sequence[DrawnCase]) -> Piece:
    """Return a page on which a function of a shader is written and checked."""
    data = {
        "glsl": glsl_of(["quads.vert"]),
        "palette": look()["palette"],
        "file": FILE,
        "label": function.name,
        "told": function.told,
        "signature": function.signature,
        "text": function.text,
        "after": function.after,
        "part": function.part,
        "rules": function.rules,
        "hints": function.hints,
        "mistakes": [{"said": said, "hint": hint} for said, hint in function.mistakes],
        "habits": function.habits,
        "joined": function.joined,
        "types": function.types,
        "unnamed": function.unnamed,
        "ended": function.ended,
        "cases": [_case(each) for each in cases],
    }
    title = f"Write the function {function.name}"
    styles = ("pieces/pieces.css", "pieces/shader.css")
    return Piece(title, page(title, "<main></main>", SCRIPTS, {"piece": data}, styles), 620)


def _case(each: DrawnCase) -> dict[str, Any]:
    return {
        "told": each.told,
        "program": json.loads(each.program.to_json()),
        "before": each.before,
        "texels": encoded(each.texels, "float32"),
        "expected": encoded(each.expected, "float32"),
        "outcomes": [encoded(outcome, "float32") for outcome in each.outcomes],
    }
