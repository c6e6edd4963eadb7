"""Translates a kernel into Python: a generator for each thread, which yields at barriers."""

from collections.abc import Callable, Generator
from functools import lru_cache
from typing import NamedTuple

from shadersort.lessons.exercises.kernels import arithmetic
from shadersort.lessons.exercises.kernels.dialect import KERNEL, Setting, code_of, lines_of
from shadersort.lessons.exercises.kernels.expressions import Expressions, Name
from shadersort.lessons.exercises.kernels.parser import TYPES, NotUnderstood, Token

FILE = "<kernel>"  # the name of a kernel's code in tracebacks
MOST_TURNS = 10_000  # of all loops of a thread; no exercise needs half as many
MOST_PLACES = 12_288  # numbers that 48 KB hold, the shared memory of a block
KNOWN = "A length is known before a kernel runs, such as 64 or THREADS, and is not above 12,288."


class Kernel(NamedTuple):
    """A kernel in Python."""

    thread: Callable[..., Generator[int, None, int]]  # runs a thread
    lines: tuple[int, ...]  # the student's line of each line of Python
    shared: tuple[tuple[str, int], ...]  # names and lengths


@lru_cache(maxsize=64)
def translate(text: str, setting: Setting) -> Kernel:
    """Translate a kernel; raise NotUnderstood if the text is none."""
    if not KERNEL.search(code_of(text)):
        raise NotUnderstood(0, "it has no function `void kernel() {`")
    try:
        return _Translator(lines_of(text), setting).kernel()
    except (RecursionError, SyntaxError):  # of Python, which cannot nest as deep
        raise NotUnderstood(0, "too many brackets or loops stand inside one another") from None


class _Translator(Expressions):
    """Reads statements, and writes Python line by line."""

    def __init__(self, text: str, setting: Setting) -> None:
        super().__init__(text)
        numbers = ("thread", "n", "blocks", "block", *setting.numbers)
        self.scopes = [
            {name: Name(f"v_{name}", "int", False) for name in numbers}
            | {name: Name(str(value), "int", False) for name, value in setting.values}
            | {"keys": Name("v_keys", "int", False, True, True)}
            | {"result": Name("v_result", "int", True, True, True)}
        ]
        self.given = (*numbers, "keys", "result")
        self.python: list[str] = []
        self.lines = [0]
        self.depth = 0
        self.steps: list[tuple[int, tuple[str, ...]]] = []  # what ends a turn of each loop around
        self.shared: dict[str, int] = {}

    def write(self, *codes: str, line: int = 0) -> None:
        for code in codes:
            self.python.append(" " * self.depth + code)
            self.lines.append(line or self.line)

    def kernel(self) -> Kernel:
        while self.take("shared"):
            self.declare(shared=True)
        self.need("void", "kernel", "(", ")", "{")
        self.write(f"def kernel(v_{', v_'.join((*self.given, *self.shared))}, local, loops):")
        self.depth = 1
        self.write("turns = 0", "if turns: yield 0")
        self.rest_of_block()
        self.write("return turns")
        if self.token.text:
            self.refuse()
        made = dict(vars(arithmetic))
        exec(compile("\n".join(self.python), FILE, "exec"), made)
        return Kernel(made["kernel"], (*self.lines,), (*self.shared.items(),))

    def length(self) -> int:
        """Read the length of an array; it is 0 where there is none."""
        if not self.take("["):
            return 0
        code = self.typed("int")
        self.need("]")
        try:
            length = int(eval(code, dict(vars(arithmetic))))
        except (NameError, arithmetic.Stop):
            length = 0
        return length if 0 < length <= MOST_PLACES else self.fail(KNOWN)

    def declare(self, *, shared: bool = False) -> None:
        fixed, of = self.take("const"), self.take(*TYPES)
        if not of:
            self.refuse()
        while True:
            name = self.name()
            code, length = f"v_{name}", self.length()
            if shared:
                self.shared[name] = length or 1
            elif length:
                self.write(f"{code} = local({name!r}, [None] * {length})")
            elif self.take("="):
                self.write(f"{code} = {self.typed(of)}")
            else:  # a use of it is an error of Python, until it has a value
                self.write(f"{code} = 0; del {code}")
            if any(name in scope for scope in self.scopes):
                self.fail(f"“{name}” is known already: leave out its type, or take another name.")
            self.scopes[-1][name] = Name(code, of, not fixed, length > 0, shared or length > 0)
            if shared and self.take("="):
                self.fail("A `shared` variable has no value at first: threads write to it.")
            if not self.take(","):
                self.need(";")
                return

    def rest_of_block(self) -> None:
        self.scopes.append({})
        while not self.take("}"):
            self.statement()
        self.scopes.pop()

    def body(self, header: Token, *codes: str, loop: bool = False, at: int = 0) -> None:
        """Read what a loop or an `if` takes; codes are its first line, and what ends each turn."""
        first, line = self.token, self.line
        if self.take(";"):
            self.fail("A semicolon stands right behind the brackets: nothing depends on them.")
        opening, *steps = codes
        self.write(*["loops.append(0)"] * loop, opening, line=at)
        self.depth += 1
        if loop:
            self.write(f"if (turns := turns + 1) > {MOST_TURNS}: raise Stop('endless')")
            self.write("loops[-1] += 1")
            self.steps.append((line, (*steps,)))
        self.scopes.append({})
        self.statement()
        self.write(*steps, "pass", line=line)
        self.scopes.pop()
        self.steps = self.steps[:-1] if loop else self.steps
        self.depth -= 1
        self.write(*["loops.pop()"] * loop)
        after = self.token
        alone = first.text != "{" and first.first and after.first and after.text != "}"
        if alone and header.column < first.column == after.column:
            self.fail("Without { … } a loop or an `if` takes one statement: here are more.")

    def statement(self) -> None:
        token = self.token
        declared = token.text in TYPES and self.tokens[self.at + 1].text != "("
        if declared or token.text == "const":
            self.declare()
        elif self.take("{"):
            self.rest_of_block()
        elif word := self.take("if", "while"):
            self.need("(")
            condition, line = self.typed("bool"), self.line
            self.need(")")
            self.body(token, f"{word} {condition}:", loop=word == "while", at=line)
            if word == "if" and self.take("else"):
                self.body(token, "else:")
        elif self.take("for"):
            self.counted_loop(token)
        elif not self.take(";"):
            self.short_statement()
            self.need(";")

    def counted_loop(self, header: Token) -> None:
        self.scopes.append({})
        self.need("(")
        self.statement()
        condition = "True" if self.token.text == ";" else self.typed("bool")
        self.need(";")
        steps = [] if self.token.text == ")" else [self.effect()]
        while self.take(","):
            steps.append(self.effect())
        self.need(")")
        self.body(header, f"while {condition}:", *steps, loop=True)
        self.scopes.pop()

    def short_statement(self) -> None:
        """Read a statement up to its semicolon."""
        if self.take("barrier"):
            self.need("(", ")")
            self.write(f"yield {self.at}")
        elif word := self.take("break", "continue"):
            if not self.steps:
                self.refuse()
            line, steps = self.steps[-1]
            self.write(*(steps if word == "continue" else ()), line=line)
            self.write(word)
        elif self.take("return"):
            if self.token.text != ";" and not self.token.first:
                self.fail("This returns nothing: write to a place, as in result[i] = …;")
            self.write("return turns")
        else:
            self.write(self.effect())

    def effect(self) -> str:
        """Read an expression that changes something."""
        self.changes = False
        code = self.expression().code
        return code if self.changes else self.fail("This changes nothing: values are given by =.")
