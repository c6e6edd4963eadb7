"""The keys and the speed of `watch`, without a window."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from shadersort.drawing.networks import NETWORKS
from shadersort.drawing.passes import CHANNELS
from shadersort.names import DrawingMethod, NetworkName

KEYS, SEED = 4096, 2005
"""The default number of random keys, and their seed."""
SPEED = 20.0
"""Passes a second at first."""

Choice = TypeVar("Choice")

FASTEST = math.inf
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, FASTEST)
"""The speeds that the arrow keys choose from, in passes a second."""

HELP = (
    ("Space", "pause, resume"),
    ("→, N", "one pass, then pause"),
    ("↑, ↓", "faster, slower"),
    (", ".join(str(1 + i) for i in range(len(NETWORKS))), "network: " + ", ".join(NETWORKS)),
    ("Tab", "next network"),
    ("M", "next method"),
    ("C", "all channels, or one after the other"),
    ("R", "new keys"),
    ("H, ?", "this help, in the terminal"),
    ("Esc, Q", "quit"),
)
"""The keys and their meanings."""

REPEATING = ("right", "n", "up", "down")
"""Keys that repeat while they are held down."""


class Wish(Enum):
    """A request that ends the running program."""

    QUIT = "quit"
    RESTART = "restart"
    NEW_KEYS = "new keys"


@dataclass(slots=True)
class Controls:
    """What the user has chosen."""

    # the network and the method of the sort
    network: NetworkName
    method: DrawingMethod
    methods: Sequence[DrawingMethod]  # those that sort these keys on this device
    speed: float  # passes a second; infinity for no limit
    # paused, steps: whether passes wait, and the number of passes to draw while paused
    paused: bool = False
    steps: int = 0
    channel: int | None = None  # the only channel that is shown; None shows all
    wish: Wish | None = None  # the request that ends this run, or None
    asked_for_help: bool = False  # whether the help should be printed

    @property
    def channels(self) -> tuple[int, ...]:
        """The channels that are shown."""
        return tuple(range(CHANNELS)) if self.channel is None else (self.channel,)

    def press(self, key: str) -> None:
        """Act on a key; keys without a meaning do nothing.

        Examples
        --------
        >>> controls = Controls("pbsn", "blend", ["blend", "fragment"], speed=20)
        >>> controls.press("up"), controls.press("space"), controls.press("right")
        (None, None, None)
        >>> controls.speed, controls.paused, controls.steps
        (50, True, 1)
        """
        names = list(NETWORKS)
        match key:
            case "space":
                self.paused = not self.paused
            case "right" | "n":
                self.paused, self.steps = True, self.steps + 1
            case "up":
                self.speed = min((each for each in SPEEDS if each > self.speed), default=FASTEST)
            case "down":
                self.speed = max((each for each in SPEEDS if each < self.speed), default=self.speed)
            case "tab":
                self._restart(network=following(names, self.network))
            case "m":
                self._restart(method=following(self.methods, self.method))
            case "c":
                self.channel = following([None, *range(CHANNELS)], self.channel)
            case "r":
                self.wish = Wish.NEW_KEYS
            case "h" | "?" | "/":
                self.asked_for_help = True
            case "escape" | "q":
                self.wish = Wish.QUIT
            case _ if key.isdecimal() and 1 <= int(key) <= len(names):
                self._restart(network=names[int(key) - 1])

    def _restart(
        self, network: NetworkName | None = None, method: DrawingMethod | None = None
    ) -> None:
        self.network, self.method = network or self.network, method or self.method
        self.wish = Wish.RESTART

    def take_wish(self) -> Wish | None:
        """Return the wish, and clear it."""
        wish, self.wish, self.steps = self.wish, None, 0
        return wish


def following(choices: Sequence[Choice], current: Choice) -> Choice:
    """Return the choice after the current one; after the last, the first."""
    return choices[(choices.index(current) + 1) % len(choices)]


def speed_text(speed: float) -> str:
    """Return a speed as text.

    Examples
    --------
    >>> speed_text(1), speed_text(2000), speed_text(FASTEST)
    ('1 pass/s', '2,000 passes/s', 'as fast as it goes')
    """
    if math.isinf(speed):
        return "as fast as it goes"
    return f"{speed:,g} pass{'' if speed == 1 else 'es'}/s"
