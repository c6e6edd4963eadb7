"""Ladders: the times of all methods of drawing, recorded or measured in a notebook."""

from itertools import product

from shadersort.drawing.devices import Device, open_device
from shadersort.keys.inputs import random_keys
from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.reproduced import count
from shadersort.lessons.shared.tables import Table, short
from shadersort.names import DrawingMethod, NetworkName
from shadersort.sorting.timing import measure

RECORDED: tuple[NetworkName, ...] = ("pbsn", "bitonic", "odd-even-merge")
"""The networks of the records that lesson 6 shows."""

SHOWN: tuple[NetworkName, ...] = RECORDED[:2]

METHODS: tuple[DrawingMethod, ...] = ("blend", "fragment", "fused", "compute")
"""The methods of lesson 6, each of which does more in a pass than the one before."""

PEERS = {"np.sort": "np.sort, on the CPU", "cupy.sort": "cupy.sort", "cupy.max": "one read"}

NO_TIME = ("–", "–")

SIZES_HERE = {"a GPU": 1 << 20, "a CPU": 1 << 12, "software": 1 << 8}
"""The keys of a live measurement on a GPU, with OpenGL on a CPU, and on the software device."""


def ladder(*records: Record) -> Table:
    """Return the milliseconds of every method and of its peers, for each record.

    Records may differ in machine and number of keys. So each time is also shown as a multiple of
    the fastest network's in the same record: these multiples can be compared.
    """
    columns = [_column(each) for each in records]
    names = dict.fromkeys(name for column in columns for name in column)
    head = [told for each in records for told in (f"{_machine(each)}: ms", "× the fastest network")]
    lines = [
        (PEERS.get(name, name), *(cell for column in columns for cell in column.get(name, NO_TIME)))
        for name in names
    ]
    return Table(("", *head), tuple(lines), "; ".join(map(_title, records)))


def _machine(record: Record) -> str:
    """Return the device without its driver."""
    return record.device.split("/")[0].split(" (")[0]


def _title(record: Record) -> str:
    """Return the device, the day, and the number of keys."""
    when = f"recorded {record.date}" if record.date else "now, here"
    return f"{_machine(record)}, {when}, {count(int(record.rows[0]['keys']))} keys"


def _column(record: Record) -> dict[str, tuple[str, str]]:
    """Return the milliseconds of each way to sort, and their multiple of the fastest network's."""
    shown = [row for name in (*SHOWN, "") for row in record.where(network=name)]
    took = {f"{row['network']} {row['method']}".strip(): row["program_ms"] for row in shown}
    fastest = min(row["program_ms"] for row in shown if row["network"])
    return {name: (short(ms), short(ms / fastest)) for name, ms in took.items()}


def timed_here(device: Device, keys: int, seconds: float = 0.05) -> list[Row]:
    """Check and time every method on a device, for PBSN and bitonic.

    Returns rows like those of a record of the ladder.
    """
    values = random_keys(keys, "float32", seed=keys)
    times: dict[tuple[str, str], float] = {}
    on_cpu = []
    for name, method in product(SHOWN, METHODS):
        if method == "compute" and not device.computes:
            continue
        timing = measure(  # the record counts no merge
            device, values, network=name, method=method, seconds=seconds, merge="host"
        )
        times[name, method] = timing.program_ms
        on_cpu.append(timing.numpy_ms)
    times["", "np.sort"] = min(on_cpu)
    return [
        {"keys": keys, "network": name, "method": method, "program_ms": ms}
        for (name, method), ms in times.items()
    ]


def measure_here() -> Record:
    """Time every method on the best device here; a GPU gets more keys than a CPU."""
    with open_device() as device:
        on_cpu = "software" if device.kind == "software" else "a CPU"
        rows = timed_here(device, SIZES_HERE["a GPU" if device.hardware else on_cpu])
        return Record("here", device.renderer, "", "", tuple(rows))
