"""Work on its way to the device: never more than takes it about a tenth of a second."""

import time

FIRST_TEXELS = 1 << 27
SECONDS = 0.1
"""Texels sent before the first wait for the device, and seconds between later waits.

A driver may lose work that it has had for long: on an NVIDIA H100, 18 s of passes that were sent
without a wait came out wrong, and it raised no error. A wait leaves the GPU idle for half a
millisecond; with a second between waits, sorts took as long as with a tenth.
"""

MOST_GROWTH = 2
"""How many times as much the next flight may carry, so that a short one proves little."""


class Flights:
    """Counts texels sent to the device, and says when to wait for it."""

    def __init__(self) -> None:
        self._texels, self._most = 0, FIRST_TEXELS
        self._began = 0.0

    def sent(self, texels: int) -> bool:
        """Count texels that were copied or drawn; return whether to wait before more are."""
        if not self._texels:
            self._began = time.perf_counter()
        self._texels += texels
        return self._texels >= self._most

    def landed(self) -> None:
        """Begin anew after a wait; a full flight sets how large the next may be."""
        if self._texels >= self._most:
            took = time.perf_counter() - self._began
            in_time = self._texels * SECONDS / max(took, 1e-9)
            self._most = max(1, int(min(in_time, MOST_GROWTH * self._most)))
        self._texels = 0
