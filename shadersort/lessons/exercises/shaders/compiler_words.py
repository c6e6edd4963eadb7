"""What a compiler of shaders says, in plain words, at the lines of a student's text."""

import re
from collections.abc import Iterable

from shadersort.lessons.exercises.kernels.dialect import code_of
from shadersort.lessons.exercises.shaders.rules import Rule

STUDENT = 0  # the number of a student's text in #line directives: compilers name it in errors

JOIN = (
    " Two bool are joined by && or ||. Of two vectors of them make numbers first: "
    "vec4(a) * vec4(b), or max(vec4(a), vec4(b))."
)
MEANINGS: tuple[Rule, ...] = (
    (r"`(\w+)' undeclared", "“{0}” is not declared. Is it spelled right? Capitals matter."),
    (
        r"no function with name '(\w+)'",
        "There is no function “{0}” here. Is it spelled right? A function of another exercise "
        "cannot be called: write its lines again.",
    ),
    (
        r"no matching function for call to `(\w+)\((.*?)\)'",
        "“{0}” does not take ({1}). A place is ivec2(column, row), and vec4(…) makes numbers of "
        "true and false.",
    ),
    (r"`return' with wrong type (\w+), .* returning (\w+)", "It returns {0}, not {1}."),
    (r"has non-void return type (\w+)", "The function must end with `return` and a {0}."),
    (
        r"(?:initializer|value) of type (\w+) cannot be assigned to variable of type (\w+)",
        "A value of type {0} stands where {1} is needed. {1}(…) makes one of it.",
    ),
    (
        r"cannot dereference non-array",
        "[…] stands after something that has no places. texel_at and texel_of fetch a texel.",
    ),
    (r"invalid swizzle / mask `(\w+)'", "“.{0}” names no part of this value."),
    (r"`(\w+)' redeclared", "“{0}” is declared twice."),
    (r"(?:LHS|RHS) of `([&|^])' must be an integer", f"“{{0}}” joins whole numbers.{JOIN}"),
    (r"(?:LHS|RHS) of `(.+?)' must be scalar boolean", f"“{{0}}” joins true or false.{JOIN}"),
    (r"scalar boolean", "A condition must be true or false: for example i != 0 instead of i."),
    (
        r"relational operators must be scalar|operands of relational",
        "< and > compare two numbers. Of two vectors, min and max choose in each channel, and "
        "lessThan has an answer for each channel.",
    ),
    (r"read-only variable '(\w+)'", "“{0}” can be read, but not changed."),
    (r"too (few|many) .* `(\w+)'", "There are too {0} numbers for a {1}."),
    (
        r"syntax error",
        "The text cannot be read here. Perhaps a semicolon or bracket is missing, here or before.",
    ),
)
"""What Mesa's compiler says, and what this means."""

HABITS: tuple[Rule, ...] = (
    (r"\bnp\.", "There is no NumPy here, but there are functions such as min and max."),
    (r"\b(?:and|or|not)\b", "`and` is written &&, `or` is ||, and `not` is !."),
    (
        r"(?:=|\breturn\b)[^;]*\bif\b[^;]*\belse\b",
        "What Python writes as `b if a else c` is `a ? b : c` here.",
    ),
    (r"\bfor\s+[^(\s]", "A loop is written for (int i = 0; i < n; i += 1) { … }."),
    (
        r"\b(?:if|while)\b\s*[^(\s]|^\s*(?:if|elif|else|for|while)\b[^{]*:\s*$",
        "A condition stands in round brackets, and what depends on it in braces: if (…) { … }.",
    ),
    (
        r"\b(?:if|while)\s*\((?:[^=!<>()]|\([^()]*\))*[^=!<>()+*/%&|^-]=[^=]",
        "Two values are compared by ==, and = gives a value.",
    ),
    (
        r"(?<![<>])[<>]=?(?![<>=])[\w.\s+*/%-]+[<>]=?(?![<>=])",
        "Two comparisons are joined by &&, as in 0 <= i && i < n.",
    ),
    (r"\*\*", "There is no `**`: multiply, x * x."),
    (r"^\s*#", "A comment begins with //, not with #."),
    (r"[\w)\]]\[[^\](?]*:", "There are no slices, such as x[::-1]: one place stands in [ ]."),
    (r"\[[^\](?]*,", "A vector is made by its type, as in ivec2(…) or vec4(…), not by [ ]."),
    (
        r"(?:^|[;{])\s*(?!(?:int|uint|float|bool|[biu]?vec\d|mat\d|const|return|else)\b)"
        r"\w+\s+\w+\s*=[^=]",
        "A type stands before a new name, such as int, float or vec4, in small letters.",
    ),
    (r"\b(?:True|False)\b", "`True` and `False` are written true and false."),
)
"""What people who know Python write by habit, as a regular expression for the code of a line, and
what is said of a line with an error and such code."""

HABITS_OF_SHADERS: tuple[Rule, ...] = (
    (
        r"\b(?:int|uint|float|bool|[biu]?vec\d|,)\s*\b(?:in|out|inout|input|output|sample|filter|half"
        r"|common|active|partition|this|union|long|short|double|goto|switch|default|using)\s*[=;,]",
        "A name in this line is a reserved word: in, out, inout, input, output, sample, filter, "
        "half and some others name no variable.",
    ),
    *HABITS,
)
"""Those of shaders: a kernel of the lessons has fewer reserved words."""

NEW = "“{0}” is new here, so its type stands before it, as in `int i = …` or `vec4 own = …`."

ENDED = re.compile(r"[;{},(=?:+*/-]\s*$")
UNENDED = "Perhaps a semicolon is missing at the end of this line."

DIVIDED = "// begins a comment. Whole numbers are divided by /, which leaves out the rest."

ERROR = re.compile(
    r"^(?:ERROR: *)?(?P<source>\d+)[:(](?P<line>\d+)\)?(?:\(\d+\))? *: *"
    r"(?:(?:preprocessor )?error *\w*:? *)?(?P<said>.*)$"
)
"""A line of the log of Mesa, NVIDIA or ANGLE."""


def first_error(log: str) -> tuple[int, str] | None:
    """Return the line of the first error in a student's text, and what it means in plain words.

    A message that is not known stays as it is.
    """
    for line in log.splitlines():
        error = ERROR.match(line.strip())
        if error and "warning" not in line and int(error["source"]) == STUDENT:
            known = ((re.search(pattern, error["said"]), words) for pattern, words in MEANINGS)
            meanings = (words.format(*match.groups()) for match, words in known if match)
            return int(error["line"]), next(meanings, error["said"])
    return None


def explain(log: str, function: str) -> str:
    """Return what a log says of the first wrong line of a student's text.

    If the line shows a habit of those who know Python, this is said of it instead.
    """
    lines = [code_of(each) for each in function.rstrip().splitlines()]
    if (error := first_error(log)) is None:
        return "the text ends too early. Perhaps a bracket or a semicolon is missing near its end."
    number = min(error[0], len(lines))  # a text that ends too early is wrong on its last line
    said = find_habit(lines[number - 1], error[1], HABITS_OF_SHADERS) or error[1]
    before = max((at for at, line in enumerate(lines[: number - 1], 1) if line.strip()), default=0)
    if "cannot be read" in said and before and not ENDED.search(lines[before - 1]):
        number, said = before, UNENDED
    line = function.splitlines()[number - 1]
    if said == UNENDED and "//" in line:
        said = DIVIDED
    return f"line {number}, `{line.strip()}`: {said}"


def find_habit(line: str, said: str, habits: Iterable[Rule]) -> str:
    """Return what helps with a line of code that a compiler refused; "" if nothing is known."""
    new = re.match(r"\s*(?:for\s*\(\s*)?(\w+)\s*=[^=]", line)
    if new and f"“{new[1]}” is not declared" in said:
        return NEW.format(new[1])
    return next((words for pattern, words in habits if re.search(pattern, line)), "")
