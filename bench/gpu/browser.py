"""The first page's kernels on this machine's GPU, beside the sort that draws, in one run.

    python -m bench.gpu.browser --output bench/records/browser-….json

The kernels are the page's, in WGSL: `wgpu` runs them by Vulkan, in the dispatches of a browser. The
same keys are drawn by OpenGL. Each answer is checked before it is timed. Timestamps of the GPU time
the kernels, the host's clock the drawn passes. `share` is that of the bandwidth of a copy.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import chain, product
from statistics import median
from typing import Any

import numpy as np

from bench.drawing.ladder import drawn
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.options import Options, device_option
from bench.shared.record import Row
from shadersort import Device, compile, network, open_device
from shadersort.drawing.cost.estimate import price_of_pass
from shadersort.drawing.cost.profiles import GEFORCE_6800_ULTRA
from shadersort.drawing.passes import CHANNELS, texture_size
from shadersort.names import NetworkName
from shadersort.web.export import script_text
from shadersort.web.films import METHODS
from shadersort.web.two_page import KEYS, NETWORKS, TILE, dispatched_steps, network_steps

THREADS, LOADS = 256, 16  # as in the kernels
MOST_GROUPS = 32768  # in a row of workgroups
SLOT = 256  # bytes between the numbers of two dispatches
REPEATS = 5  # inside one measurement
SIZES = (1 << 20, 1 << 24)  # of what is sorted
SELECTED, COPIED = 1 << 26, 1 << 28  # most keys of a selection, and bytes of a copy
SHADERS = METHODS[:0:-1]  # the fastest one first; "blend" is no shader, and takes floats only

Dispatch = tuple[str, int, Sequence[int]]
"""A kernel, its workgroups, and the numbers that it is given."""

TILES, FOURS = "sort_tiles", "sort_fours"
KERNELS = {"sort": (TILES, FOURS), "select": ("count_digits", "narrow", "copy_codes")}
WRITTEN = {"sort": 1, "select": 3}  # buffers, which follow the numbers and what is only read


class WebGPU:
    """Runs the page's kernels: the twin of `compute.js`."""

    def __init__(self) -> None:
        import wgpu

        usage = wgpu.BufferUsage
        self.usage = usage.STORAGE | usage.UNIFORM | usage.QUERY_RESOLVE | usage.COPY_SRC
        found = wgpu.gpu.enumerate_adapters_sync()
        adapter = next(each for each in found if each.info["backend_type"] == "Vulkan")
        self.info = {"kind": "webgpu", "renderer": adapter.info["device"], **adapter.info}
        self.info["wgpu"] = wgpu.__version__
        limits = ("max-buffer-size", "max-storage-buffer-binding-size")
        self.device = adapter.request_device_sync(
            required_features=["timestamp-query"],
            required_limits={name: adapter.limits[name] for name in limits},
        )
        self.kernels: dict[str, tuple[Any, Any]] = {}
        for file, names in KERNELS.items():
            access = ["uniform", "read-only-storage", *["storage"] * WRITTEN[file]]
            types = [{"type": each, "has_dynamic_offset": each == "uniform"} for each in access]
            visible = {"visibility": wgpu.ShaderStage.COMPUTE}
            entries: Any = [{"binding": i, "buffer": x, **visible} for i, x in enumerate(types)]
            layout = self.device.create_bind_group_layout(entries=entries)
            module = self.device.create_shader_module(code=script_text(f"computed/{file}.wgsl"))
            whole = self.device.create_pipeline_layout(bind_group_layouts=[layout])
            for name in names:
                stage: Any = {"module": module, "entry_point": name}
                pipeline = self.device.create_compute_pipeline(layout=whole, compute=stage)
                self.kernels[name] = layout, pipeline

    def described(self) -> Row:
        """Return the description of the GPU in a record."""
        return self.info

    def buffer(self, content: Any) -> Any:
        """Return a buffer with this content, for any use."""
        return self.device.create_buffer_with_data(data=content, usage=self.usage)

    def read(self, buffer: Any, count: int, dtype: Any = np.uint32) -> Any:
        """Return numbers of a buffer, when all work is done."""
        size = count * np.dtype(dtype).itemsize
        return np.frombuffer(self.device.queue.read_buffer(buffer, 0, size), dtype)

    def run(self, rows: Sequence[Dispatch], buffers: Sequence[Any], repeats: int = 1) -> float:
        """Run dispatches some times; return the milliseconds of one time."""
        words = [np.array(some, np.uint32).tobytes() for _, _, some in rows]
        numbers = b"".join(each.ljust(SLOT, b"\0") for each in words)
        sizes = [(self.buffer(numbers), 16), *((each, each.size) for each in buffers)]
        entries: Any = [
            {"binding": i, "resource": {"buffer": buffer, "offset": 0, "size": size}}
            for i, (buffer, size) in enumerate(sizes)
        ]
        group = self.device.create_bind_group(layout=self.kernels[rows[0][0]][0], entries=entries)
        queries = self.device.create_query_set(type="timestamp", count=2)
        encoder = self.device.create_command_encoder()
        ends = {"beginning_of_pass_write_index": 0, "end_of_pass_write_index": 1}
        stamps: Any = {"query_set": queries, **ends}
        compute_pass = encoder.begin_compute_pass(timestamp_writes=stamps)
        for i, (name, groups, _) in [*enumerate(rows)] * repeats:
            compute_pass.set_pipeline(self.kernels[name][1])
            compute_pass.set_bind_group(0, group, [i * SLOT])
            compute_pass.dispatch_workgroups(min(groups, MOST_GROUPS), -(-groups // MOST_GROUPS))
        compute_pass.end()
        times = self.buffer(bytes(16))
        encoder.resolve_query_set(queries, 0, 2, times, 0)
        self.device.queue.submit([encoder.finish()])
        began, ended = self.read(times, 2, np.uint64).tolist()
        return float(ended - began) / 1e6 / repeats

    def measured(self, rows: Sequence[Dispatch], buffers: Sequence[Any], turns: int) -> Row:
        """Return how many dispatches there are, and their time: a median."""
        ms = median(self.run(rows, buffers, REPEATS) for _ in range(turns))
        return {"commands": len(rows), "ms": ms, "clock": "GPU"}


@benchmark("browser", __doc__, on=lambda _: nullcontext(WebGPU()), turns=7)
@device_option
def main(gpu: WebGPU, options: Options) -> Iterator[Row]:
    """Measure a copy, sorts and selections, and the drawn sorts."""
    rows: list[Dispatch] = [("copy_codes", COPIED // 16 // THREADS, [0, 0, COPIED // 16, 0])]
    buffers = [gpu.buffer(bytes(size)) for size in (COPIED, 1024, 56, COPIED)]
    copy = gpu.measured(rows, buffers, options.turns)
    copies = 2 * COPIED / copy["ms"]
    yield {"what": "copy", "keys": COPIED // 4, **copy, "bytes": 2 * COPIED, "bytes_per_ms": copies}
    random, sizes = np.random.default_rng(0), (len(KEYS), *SIZES, SELECTED)
    every = [random.integers(0, 2**32, size, np.uint32) for size in sizes]
    with open_device(options.device) as device:
        pairs = product(every[:-1], NETWORKS)
        computed = (sorted_row(gpu, codes, name, options.turns) for codes, name in pairs)
        selected = (selected_row(gpu, codes, options.turns) for codes in every)
        for row in chain(computed, selected, drawn_rows(device, every[1:-1], options.turns)):
            yield {**row, "share": row["bytes"] / row["ms"] / copies}


def sorted_row(gpu: WebGPU, codes: Any, name: NetworkName, turns: int) -> Row:
    """Sort codes by a network; return what it took."""
    size, steps, rows = len(codes), network_steps(name, len(codes)), list[Dispatch]()
    for first, last in dispatched_steps(steps):
        tiles = 2 * steps[first][0] <= TILE
        groups = -(-size // (TILE if tiles else 4 * THREADS))
        rows.append((TILES if tiles else FOURS, groups, [first, last, size]))
    buffers = [gpu.buffer(np.array(steps, np.uint32)), gpu.buffer(codes)]
    gpu.run(rows, buffers)
    ensure(np.array_equal(gpu.read(buffers[1], size), np.sort(codes)), name)
    row = {"what": "sort", "keys": size, "network": name, **gpu.measured(rows, buffers, turns)}
    return {**row, "bytes": len(rows) * 8 * size}


def selected_row(gpu: WebGPU, codes: Any, turns: int) -> Row:
    """Select the lower median of codes; return what it took."""
    size, rank, rows = len(codes), (len(codes) - 1) // 2, list[Dispatch]()
    for shift in (24, 16, 8, 0):
        numbers = [shift, 0 if shift == 24 else 2**32 - 2 ** (shift + 8), size // 4, rank]
        groups = -(-size // 4 // THREADS // LOADS)
        rows += [("count_digits", groups, numbers), ("narrow", 1, numbers)]
    buffers = [gpu.buffer(codes), *map(gpu.buffer, map(bytes, (1024, 56, 16)))]
    gpu.run(rows, buffers)
    ensure(gpu.read(buffers[2], 2)[1] == np.partition(codes, rank)[rank], "the selection")
    row = {"what": "select", "keys": size, **gpu.measured(rows, buffers, turns)}
    return {**row, "bytes": 4 * (4 * size + 2048)}


def drawn_rows(device: Device, every: Sequence[Any], turns: int) -> Iterator[Row]:
    """Draw sorts by each shader; yield what they took."""
    for method, codes, name in product(SHADERS, every, NETWORKS):
        timer, length = drawn(device, codes, name, method), len(codes) // CHANNELS
        passes = compile(network(name, length), *texture_size(length), method).passes
        costs = [price_of_pass(x, GEFORCE_6800_ULTRA, np.dtype(np.float32)) for x in passes]
        row = {"what": "draw", "keys": len(codes), "network": name, "method": method}
        row |= {"commands": len(passes), "ms": 1e3 * median(timer() for _ in range(turns))}
        moved = sum(cost.bytes_read + cost.bytes_written for cost in costs)
        yield {**row, "clock": "host", "bytes": moved, "on": device.label}


if __name__ == "__main__":
    main()
