"""Translates the expressions of a kernel into Python, and finds their types."""

import re
from itertools import count
from typing import NamedTuple

from shadersort.lessons.exercises.kernels.arithmetic import LEAST, MOST, f32
from shadersort.lessons.exercises.kernels.parser import TYPES, Parser

ATOMICS = ("atomicAdd", "atomicMax", "atomicMin")
ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
LEVELS = (
    *(("||",), ("&&",), ("|",), ("^",), ("&",), COMPARISONS[:2], COMPARISONS[2:]),
    *(("<<", ">>"), ("+", "-"), ("*", "/", "%")),
)
"""Signs between two values; those of a later level join more tightly."""

CONDITION = "A condition must be one value, true or false: for example i != 0 instead of i."
TRUTH = "True or false stands where a number is needed: write … ? 1 : 0."
OTHER_TYPE = "A value of type {0} stands where {1} is needed: write {1}(…)."
JOINED = "“{}” does not join these: && and || join true or false, and other signs join numbers."
ATOMIC = "An atomic takes a place of `result` or of shared memory, and a number."


class Name(NamedTuple):
    """What a name stands for."""

    code: str
    type: str
    changeable: bool = True
    array: bool = False
    stored: bool = False  # in an `Array` of the simulator


class Value(NamedTuple):
    """An expression in Python, its type, and if it can be changed, its name and its place."""

    code: str
    type: str
    name: Name | None = None
    place: str = "0"


ONE = Value("1", "int")


class Expressions(Parser):
    """Reads expressions."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.scopes: list[dict[str, Name]] = []
        self.count = 0  # of names that no student can write
        self.sites = count(1)  # numbers of the places of the text that use an array
        self.changes = False  # whether an expression changes something

    def typed(self, of: str) -> str:
        """Read an expression as a value of a type."""
        return self.convert(self.expression(), of)

    def convert(self, value: Value, of: str) -> str:
        """Return the code of a value, as one of a type that can hold it."""
        if "bool" in (of, value.type) and of != value.type:
            self.fail(CONDITION if of == "bool" else TRUTH)
        if TYPES.index(value.type) > TYPES.index(of):
            self.fail(OTHER_TYPE.format(value.type, of))
        return value.code if value.type == of else self.round(value.code, of).code

    def round(self, code: str, of: str) -> Value:
        """Return a number as its type holds it."""
        wrapped = f"(t if {LEAST} <= (t := {code}) <= {MOST} else wrap(t))"
        return Value(f"f32({code})" if of == "float" else wrapped, of)

    def expression(self) -> Value:
        """Read values joined by signs, perhaps with `?` and `:`, or an assignment."""
        left = self.joined(0)
        if sign := self.take(*ASSIGNMENTS):
            return self.assign(left, sign[:-1], self.expression())
        if not self.take("?"):
            return left
        then = self.expression()
        self.need(":")
        of, (a, b) = self.common(then, self.expression())
        return Value(f"({a} if {self.convert(left, 'bool')} else {b})", of)

    def assign(self, target: Value, sign: str, value: Value) -> Value:
        """Return an assignment; the sign, if any, joins the old value and the new one."""
        name, place = self.changed(target)
        if sign and name.stored:  # the place is computed once
            self.count += 1
            place = f"t{self.count} := {place}"
            target = Value(f"{name.code}.read(t{self.count}, {next(self.sites)})", name.type)
        code = self.convert(self.join(sign, target, value) if sign else value, name.type)
        if name.stored:
            return Value(f"{name.code}.write({place}, {code}, {next(self.sites)})", name.type)
        return Value(f"({name.code} := {code})", name.type)

    def changed(self, target: Value) -> tuple[Name, str]:
        """Return a name to which a value is given, and the code of its place."""
        if target.name is None or not target.name.changeable:
            self.fail("This can be read, but not changed.")
        self.changes = True
        return target.name, target.place

    def joined(self, level: int) -> Value:
        """Read values joined by signs of a level, and of those that join more tightly."""
        if level == len(LEVELS):
            return self.signed()
        left = self.joined(level + 1)
        while sign := self.take(*LEVELS[level]):
            left = self.join(sign, left, self.joined(level + 1))
        return left

    def common(self, *values: Value) -> tuple[str, list[str]]:
        """Return the type that holds all values, and their codes."""
        of = max((each.type for each in values), key=TYPES.index)
        return of, [self.convert(each, of) for each in values]

    def join(self, sign: str, left: Value, right: Value) -> Value:
        """Return two values joined by a sign."""
        logical, truths = sign in ("&&", "||"), [left.type, right.type].count("bool")
        if truths != 2 * logical and (truths < 2 or sign not in COMPARISONS[:2]):
            self.fail(JOINED.format(sign))
        if logical:
            return Value(f"({left.code} {'and' if sign == '&&' else 'or'} {right.code})", "bool")
        of, (a, b) = self.common(left, right)
        if sign in COMPARISONS:
            return Value(f"({a} {sign} {b})", "bool")
        if of == "float" and sign not in ("+", "-", "*", "/"):
            self.fail(OTHER_TYPE.format(of, "int"))
        if sign in ("<<", ">>"):
            return self.round(f"({left.code} {sign} ({right.code} & 31))", left.type)
        if sign in ("/", "%"):
            how = "remainder" if sign == "%" else "divide_floats" if of == "float" else "divide"
            return self.round(f"{how}({a}, {b})", of)
        return self.round(f"({a} {sign} {b})", of)

    def signed(self) -> Value:
        """Read a value with the signs before it and behind it."""
        if sign := self.take("++", "--"):
            return self.assign(self.signed(), sign[0], ONE)
        if sign := self.take("!"):
            return Value(f"(not {self.convert(self.signed(), 'bool')})", "bool")
        if sign := self.take("+", "-", "~"):
            value = self.signed()
            if value.type == "bool" or (value.type == "float" and sign == "~"):
                self.fail(OTHER_TYPE.format(value.type, "int"))
            return self.round(f"({sign}{value.code})", value.type)
        value = self.value()
        while sign := self.take("++", "--"):
            new = self.assign(value, sign[0], ONE)
            value = self.join("-" if sign == "++" else "+", new, ONE)
        return value

    def value(self) -> Value:
        """Read a number, a name, a place, a call, or an expression in brackets."""
        token = self.token
        if self.take("("):
            value = self.expression()
            self.need(")")
            return value
        if self.take("true", "false"):
            return Value(token.text.capitalize(), "bool")
        if token.kind == "number":
            text = self.take(token.text)
            if re.search(r"^(?!0[xX]).*[.eEfF]", text):
                return Value(repr(f32(float(text.rstrip("fF")))), "float")
            return self.round(str(int(text, 16 if "x" in text.lower() else 10)), "int")
        if token.kind == "name" and self.tokens[self.at + 1].text == "(":
            self.need(token.text, "(")
            return self.call(token.text)
        name = self.name()
        found = next((scope[name] for scope in self.scopes if name in scope), None)
        if found is None:
            self.fail(f"“{name}” is not declared. Is it spelled right? Capitals matter.")
        if found.array != bool(self.take("[")):
            self.fail("[…] stands behind an array, and behind nothing else, as in sums[i].")
        if not found.stored:
            return Value(found.code, found.type, found)
        at = self.typed("int") if found.array else "0"
        self.need(*"]" * found.array)
        return Value(f"{found.code}.read({at}, {next(self.sites)})", found.type, found, at)

    def call(self, name: str) -> Value:
        """Read the arguments of a function, and its closing bracket."""
        values: list[Value] = []
        while not self.take(")"):
            if values:
                self.need(",")
            values.append(self.expression())
        if name in ATOMICS:
            return self.atomic(name, values)
        types, codes = [each.type for each in values], [each.code for each in values]
        if name in ("int", "float") and len(values) == 1:
            whole = "truncate" if types == ["float"] else "int"
            return self.round(codes[0] if name == "float" else f"{whole}({codes[0]})", name)
        if len(values) != {"abs": 1, "min": 2, "max": 2}.get(name) or "bool" in types:
            self.fail(f"There is no function “{name}” that takes this. Is it spelled right?")
        of, codes = self.common(*values)
        return self.round(f"{name}({', '.join(codes)})", of)

    def atomic(self, name: str, values: list[Value]) -> Value:
        """Return a call that reads, computes and writes in one go, and returns the old value."""
        if len(values) != 2 or values[0].type != "int":
            self.fail(ATOMIC)
        array, place = self.changed(values[0])
        if array not in self.scopes[0].values():  # those of one thread
            self.fail(ATOMIC)
        join, number = name[-3:].lower(), self.convert(values[1], "int")
        return Value(f"{array.code}.atomic({place}, {join}, {number}, {next(self.sites)})", "int")
