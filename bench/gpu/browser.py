"""The first page's kernels on this machine's GPU, beside the sort that draws, in one run.

    python -m bench.gpu.browser --output bench/records/browser-….json

The kernels are the page's, in WGSL: `wgpu` runs them by Vulkan, in the dispatches of a browser. The
same keys are drawn by OpenGL. Each answer is checked before it is timed. Timestamps of the GPU time
the kernels, the host's clock the drawn passes. `share` is that of the bandwidth of a copy.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from typing import Any

import numpy as np

from bench.drawing.ladder import check, drawn
from bench.shared.benchmark import benchmark
from bench.shared.options import COUNT, Options, device_option, repeated
from bench.shared.record import Row
from shadersort import compile, network, open_device
from shadersort.drawing.cost.estimate import price_of_pass
from shadersort.drawing.cost.profiles import GEFORCE_6800_ULTRA
from shadersort.drawing.passes import CHANNELS, texture_size
from shadersort.web.export import script_text
from shadersort.web.films import METHODS
from shadersort.web.two_page import NETWORKS, network_steps

TILE, THREADS, LOADS = 2048, 256, 16  # as in the kernels
MOST_GROUPS = 32768  # in a row of workgroups
SLOT = 256  # bytes between the numbers of two dispatches
REPEATS = 5  # inside one measurement

Dispatch = tuple[str, int, Sequence[int]]
"""A kernel, its workgroups, and the numbers that it is given."""

ACCESS = {
    "sort": ("uniform", "read-only-storage", "storage"),
    "select": ("uniform", "read-only-storage", "storage", "storage", "storage"),
}
KERNELS = {"sort": ("sort_tiles", "sort_fours"), "select": ("count_digits", "narrow", "copy_codes")}
SHADERS = METHODS[:0:-1]  # the fastest one first; "blend" is no shader, and takes floats only
RECORDED = "computed/recorded.json"
SELECTED, COPIED = 1 << 26, 1 << 28  # most keys of a selection, and bytes of a copy


class WebGPU:
    """Runs the page's kernels: the twin of `compute.js`."""

    def __init__(self) -> None:
        import wgpu

        self.usage = wgpu.BufferUsage
        found = wgpu.gpu.enumerate_adapters_sync()
        adapter = next(each for each in found if each.info["backend_type"] == "Vulkan")
        limits = ("max-buffer-size", "max-storage-buffer-binding-size")
        self.info = {**adapter.info, "wgpu": wgpu.__version__}
        self.device = adapter.request_device_sync(
            required_features=["timestamp-query"],
            required_limits={name: adapter.limits[name] for name in limits},
        )
        self.kernels: dict[str, tuple[Any, Any]] = {}
        for (file, names), access in zip(KERNELS.items(), ACCESS.values(), strict=True):
            types = [{"type": each, "has_dynamic_offset": each == "uniform"} for each in access]
            entries: Any = [
                {"binding": i, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": each}
                for i, each in enumerate(types)
            ]
            layout = self.device.create_bind_group_layout(entries=entries)
            module = self.device.create_shader_module(code=script_text(f"computed/{file}.wgsl"))
            whole = self.device.create_pipeline_layout(bind_group_layouts=[layout])
            for name in names:
                stage: Any = {"module": module, "entry_point": name}
                pipeline = self.device.create_compute_pipeline(layout=whole, compute=stage)
                self.kernels[name] = layout, pipeline

    def described(self) -> Row:
        """Return the description of the GPU in a record."""
        return {"kind": "webgpu", "renderer": self.info["device"], **self.info}

    def buffer(self, content: Any, usage: int = 0) -> Any:
        """Return a buffer with words, or of a number of bytes."""
        usage = usage or self.usage.STORAGE | self.usage.COPY_SRC | self.usage.COPY_DST
        if isinstance(content, int):
            return self.device.create_buffer(size=content, usage=usage)
        return self.device.create_buffer_with_data(data=content, usage=usage)

    def read(self, buffer: Any, count: int, dtype: Any = np.uint32) -> Any:
        """Return numbers of a buffer, when all work is done."""
        size = count * np.dtype(dtype).itemsize
        return np.frombuffer(self.device.queue.read_buffer(buffer, 0, size), dtype)

    def run(self, rows: Sequence[Dispatch], buffers: Sequence[Any], repeats: int = 1) -> float:
        """Run dispatches some times; return the milliseconds of one time."""
        numbers = b"".join(struct.pack(f"{len(n)}I", *n).ljust(SLOT, b"\0") for _, _, n in rows)
        uniform = self.buffer(numbers, self.usage.UNIFORM)
        sizes = [(uniform, 16), *((each, each.size) for each in buffers)]
        entries: Any = [
            {"binding": i, "resource": {"buffer": buffer, "offset": 0, "size": size}}
            for i, (buffer, size) in enumerate(sizes)
        ]
        group = self.device.create_bind_group(layout=self.kernels[rows[0][0]][0], entries=entries)
        queries = self.device.create_query_set(type="timestamp", count=2)
        encoder = self.device.create_command_encoder()
        stamps: Any = {"query_set": queries}
        stamps |= {"beginning_of_pass_write_index": 0, "end_of_pass_write_index": 1}
        compute_pass = encoder.begin_compute_pass(timestamp_writes=stamps)
        for i, (name, groups, _) in [*enumerate(rows)] * repeats:
            compute_pass.set_pipeline(self.kernels[name][1])
            compute_pass.set_bind_group(0, group, [i * SLOT])
            compute_pass.dispatch_workgroups(min(groups, MOST_GROUPS), -(-groups // MOST_GROUPS))
        compute_pass.end()
        times = self.buffer(16, self.usage.QUERY_RESOLVE | self.usage.COPY_SRC)
        encoder.resolve_query_set(queries, 0, 2, times, 0)
        self.device.queue.submit([encoder.finish()])
        began, ended = self.read(times, 2, np.uint64).tolist()
        return float(ended - began) / 1e6 / repeats

    def measured(self, rows: Sequence[Dispatch], buffers: Sequence[Any], turns: int) -> Row:
        """Return how many dispatches there are, and their time: a median."""
        times = [self.run(rows, buffers, REPEATS) for _ in range(turns)]
        return {"commands": len(rows), "ms": float(np.median(times)), "clock": "GPU"}


def on_gpu(_: Options) -> AbstractContextManager[WebGPU]:
    """Open the GPU by WebGPU."""
    return nullcontext(WebGPU())


@benchmark("browser", __doc__, on=on_gpu, turns=7)
@device_option
@repeated("--keys", type=COUNT, help="default: 2^20, 2^24")
def main(gpu: WebGPU, options: Options) -> Iterator[Row]:
    """Measure a copy, sorts and selections, and the drawn sorts."""
    rows: list[Dispatch] = [("copy_codes", COPIED // 16 // THREADS, [0, 0, COPIED // 16, 0])]
    buffers = [gpu.buffer(size) for size in (COPIED, 1024, 56, COPIED)]
    copy = {"what": "copy", "keys": COPIED // 4, **gpu.measured(rows, buffers, options.turns)}
    copies = 2 * COPIED / copy["ms"]
    yield {**copy, "bytes": 2 * COPIED, "bytes_per_ms": copies}
    few = np.array(json.loads(script_text(RECORDED))["states"][0], np.uint32)
    sizes = options.keys or (1 << 20, 1 << 24)
    random = np.random.default_rng(0)
    many = [random.integers(0, 2**32, size, np.uint32) for size in sizes]
    largest = random.integers(0, 2**32, SELECTED, np.uint32)
    for codes in (few, *many):
        for row in sorted_rows(gpu, codes, options.turns):
            yield {**row, "share": row["bytes"] / row["ms"] / copies}
    for codes in (few, *many, largest):
        row = selected_row(gpu, codes, options.turns)
        yield {**row, "share": row["bytes"] / row["ms"] / copies}
    with open_device(options.device) as device:
        for method, codes, name in product(SHADERS, many, NETWORKS):
            timer, length = drawn(device, codes, name, method), len(codes) // CHANNELS
            ms = 1e3 * float(np.median([timer() for _ in range(options.turns)]))
            passes = compile(network(name, length), *texture_size(length), method).passes
            costs = [price_of_pass(x, GEFORCE_6800_ULTRA, np.dtype(np.float32)) for x in passes]
            head = {"what": "draw", "keys": len(codes), "network": name, "method": method}
            moved = sum(cost.bytes_read + cost.bytes_written for cost in costs)
            row = {"commands": len(passes), "ms": ms, "clock": "host", "bytes": moved}
            yield {**head, **row, "on": device.label, "share": moved / ms / copies}


def sorted_rows(gpu: WebGPU, codes: Any, turns: int) -> Iterator[Row]:
    """Sort codes by each network; yield what it took."""
    for name in NETWORKS:
        steps, size = network_steps(name, len(codes)), len(codes)
        rows = dispatches(steps, size)
        buffers = [gpu.buffer(np.array(steps, np.uint32)), gpu.buffer(codes)]
        gpu.run(rows, buffers)
        check(gpu.read(buffers[1], size), np.sort(codes), name)
        row = {"what": "sort", "keys": size, "network": name, **gpu.measured(rows, buffers, turns)}
        yield {**row, "bytes": len(rows) * 8 * size}


def selected_row(gpu: WebGPU, codes: Any, turns: int) -> Row:
    """Select the lower median of codes; return what it took."""
    size, rank = len(codes), (len(codes) - 1) // 2
    rows: list[Dispatch] = []
    for shift in (24, 16, 8, 0):
        numbers = [shift, 0 if shift == 24 else 2**32 - 2 ** (shift + 8), size // 4, rank]
        groups = -(-size // 4 // THREADS // LOADS)
        rows += [("count_digits", groups, numbers), ("narrow", 1, numbers)]
    words = [codes, np.zeros(256, np.uint32), np.zeros(14, np.uint32), np.zeros(4, np.uint32)]
    buffers = [gpu.buffer(each) for each in words]
    gpu.run(rows, buffers)
    check(gpu.read(buffers[2], 2)[1:], np.partition(codes, rank)[[rank]], "the selection")
    row = {"what": "select", "keys": size, **gpu.measured(rows, buffers, turns)}
    return {**row, "bytes": 4 * (4 * size + 2048)}


def dispatches(steps: Iterable[tuple[int, int]], wires: int) -> list[Dispatch]:
    """Return the dispatches of a network's steps, as `Compute.dispatches` does in the page."""
    rows: list[tuple[str, int, list[int]]] = []
    half_before = 0
    for i, (half, _) in enumerate(steps):
        tiles = 2 * half <= TILE
        kernel = KERNELS["sort"][not tiles]
        if rows and rows[-1][0] == kernel:
            first, end, _ = rows[-1][2]
            if tiles or (end - first == 1 and 2 * half == half_before):
                rows[-1][2][1], half_before = i + 1, half
                continue
        rows.append((kernel, -(-wires // (TILE if tiles else 4 * THREADS)), [i, i + 1, wires]))
        half_before = half
    return [*rows]


if __name__ == "__main__":
    main()
