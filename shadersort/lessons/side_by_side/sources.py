"""Lesson 13: the lines of shaders and kernels that stand side by side, and those that are alike.

The caller reads the files, because this package does not import `modern`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shadersort.lessons.side_by_side.columns import Columns, beside, excerpt

Read = Callable[[str], str]
"""Returns the text of a file, by its name."""

Parts = tuple[Any, ...]
"""The name of a file, and the parts of it for `excerpt`."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The lines shown on both sides."""

    # names of files with the parts that are shown, or remarks without parts
    left: tuple[Parts, ...]
    right: tuple[Parts, ...]
    same: tuple[tuple[str, str], ...]  # lines that do the same, as `beside` takes them


SIGNATURE = 'extern "C"'

ASKED = """below = [0]
for edge in edges:
    below.append(keys.below(edge))
below.append(keys.size)
histogram = np.diff(below)"""
"""Python code in the place of the shader, which cannot exist."""

PAIRS = {
    "search": Pair(
        left=(("rank.glsl", ("uniform SAMPLER", "return first"), "}"),),
        right=(("gk_merged_pairs.cu", ("__device__", "return first"), "}"),),
        same=(
            ("return texelFetch", "= encode(row[middle])"),
            ("int first = 0", "u64 first = 0"),
            ("while", "while"),
            ("int middle", "u64 middle"),
            ("if (value_at", "if (here < code"),
            ("return first", "return first"),
        ),
    ),
    "counting": Pair(
        left=(
            ("below.frag", ("void main", "}")),
            ("// counted.glsl, which it includes:",),
            ("counted.glsl", ("uniform", "uniform float"), ("float counted_key", "}")),
        ),
        right=(
            ("// by every thread:",),
            (
                "objective.cu",
                "const VALUE pivot",
                "u32 below = 0",
                ("for_each_key(", "equal += key == pivot"),
                "part.below = below",
                "if (joined",
            ),
        ),
        same=(
            ("uniform float pivot", "const VALUE pivot"),
            ("return texelFetch", "const VALUE key"),
            ("discard", "below += key < pivot"),
        ),
    ),
    "nearest": Pair(
        left=(
            ("nearest.frag", "uniform", ("void see", "bvec4 upper"), "lows = min", "}"),
            ("// fold.frag, every pass after the first:",),
            ("fold.frag", ("void main", "}"), "}"),
        ),
        right=(
            ("// by every thread:",),
            (
                "nearest.cu",
                "RAW up",
                ("for_each_key", "up = higher"),
                "});",
                "part.up = up",
                "if (!joined",
            ),
            ("// in joined(), of keys.cuh:",),
            ("keys.cuh", ("warp_least", "return value"), "}"),
        ),
        same=(
            ("greaterThanEqual", "const RAW higher"),
            ("lows = min", "up = higher < up"),
            ("i < TAPS", "step = LANES / 2"),
            ("min(color.r", "other < value"),
        ),
    ),
    "histogram": Pair(
        left=(("# in Python: ask about every edge",), (ASKED,)),
        right=(
            ("// by every thread:",),
            ("bucket_histogram.cu", "extern __shared__", ("for_each_key", "}"), "add_up"),
        ),
        same=(("for edge", "for_each_key"), ("below.append(keys.below", "atomicAdd")),
    ),
    "workers": Pair(
        left=(("global.comp", ("layout(local_size_x", "imageStore"), "}"),),
        right=(("lossy_numbered.cu", (SIGNATURE, "found[i]"), "}"),),
        same=(("int wire = int", "const u64 i"), ("if (wire < texels)", "if (i < n)")),
    ),
}
"""Every pair by its name."""


def columns(name: str, glsl: Read, cuda: Read) -> Columns:
    """Return one of `PAIRS` side by side.

    `glsl` and `cuda` return the text of a shader and of a kernel, by the name of its file.
    """
    pair = PAIRS[name]
    shaders, kernels = ([part[0] for part in side if part[1:]] for side in (pair.left, pair.right))
    drawn = f"GLSL: shaders/{shaders[0]}" if shaders else "no shader"
    titles = (drawn, f"CUDA: modern/kernels/{kernels[0]}")
    return beside(_text(pair.left, glsl), _text(pair.right, cuda), titles=titles, same=pair.same)


def _text(side: tuple[Parts, ...], read: Read) -> str:
    """Return the parts of one side, separated by empty lines."""
    shown = [excerpt(read(name), *parts) if parts else name for name, *parts in side]
    return "\n\n".join(shown)
