"""Sharing keys between the CPU and a device, in proportion to their measured speeds.

This is "load balancing" in section 6 of Govindaraju, Raghuvanshi and Manocha, SIGMOD 2005: the CPU
works while the GPU sorts.
"""

from shadersort.drawing.texture_size import ceil_power_of_two
from shadersort.errors import BadShare


class Balance:
    """Decides how many keys of a chunk the device gets; the CPU gets the others.

    Parameters
    ----------
    share
        The share of the CPU, from 0.0 to 1.0; or "auto", by the speeds measured so far.

    Examples
    --------
    >>> balance = Balance("auto")
    >>> balance.measured(device=(1000, 3.0), cpu=(1000, 1.0))
    >>> balance.for_device(4096)
    1024
    """

    def __init__(self, share: float | str) -> None:
        number = isinstance(share, int | float)
        if share != "auto" and not (number and 0 <= float(share) <= 1):
            raise BadShare(f"share is 'auto', or a number from 0.0 to 1.0, not {share!r}")
        self.fixed = None if share == "auto" else float(share)
        self._device_rate = self._cpu_rate = 0.0  # keys a second

    @property
    def unmeasured(self) -> bool:
        """Whether speeds must be measured first."""
        return self.fixed is None and not (self._device_rate and self._cpu_rate)

    def measured(self, device: tuple[int, float], cpu: tuple[int, float]) -> None:
        """Note how many keys each has sorted in how many seconds; 0 keys change nothing."""
        if device[0]:
            self._device_rate = ceil_power_of_two(device[0]) / max(device[1], 1e-9)
        if cpu[0]:
            self._cpu_rate = cpu[0] / max(cpu[1], 1e-9)

    def for_device(self, keys: int) -> int:
        """Return how many of `keys` keys the device gets.

        With "auto" that is all, none, or a power of two, to which a network pads its keys:
        whichever takes the least time.
        """
        if self.fixed is not None:
            return keys - round(self.fixed * keys)
        candidates = [0, keys, *(1 << p for p in range(keys.bit_length()))]
        return min(candidates, key=lambda drawn: self._seconds(drawn, keys - drawn))

    def _seconds(self, drawn: int, others: int) -> float:
        """Return the time of both, side by side."""
        by_device = ceil_power_of_two(drawn) / self._device_rate if drawn else 0.0
        return max(by_device, others / self._cpu_rate)
