"""What every device is: one loop that executes the passes of a program, and its checks.

A device implements `upload`, `_allocate`, `_prepare` and `_draw`. Everything that must be the same
on all devices is here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from shadersort.drawing.cost.limits import can_blend, check_program, check_texture, fastest_method
from shadersort.drawing.cost.profiles import Profile
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.passes import CHANNELS, TEXTURE, Parameters
from shadersort.drawing.program import Program
from shadersort.drawing.signals import held_signals
from shadersort.drawing.verify import verify
from shadersort.errors import DeviceClosed, MethodUnavailable, TooManyKeys, UnsupportedKeys
from shadersort.keys.types import BLENDED, DTYPES
from shadersort.names import DrawingMethod, SortMethod

Observer = Callable[[int, Mapping[str, Texture]], None]
"""Called after each pass with its index and the buffers by their logical names."""

Counter = Callable[[], int]
"""Returns how many keys a counting pass let through, once; it may have to wait for the device."""


@dataclass(frozen=True, eq=False, slots=True)
class Found:
    """The answer of a program that asks a question."""

    # the four numbers of its result's first texel; None if the program only counts
    texel: Texels | None
    counts: tuple[int, ...]  # how many keys each counting pass let through


NO_PARAMETERS: Parameters = MappingProxyType({})


class Device(ABC):
    """A machine that executes programs of passes. Close it, or use it as a context manager.

    Attributes
    ----------
    kind
        How it was opened: "egl", "window" or "software".
    renderer
        What the device calls itself.
    version
        The version of its OpenGL, as the driver tells it; None where there is no OpenGL.
    hardware
        True for a GPU, False where a CPU does the drawing.
    max_texture_size
        Most texels in a row, and most rows, of one texture.
    computes
        Whether it has compute shaders, for method "compute".
    profile
        The card that it emulates, or None: it refuses what that card could not draw.
    """

    kind: str
    renderer: str
    version: str | None = None
    hardware: bool
    max_texture_size: int
    computes: bool

    def __init__(self) -> None:
        self.closed = False
        self.profile: Profile | None = None

    @abstractmethod
    def upload(self, texels: Texels) -> Texture:
        """Make a texture of an array of shape (height, width, 4)."""

    @abstractmethod
    def _allocate(self, width: int, height: int, dtype: np.dtype[Any], layers: int = 1) -> Texture:
        """Make a texture of any content, cut into equal layers if there are several."""

    @abstractmethod
    def _prepare(self, program: Program, dtype: np.dtype[Any]) -> Sequence[Any]:
        """Return the commands, in the device's own form, that draw each pass of a program."""

    @abstractmethod
    def _draw(
        self, command: Any, source: Any, target: Any, parameters: Parameters
    ) -> Counter | None:
        """Draw one pass, maybe later (`finish` waits); return the counter of a counting pass."""

    def finish(self) -> None:  # noqa: B027  (a device that draws at once has nothing to wait for)
        """Wait until everything drawn so far is done."""

    def _release(self) -> None:  # noqa: B027  (not every device holds something)
        """Give back what the device holds; called once."""

    @contextmanager
    def _active(self) -> Iterator[None]:
        """Hold the device, and the signals that would interrupt it, while calls are made to it."""
        yield

    def execute(
        self, program: Program, texture: Texture, observe: Observer | None = None
    ) -> Texture:
        """Execute every pass of a program on a texture, and return the texture with the result.

        The given texture may hold anything afterwards, and may be the one returned. `observe` is
        called after each pass, and can read the textures as that pass left them.
        """
        if program.answer != "texture":
            raise ValueError("a program that asks a question leaves no texture: use Device.ask")
        with self._drawn(program, texture, NO_PARAMETERS, observe) as (buffers, _):
            return buffers.pop(program.result)

    def ask(
        self, program: Program, texture: Texture, parameters: Parameters = NO_PARAMETERS
    ) -> Found:
        """Execute a program that asks a question, and return the answer; keep the texture as it is.

        `parameters` are the numbers that its shaders take, by name.
        """
        if program.answer == "texture":
            raise ValueError("a program that moves keys uses its texture up: use Device.execute")
        names = {name for each in program.passes for name in each.parameters}
        if names != set(parameters):
            raise ValueError(f"the program takes {sorted(names)}, not {sorted(parameters)}")
        with self._active(), self._drawn(program, texture, parameters) as (buffers, counters):
            if counters:
                self.finish()  # a count may not wait for long: see fences.py
            texel = buffers[program.result].texel() if program.answer == "texel" else None
            return Found(texel, tuple(count() for count in counters))

    @contextmanager
    def _drawn(
        self,
        program: Program,
        texture: Texture,
        parameters: Parameters,
        observe: Observer | None = None,
    ) -> Iterator[tuple[dict[str, Texture], list[Counter]]]:
        """Draw every pass; yield buffers and counters, then release buffers left in the dict."""
        self._check_open()
        self._check_drawable(program, texture)
        verify(program)
        buffers, counters = {TEXTURE: texture}, []
        try:
            with self._active():
                commands = self._prepare(program, texture.dtype)
                for index, (each, command) in enumerate(zip(program.passes, commands, strict=True)):
                    if each.target not in buffers:
                        buffers[each.target] = self._allocate(
                            program.width, program.height, texture.dtype, each.layers
                        )
                    source, target = buffers[each.source], buffers[each.target]
                    if counter := self._draw(command, source, target, parameters):
                        counters.append(counter)
                    if observe is not None:
                        observe(index, buffers)
                    held_signals.deliver()  # between two passes, an exception does no harm
            yield buffers, counters
        finally:
            for name, scratch in buffers.items():
                if name != TEXTURE:
                    scratch.release()

    def resolved(
        self,
        method: SortMethod,
        dtype: np.dtype[Any],
        precision: str | None = None,
        *,
        record: int = 1,
    ) -> DrawingMethod:
        """Return the name of a method; for "auto", of the fastest for such keys or records here."""
        if method != "auto":
            return method
        blends = dtype in BLENDED and record == 1 and can_blend(self.profile, precision)
        return fastest_method(self.profile, computes=self.computes and self.hardware, blends=blends)

    def check_keys(self, method: str, dtype: np.dtype[Any]) -> None:
        """Raise an error if this method cannot sort keys of this type here."""
        if self.profile:
            check_texture(self.profile, 1, 1, dtype)
        if method == "compute" and not self.computes:
            raise MethodUnavailable(
                f"{self!r} has no compute shaders, which came with OpenGL 4.3: use method='fused'"
            )
        if method == "blend" and dtype not in BLENDED:
            raise UnsupportedKeys(
                f"{dtype} keys cannot be sorted by method {method!r}: only floats and uint8 blend. "
                "Use method='auto'"
            )

    def run(self, program: Program, texels: Texels, observe: Observer | None = None) -> Texels:
        """Upload texels, execute a program on them, and return the texels of its result."""
        with self.upload(texels) as texture, self.execute(program, texture, observe) as result:
            return result.read()

    def emulate(self, profile: Profile) -> None:
        """Accept the limits of a card from now on."""
        self.profile = profile
        self.max_texture_size = min(self.max_texture_size, int(profile.largest_side.value))

    def close(self) -> None:
        """Release everything the device holds. Closing twice does nothing."""
        with held_signals:
            if not self.closed:
                self.closed = True
                self._release()

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def label(self) -> str:
        """What draws, in short: "NVIDIA H200", or "llvmpipe, as geforce-6800-ultra"."""
        short = self.renderer.split("/")[0].split(" (")[0]
        return f"{short}, as {self.profile.name}" if self.profile else short

    def __repr__(self) -> str:
        card = f", as {self.profile.name}" if self.profile else ""
        state = ", closed" if self.closed else ""
        return f"<{type(self).__name__} {self.kind}: {self.renderer}{card}{state}>"

    def _check_open(self) -> None:
        if self.closed:
            raise DeviceClosed(f"{self!r} was closed: open another with shadersort.open_device()")

    def _check_drawable(self, program: Program, texture: Texture) -> None:
        """Raise an error if the program cannot be drawn on the texture."""
        if texture.device is not self:
            raise ValueError(f"the texture is of another device, {texture.device!r}")
        if texture.released:
            raise DeviceClosed("this texture was released")
        if (texture.width, texture.height) != (program.width, program.height):
            raise ValueError(
                f"the program draws {program.width} × {program.height} texels, the texture has "
                f"{texture.width} × {texture.height}"
            )
        self.check_keys("blend" if program.blends else program.method, texture.dtype)
        if self.profile:
            check_program(self.profile, program, texture.dtype)

    def _check_texels(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        """Raise an error if an array of this shape and type cannot be a texture here."""
        self._check_open()
        if len(shape) != 3 or shape[2] != CHANNELS or 0 in shape:
            raise ValueError(f"texels are an array of shape (height, width, 4), not {shape}")
        if dtype not in DTYPES:
            names = ", ".join(map(str, DTYPES))
            raise UnsupportedKeys(f"a texture holds {names}, not {dtype}")
        if self.profile:
            check_texture(self.profile, shape[1], shape[0], dtype)
        if max(shape[:2]) > self.max_texture_size:
            raise TooManyKeys(
                f"a texture of {shape[1]} × {shape[0]} texels is larger than the "
                f"{self.max_texture_size} × {self.max_texture_size} of {self!r}"
            )
