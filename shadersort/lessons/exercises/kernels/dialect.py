"""The words of a kernel that GLSL and CUDA C spell in different ways, and what all texts need.

`docs/kernel-language.md` describes the language. These words are `thread`, `block`, `blocks`,
`shared`, `barrier()`, the atomics, and what a kernel is given.
"""

import re
from dataclasses import dataclass

KERNEL = re.compile(r"\bvoid\s+kernel\s*\(\s*\)\s*\{")
REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
CUDA_WORDS = {"barrier": "__syncthreads", "shared": "__shared__"}
CHANGED = re.compile(
    rf"{REMARK.pattern}|\bbarrier(?=\s*\()|\bshared\b|\batomic(?:Add|Max|Min)\s*\(\s*", re.DOTALL
)
"""What CUDA C writes in another way, and comments, which stay as they are."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a kernel is written for."""

    threads: int = 64  # how many a block has: `THREADS`
    numbers: tuple[str, ...] = ()  # names of whole numbers that it is given besides `n`
    constants: tuple[tuple[str, int], ...] = ()  # their names and values

    @property
    def values(self) -> tuple[tuple[str, int], ...]:
        """Every constant by its name."""
        return ("THREADS", self.threads), *self.constants


def lines_of(text: str) -> str:
    """Return a text without the empty line at its beginning, after three quotes."""
    return text.removeprefix("\n").rstrip() + "\n"


def code_of(text: str) -> str:
    """Return a text without its comments; each line keeps its number."""
    return REMARK.sub(lambda found: "\n" * found[0].count("\n"), text)


def glsl(text: str, setting: Setting) -> str:
    """Return a kernel as a compute shader."""
    own = {
        "thread": "int(gl_LocalInvocationID.x)",
        "block": "int(gl_WorkGroupID.x)",
        "blocks": "int(gl_NumWorkGroups.x)",
    }
    numbers = "".join(f"uniform int {name};\n" for name in ("n", *setting.numbers))
    return (
        f"layout(local_size_x = {setting.threads}) in;\n"
        "layout(std430, binding = 0) readonly buffer Keys { int keys[]; };\n"
        "layout(std430, binding = 1) buffer Result { int result[]; };\n"
        f"{numbers}{constants_of(setting)}\n{_opened(text, 'void main() {', own)}"
    )


def cuda(text: str, setting: Setting) -> str:
    """Return a kernel in CUDA C."""
    own = {"thread": "threadIdx.x", "block": "blockIdx.x", "blocks": "gridDim.x"}
    numbers = "".join(f", int {name}" for name in setting.numbers)
    head = f'extern "C" __global__ void kernel(const int* keys, int n{numbers}, int* result) {{'
    written = CHANGED.sub(_in_cuda, _opened(text, head, own))
    return f"{constants_of(setting)}\n{written}"


def constants_of(setting: Setting) -> str:
    """Return the lines that declare the constants, in both languages."""
    return "".join(f"const int {name} = {value};\n" for name, value in setting.values)


def _opened(text: str, head: str, own: dict[str, str]) -> str:
    """Return a kernel with another head, and its own numbers in the next lines, if it uses them."""
    used = [name for name in own if re.search(rf"\b{name}\b", code_of(text))]
    lines = "".join(f"\n    int {name} = {own[name]};" for name in used)
    return KERNEL.sub(lambda _: head + lines, lines_of(text))


def _in_cuda(found: re.Match[str]) -> str:
    return CUDA_WORDS.get(found[0], f"{found[0]}&" if found[0].startswith("atomic") else found[0])
