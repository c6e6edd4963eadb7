"""External sorting: a file that is larger than its budget of memory, beside its own chunk sorts.

    python -m bench.external --keys 28 --share 1.0 --output bench/records/external-….json

The chunk sorts are np.sort on pieces of the file that are already in memory, one after the other,
in one thread; each piece is as large as a chunk of `external_sort`. Before the time is reported,
the output is checked: its keys ascend, and their bits have the sum and the exclusive or of the
input. Peak memory is the memory beyond what the process held once the device was open (Linux only).
"""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from bench.shared.options import PATH, Options, command, device_option, option, output_option
from bench.shared.record import Row, begun, tell
from shadersort import Device, external_sort, open_device, sort
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.texture_size import largest_texture
from shadersort.keys.types import Keys
from shadersort.sorting.external.schedule import parsed_size, scheduled

PIECE = 1 << 22
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@command(__doc__)
@device_option()
@option("--keys", type=int, default=26, metavar="P", help="sort 2**P float32 keys")
@option("--memory", default="256MiB", help="the budget")
@option("--share", default="1.0", help="of chunks that np.sort sorts: auto, or 0.0 to 1.0")
@option("--network", default="bitonic")
@option("--method", default="auto")
@option("--folder", type=PATH, help="folder of the files")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with ExitStack() as stack:
        device = stack.enter_context(open_device(options.device))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        rows = [measure(device, folder, options)]
        tell(begun("external", device), rows, options.output)


def measure(device: Device, folder: Path, options: Options) -> Row:
    """Return the time and the memory of a sort, and check its answer."""
    src, dst, count = folder / "keys.npy", folder / "sorted.npy", 1 << options.keys
    share = options.share if options.share == "auto" else float(options.share)
    _fill(src, count)
    sort(np.zeros(1 << 12, np.float32), device=device)  # allocates the device's own buffers
    before = _resident("VmRSS")
    if CLEAR.exists():
        CLEAR.write_text("5")  # VmHWM begins anew
    started = time.perf_counter()
    ways = {name: vars(options)[name] for name in ("memory", "network", "method")}
    external_sort(src, dst, device=device, share=share, **ways)
    seconds = time.perf_counter() - started
    peak = _resident("VmHWM") - before
    _check(src, dst)
    most = None if share == 1.0 else CHANNELS * largest_texture(device.max_texture_size)
    chunk = scheduled(options.memory, 4, most).chunk
    sorts = _chunk_sorts(src, chunk)
    return {
        "keys": count,
        "share": share,
        "network": options.network,
        "method": options.method,
        "memory_bytes": parsed_size(options.memory),
        "peak_bytes": peak,
        "chunk_keys": chunk,
        "seconds": seconds,
        "numpy_chunk_sorts_seconds": sorts,
        "over_chunk_sorts": seconds / sorts,
    }


def _fill(path: Path, count: int) -> None:
    """Write random keys, of both signs."""
    keys = np.lib.format.open_memmap(path, "w+", np.float32, (count,))
    random = np.random.default_rng(2005)
    for first in range(0, count, PIECE):
        piece = keys[first : first + PIECE]
        piece[:] = random.standard_normal(len(piece), np.float32)
    keys.flush()


def _check(src: Path, dst: Path) -> None:
    """Assert that the output ascends and has the bits of the input."""
    before, after = (np.load(path, mmap_mode="r") for path in (src, dst))
    assert len(before) == len(after)
    assert _digest(before) == _digest(after)
    for first in range(0, len(after), PIECE):
        piece = after[max(0, first - 1) : first + PIECE]
        assert bool(np.all(piece[:-1] <= piece[1:]))


def _digest(keys: Keys) -> tuple[int, int, int]:
    """Return the sum, the sum of squares and the exclusive or of the bits, in any order."""
    total, squares, bits = 0, 0, 0
    for first in range(0, len(keys), PIECE):
        numbers = keys[first : first + PIECE].view(np.uint32).astype(np.uint64)
        total += int(numbers.sum())
        squares += int((numbers * numbers).sum())  # wraps around
        bits ^= int(np.bitwise_xor.reduce(numbers))
    return total, squares % (1 << 64), bits


def _chunk_sorts(path: Path, chunk: int) -> float:
    """Return the seconds that np.sort takes for all chunks, one after the other."""
    keys, seconds = np.load(path, mmap_mode="r"), 0.0
    for first in range(0, len(keys), chunk):
        piece = np.array(keys[first : first + chunk])
        started = time.perf_counter()
        piece.sort()
        seconds += time.perf_counter() - started
    return seconds


def _resident(field: str) -> int:
    """Return a figure of this process's memory in bytes, or 0 if the system does not tell."""
    lines = STATUS.read_text(encoding="utf-8").splitlines() if STATUS.exists() else []
    found = [int(line.split()[1]) << 10 for line in lines if line.startswith(f"{field}:")]
    return found[0] if found else 0


if __name__ == "__main__":
    main()
