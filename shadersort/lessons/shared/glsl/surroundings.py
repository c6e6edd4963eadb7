"""What stands around a student's function in a fragment shader."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

STUDENT, GIVEN = 0, 1
"""Numbers of texts in #line directives: compilers name them in errors."""

OUTSIDE = -1.0
"""What `texel_at` returns outside of the texture."""

TEXEL_AT = f"""\
vec4 texel_at(ivec2 place) {{
    bool inside = place.x >= 0 && place.y >= 0 && place.x < size.x && place.y < size.y;
    return inside ? texelFetch(keys, place, 0) : vec4({OUTSIDE});
}}
"""
"""Fetches a texel of the texture, by its column and row."""

TEXEL_OF = f"""\
vec4 texel_of(int number) {{
    return number < 0 ? vec4({OUTSIDE}) : texel_at(ivec2(number % size.x, number / size.x));
}}
"""
"""Fetches a texel by its number, row by row."""

BLANK = "...  // your code here"
"""What stands in place of a student's lines."""

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LOOPS = r"\b(for|while|do)\b"
CHOICES = r"\b(if|switch)\b"

PAIR = (
    r"(?:[-+*/=,(]|\breturn)\s*\((?:[^(),]|\([^()]*\))*,",
    "it has numbers in brackets with no type before them, as in (1, 0). This makes no vector, and "
    "only the last number counts: write ivec2(…) or vec4(…)",
)
"""A habit of those who know Python; it compiles."""

AT_ONCE = (
    r"[;{}]\s*\w+(?:\.\w+|\[[^\]]*\])?\s*,[^;(){}]*[^=!<>]=[^=]",
    "it gives values to several names at once, as in a, b = 1, 2. Only one of them gets a value "
    "here: write a statement for each",
)
"""Another habit of those who know Python; it compiles, too."""

SET_BY_PLUS = (r"[^=!<>+]=\+", "it has =+, which only gives a value: += adds")

ENDED_AT_ONCE = (
    r"\b(?:if|for\s*(?=\(\s*int\b))\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*;",
    "a semicolon stands right behind `if (…)` or `for (…)`, so nothing depends on it: leave it out",
)

SILENT = (AT_ONCE, SET_BY_PLUS, ENDED_AT_ONCE)
"""What compiles in shaders and in kernels, and is not what was meant."""

HALF_RETURNED = (
    r"\bif\b[^;]*\breturn\b[^;]*;\s*(?:\}\s*)?\}\s*$",
    "it returns nothing where the condition of its last `if` is false: a `return` must stand "
    "after it, too",
)
"""A function whose end can be reached; some compilers take it, and the texel is any."""

RULES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "loop": (LOOPS, "it has a loop, which this exercise forbids"),
        "if": (CHOICES, "it has an `if`, which this exercise forbids"),
        "choice": (rf"{CHOICES}|\?", "it chooses by `if` or `?`, which this exercise forbids"),
    }
)
"""Rules that an exercise may have: what breaks each, as a regular expression, and what is said."""

Number = int | float


@dataclass(frozen=True, eq=False, slots=True)
class Surroundings:
    """What stands around a student's function: names that it may use, and who calls it.

    Attributes
    ----------
    signature
        The first line of the function, without its bracket.
    call
        How `main` calls it: with `place`, the column and row of a texel in the frame, or `number`,
        which counts texels row by row.
    constants
        The names of numbers that a case gives after its texels.
    part
        The frame is this many times narrower and lower than the texture.
    rules
        Names of `RULES` that the function has to keep.

    Examples
    --------
    >>> copying = Surroundings("vec4 new_texel(ivec2 place)", "new_texel(place)", ("block",))
    >>> copying.before((4, 2), (8,)).splitlines()[3:5]
    ['const ivec2 size = ivec2(4, 2);', 'const int block = 8;']
    """

    signature: str
    call: str
    constants: tuple[str, ...] = ()
    part: int = 1
    rules: tuple[str, ...] = ()

    @property
    def kept(self) -> tuple[tuple[str, str], ...]:
        """What the function has to keep: patterns that it must not have, and what is said."""
        return (*map(RULES.__getitem__, self.rules), PAIR, *SILENT, HALF_RETURNED)

    def before(self, size: tuple[int, int], numbers: tuple[Number, ...]) -> str:
        """Return what stands before the function, for a texture of a width and height."""
        width, height = size
        values = zip(self.constants, numbers, strict=True)
        return (
            f"#line 1 {GIVEN}\n"
            "uniform sampler2D keys;\n"
            "out vec4 color;\n"
            f"const ivec2 size = ivec2({width}, {height});\n"
            + "".join(f"{_constant(name, value)}\n" for name, value in values)
            + TEXEL_AT
            + TEXEL_OF
            + f"#line 1 {STUDENT}\n"
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

    def function(self, body: str) -> str:
        """Return the text of a function with a body, as a student writes it."""
        return f"{self.signature} {{\n    {body.strip()}\n}}\n"

    def text(self, function: str, size: tuple[int, int], numbers: tuple[Number, ...]) -> str:
        """Return the whole text of the shader, with a student's function."""
        return self.before(size, numbers) + without_first_break(function) + self.after()

    def broken_rule(self, function: str) -> str:
        """Return what is said of the first rule that a function breaks; "" if it keeps all.

        Examples
        --------
        >>> strict = Surroundings("vec4 f()", "f()", rules=("loop",))
        >>> strict.broken_rule("vec4 f() { for (;;); } // for ever")
        'it has a loop, which this exercise forbids'
        >>> strict.broken_rule("vec4 f() { return vec4(1.0); } // for ever")
        ''
        """
        code = COMMENT.sub(" ", function)
        if words(self.signature) not in words(code):
            return f"its first line must stay as it was given: `{self.signature} {{`"
        for pattern, said in self.kept:
            if re.search(pattern, code):
                return said
        return ""


def is_blank(function: str) -> bool:
    """Return whether a function still has the dots that a student replaces.

    Examples
    --------
    >>> is_blank("vec4 f() { ... }"), is_blank("vec4 f() { return vec4(1.0); } // ...")
    (True, False)
    """
    return "..." in COMMENT.sub(" ", function)


def without_first_break(function: str) -> str:
    '''Return a text without the line break after the quotes that open it.

    Examples
    --------
    >>> without_first_break("""
    ... vec4 f() {}""")
    'vec4 f() {}'
    '''
    return function.removeprefix("\n")


def words(text: str) -> str:
    """Return a text with one space between its words and signs, to compare it with another.

    Examples
    --------
    >>> words("vec4 f( ivec2  place )") == words("vec4  f(ivec2 place)")
    True
    """
    return " ".join(re.findall(r"\w+|\S", text))


def _constant(name: str, value: Number) -> str:
    kind = "int" if isinstance(value, int) else "float"
    return f"const {kind} {name} = {value!r};"
