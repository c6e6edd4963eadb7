"""The OpenGL device: executes programs by drawing, on a GPU or on Mesa's llvmpipe.

OpenGL 3.3 core is all that drawing needs: each pass is one instanced call for each of its `Quads`.
Passes of compute shaders need 4.3.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any
from weakref import WeakKeyDictionary

import moderngl
import numpy as np

from shadersort.drawing.commands import ShaderKey, command_of
from shadersort.drawing.devices.base import Counter, Device
from shadersort.drawing.devices.contexts import Context, is_hardware
from shadersort.drawing.devices.fences import Fences, Flights
from shadersort.drawing.devices.opengl_objects import (
    LinkedCommand,
    LinkedShader,
    OpenGLTexture,
    Transfers,
)
from shadersort.drawing.devices.processes import ADVICE, is_forked, release_when_abandoned
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS, Parameters
from shadersort.drawing.program import Program
from shadersort.drawing.shaders import head_of_es
from shadersort.drawing.signals import held_signals
from shadersort.errors import DeviceClosed, DeviceForked, DeviceUnusable

COMPUTES = 430
"""OpenGL 4.3 brought compute shaders."""

DITHER = 0x0BD0
"""OpenGL may dither colours of 8 bits, unless this is disabled."""


class OpenGLDevice(Device):
    """Executes programs through OpenGL, in a context that it owns.

    Several threads may use it; they take turns. A process that was forked from the one that opened
    it may only close it. If nobody closes it, it is closed when Python collects it, with a
    ResourceWarning.
    """

    def __init__(self, context: Context, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.gl = context.gl
        self.textures: set[OpenGLTexture] = set()
        self.transfers = Transfers(self.gl)
        # occlusion queries, to be used again: moderngl cannot release them
        self._queries: list[moderngl.Query] = []
        self._context = context
        self._lock, self._depth = threading.RLock(), 0
        self._shaders: dict[ShaderKey, LinkedShader] = {}
        self._commands: WeakKeyDictionary[Program, dict[str, list[LinkedCommand]]] = (
            WeakKeyDictionary()
        )
        self._gone = False
        with self._active():
            self._fences = Fences(context.address)
            self._flights = Flights()
            self.gl.disable_direct(DITHER)
            self._resting_place = self.gl.simple_framebuffer((1, 1))
            self.renderer = self.gl.info["GL_RENDERER"]
            self.version = self.gl.info["GL_VERSION"]
            self.max_texture_size = min(
                self.gl.info["GL_MAX_TEXTURE_SIZE"], *self.gl.info["GL_MAX_VIEWPORT_DIMS"]
            )
            self.hardware = is_hardware(self.gl)
            self.computes = self.gl.version_code >= COMPUTES
            self.gl.clear_errors()  # moderngl's `info` asks for values that not every driver knows
        self._finalizer = release_when_abandoned(self, context)

    @property
    def is_forked(self) -> bool:
        """Whether it was opened by the process that this one was forked from."""
        return is_forked(self._context.process)

    def upload(self, texels: Texels) -> OpenGLTexture:
        """Copy an array into a new texture, through buffer objects."""
        self._check_texels(texels.shape, texels.dtype)
        height, width, _ = texels.shape

        def band(y: int, rows: int) -> Texels:
            self._sent(width * rows)
            return texels[y : y + rows]

        with ExitStack() as undo:
            with self._active():
                texture = undo.enter_context(self._allocate(width, height, texels.dtype))
                row_bytes = width * CHANNELS * texels.dtype.itemsize
                self.transfers.upload(band, texture.layers[0], row_bytes)
                self.check("copying texels to a texture")
            undo.pop_all()
        return texture

    def finish(self) -> None:
        """Wait until everything drawn so far is done."""
        self._check_open()
        with self._active():
            self._wait()

    def run_text(self, text: str, program: Program, texels: Texels) -> Texels:
        """Run a program of "copy" passes, drawn by a text in place of copy.frag; return the texels.

        The text is GLSL without `#version`, of a fragment shader that `quads.vert` can be linked
        with. The program is a new one, which was not run before.

        Raises
        ------
        moderngl.Error
            The text does not compile; the message is the compiler's.
        """
        commands = [
            command_of(each, (program.width, program.height), texels.dtype)
            for each in program.passes
        ]
        (key,) = {each.shader for each in commands}
        self._check_open()
        with self._active():
            shader = LinkedShader(self.gl, key, text)
            linked = [LinkedCommand(self.gl, shader, each) for each in commands]
            self._commands[program] = {texels.dtype.name: linked}
            try:
                return self.run(program, texels)
            finally:
                del self._commands[program]
                shader.release()

    def log_of_es(self, text: str) -> str:
        """Return what the compiler says of a fragment shader in GLSL ES 3.00; "" if it takes it.

        This is the language of browsers. The text has no `#version`.
        """
        corners = f"{head_of_es('f')}void main() {{ gl_Position = vec4(0.0); }}\n"
        self._check_open()
        with self._active():
            try:
                self.gl.program(corners, head_of_es("f") + text).release()
            except moderngl.Error as error:
                return str(error)
        return ""

    def check(self, what: str) -> None:
        """Raise DeviceUnusable if OpenGL has noted an error."""
        if (code := self.gl.error) != "GL_NO_ERROR":
            raise DeviceUnusable(f"{self!r} failed at {what}: {code}")

    def rest(self) -> None:
        """Leave no texture's framebuffer bound."""
        self._resting_place.use()

    def _allocate(
        self, width: int, height: int, dtype: np.dtype[Any], layers: int = 1
    ) -> OpenGLTexture:
        return OpenGLTexture(self, width, height, dtype, layers)

    def _prepare(self, program: Program, dtype: np.dtype[Any]) -> list[LinkedCommand]:
        """Link the program for a kind of key, at its first use."""
        linked = self._commands.setdefault(program, {})
        if dtype.name not in linked:
            size = program.width, program.height
            commands = [command_of(each, size, dtype) for each in program.passes]
            linked[dtype.name] = [
                LinkedCommand(self.gl, self._shader(each.shader), each) for each in commands
            ]
        return linked[dtype.name]

    def _draw(
        self,
        command: LinkedCommand,
        source: OpenGLTexture,
        target: OpenGLTexture,
        parameters: Parameters,
    ) -> Counter | None:
        query = None
        if command.counts:
            query = self._queries.pop() if self._queries else self.gl.query(samples=True)
        with query or nullcontext():
            command.run(source.layers, target.layers, target.framebuffer, parameters)
        self._sent(target.width * target.height)
        return self._counter(query) if query else None

    def _counter(self, query: moderngl.Query) -> Counter:
        """Return the counter of a query, which may be used again once it is read.

        A query whose counter is never read, as after an interruption, waits until the device is
        closed. A finalizer could give it back, but would lose a Ctrl-C that arrives in it.
        """

        def counter() -> int:
            fragments: int = query.samples
            self._queries.append(query)
            return fragments

        return counter

    def _sent(self, texels: int) -> None:
        """Count texels copied or drawn, and wait for the device when too many are in flight."""
        if self._flights.sent(texels):
            self._wait()

    def _wait(self) -> None:
        """Wait for the device, and look whether it noted an error."""
        self._fences.wait()
        self._flights.landed()
        self.check("drawing")

    def _shader(self, key: ShaderKey) -> LinkedShader:
        """Return a linked shader, linking it at its first use."""
        if key not in self._shaders:
            self._shaders[key] = LinkedShader(self.gl, key)
        return self._shaders[key]

    @contextmanager
    def _active(self) -> Iterator[None]:
        """Hold the context: current in this thread, and in no other; and hold signals back."""
        if self.is_forked:
            raise DeviceForked(
                f"{self!r} was opened in process {self._context.process}, and does not work in "
                f"process {os.getpid()}, which was forked from it: {ADVICE}"
            )
        with self._lock, held_signals, ExitStack() as stack:
            if self._gone:
                raise DeviceClosed(f"{self!r} was closed while it was used")
            if not self._depth:
                stack.enter_context(self._context)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def _release(self) -> None:
        if self.is_forked:
            return
        self._finalizer.detach()
        with self._active():
            for texture in list(self.textures):
                texture.release()
            for shader in self._shaders.values():
                shader.release()
            self._shaders.clear()
            self._commands.clear()
            self.transfers.release()
            self._resting_place.release()
        with self._lock:
            self._gone = True
            del self._resting_place, self.transfers, self._queries, self.gl
            self._context.release()
