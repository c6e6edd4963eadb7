"""Reads the words of a kernel; `docs/kernel-language.md` has the grammar."""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from shadersort.lessons.exercises.kernels.dialect import code_of

TYPES = ("bool", "int", "float")
"""Where two of these meet, the later one counts."""

WORDS = {
    *(*TYPES, "void", "const", "shared", "if", "else", "for", "while", "do", "break", "continue"),
    *("return", "true", "false", "barrier", "abs", "min", "max"),
}
"""Words that name no variable."""

TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<name>[A-Za-z_]\w*)|(?P<number>0[xX][0-9a-fA-F]+"
    r"|(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?[fF]?|\d+)|(?P<sign><<=|>>="
    r"|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|>>|[-+*/%&|^!~<>=?:;,(){}[\]])|(?P<wrong>.)"
)

UNREADABLE = "The text cannot be read from “{}” on. Perhaps a semicolon or a bracket is missing."
TOO_EARLY = "The text ends too early. Perhaps a bracket is not closed."


class NotUnderstood(Exception):
    """A text is no kernel; given are the line, from 1, or 0, and what is wrong, in words."""


class Token(NamedTuple):
    """A word, a number or a sign of the text, and its place."""

    kind: str
    text: str
    line: int
    column: int
    first: bool  # whether it begins its line


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, and one of kind "end"."""
    code, line, before = code_of(text), 1, 0
    for found in TOKEN.finditer(code):
        kind, start = str(found.lastgroup), code.rfind("\n", 0, found.start()) + 1
        if kind == "wrong":
            raise NotUnderstood(line, f"The sign “{found[0]}” has no meaning here.")
        if kind != "space":
            yield Token(kind, found[0], line, found.start() - start, line > before)
            before = line
        line += found[0].count("\n")
    yield Token("end", "", line, 0, True)


class Parser:
    """Reads tokens one by one."""

    def __init__(self, text: str) -> None:
        self.tokens = [*tokens_of(text)]
        self.at = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    @property
    def line(self) -> int:
        """The line of the last token that was read."""
        return self.tokens[self.at - 1].line

    def fail(self, said: str) -> NoReturn:
        """Say what is wrong at the last token that was read."""
        raise NotUnderstood(self.line, said)

    def refuse(self) -> NoReturn:
        """Say that the next token cannot stand here."""
        text = self.token.text
        raise NotUnderstood(self.token.line, UNREADABLE.format(text) if text else TOO_EARLY)

    def take(self, *texts: str) -> str:
        """Read the next token if it is one of some texts; return it, or "" for another one."""
        if self.token.text not in texts:
            return ""
        self.at += 1
        return self.tokens[self.at - 1].text

    def need(self, *texts: str) -> None:
        """Read tokens that must stand here."""
        for text in texts:
            if not self.take(text):
                if text == ";" and self.token.first and self.token.text:
                    self.fail("Perhaps a semicolon is missing at the end of this line.")
                self.refuse()

    def name(self) -> str:
        """Read a name that is none of the language's own words."""
        if self.token.kind != "name" or self.token.text in WORDS:
            self.refuse()
        return self.take(self.token.text)
