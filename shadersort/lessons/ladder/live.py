"""Ladders: the times of all methods of drawing, recorded or measured in a notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from shadersort.drawing.devices import Device, open_device
from shadersort.keys.accepted import random_keys
from shadersort.lessons.shared.pictures import Bundle, Picture, picture
from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.style import look, subplots
from shadersort.lessons.shared.tables import short
from shadersort.names import DrawingMethod, NetworkName
from shadersort.palette import GREY
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.sorting.timing import measure

SHOWN: tuple[NetworkName, ...] = ("pbsn", "bitonic")

METHODS: tuple[DrawingMethod, ...] = ("blend", "fragment", "fused", "compute")
"""The methods of lesson 6, each of which does more in a pass than the one before."""

PEERS = {"np.sort": "np.sort, on the CPU", "cupy.sort": "cupy.sort", "cupy.max": "one read"}

SIZES_HERE = {"a GPU": 1 << 20, "a CPU": 1 << 12, "software": 1 << 8}
"""The keys of a live measurement on a GPU, with OpenGL on a CPU, and on the software device."""


def show_ladder(*records: Record) -> Figure:
    """Draw the milliseconds of every method and of its peers, with records side by side."""
    figure, axes = subplots(1, len(records), width=7.2, height=3.7)
    for ax, each in zip(axes, records, strict=True):
        _draw_bars(ax, each.rows)
        ax.set_title(_title(each), fontsize=9)
    return figure


def _title(record: Record) -> str:
    """Return the device without its driver, the day and the number of keys."""
    device = record.device.split("/")[0].split(" (")[0]
    when = f"recorded {record.date}" if record.date else "now, here"
    return f"{device}, {when}\n2^{int(record.rows[0]['keys']).bit_length() - 1} keys"


def _draw_bars(ax: Axes, rows: Sequence[Row]) -> None:
    """Draw a bar for each way to sort, on a logarithmic scale."""
    shown = [row for row in rows if row["network"] in (*SHOWN, "")]
    shown.sort(key=lambda row: (*SHOWN, "").index(row["network"]))
    for place, row in enumerate(shown):
        colour = GREY if row["method"] == "cupy.max" else look(row["method"])["color"]
        took = row["program_ms"]
        ax.barh(place, took, color=colour, height=0.7)
        ax.text(took * 1.15, place, short(took), va="center", fontsize=8)
    names = [f"{row['network']} {row['method']}".strip() for row in shown]
    ax.set_yticks(range(len(names)), [PEERS.get(name, name) for name in names])
    ax.invert_yaxis()
    times = [row["program_ms"] for row in shown]
    ax.set(xscale="log", xlabel="milliseconds", xlim=(min(times) / 2, max(times) * 6))


def timed_here(device: Device, keys: int, seconds: float = 0.05) -> list[Row]:
    """Check and time every method on a device, for PBSN and bitonic.

    Returns rows like those of a record of the ladder.

    Examples
    --------
    >>> with open_device("software") as device:
    ...     rows = timed_here(device, 64)
    >>> [row["method"] for row in rows[:3]], rows[-1]["method"]
    (['blend', 'fragment', 'fused'], 'np.sort')
    """
    values = random_keys(keys, "float32", seed=keys)
    rows: list[Row] = []
    on_cpu = []
    for name, method in product(SHOWN, METHODS):
        if method == "compute" and not device.computes:
            continue
        timing = measure(  # the record counts no merge
            device, values, network=name, method=method, seconds=seconds, merge="host"
        )
        row = {"keys": keys, "network": name, "method": method, "program_ms": timing.program_ms}
        rows.append(row)
        on_cpu.append(timing.numpy_ms)
    fastest = {"keys": keys, "network": "", "method": "np.sort", "program_ms": min(on_cpu)}
    return [*rows, fastest]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Live:
    """A recorded ladder with a button that measures on this machine.

    A notebook's file has the picture of the record. In a running notebook, the button draws a
    second ladder beside it, for fewer keys; a GPU gets more keys than a CPU.
    """

    record: Record

    def __repr__(self) -> str:
        return f"<Live: {self.record.label}, and a button to measure here>"

    def still(self) -> Picture:
        """Return the picture of the record alone."""
        return picture(show_ladder(self.record), f"the ladder: {self.record.label}")

    def measured(self) -> Picture:
        """Measure here, and return a picture of the record beside it."""
        with open_device() as device:
            on_cpu = "software" if device.kind == "software" else "a CPU"
            size = SIZES_HERE["a GPU" if device.hardware else on_cpu]
            rows = timed_here(device, size)
            here = Record("here", device.renderer, "", "", tuple(rows))
        return picture(show_ladder(self.record, here), "the record, and this machine now")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        data, metadata = self.still()._repr_mimebundle_()
        try:
            import ipywidgets  # noqa: F401
        except ModuleNotFoundError:  # only the picture, as in a plain viewer
            return data, metadata
        return {**self.player()._repr_mimebundle_(), **data, "text/plain": repr(self)}, metadata

    def player(self) -> Any:
        """Return the widget: the picture, and a button under it."""
        import ipywidgets as widgets

        shown = widgets.Image(value=self.still().png, format="png")
        shown.layout.width = "662px"
        button = widgets.Button(description="Measure here")

        def pressed(_: Any) -> None:
            button.disabled, button.description = True, "Measuring …"
            try:
                shown.value = self.measured().png
            finally:
                button.disabled, button.description = False, "Measure again"

        button.on_click(pressed)
        return widgets.VBox([shown, button])
