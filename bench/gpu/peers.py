"""Our selection on one GPU beside the peers of today, in one run.

    python -m bench.gpu.peers --cub libcub_flat.so --output bench/records/peers-….json

The middle key of uniform keys, the 100 largest, and a sort of all, by ours and by the functions of
CuPy, PyTorch, CUB, FlashInfer and RAFT. A peer that is missing, or does not take such keys, has a
row that says why; all but CuPy need PyTorch. CUB, built as cub/flat.cu says, has no order.
"""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any, NamedTuple

import modern
from bench.gpu.cub import CUB
from bench.gpu.topk_rows import by_flashinfer
from bench.gpu.turns import Call, in_turns
from bench.shared.benchmark import benchmark
from bench.shared.data import Data
from bench.shared.machines import Machine
from bench.shared.options import COUNT, PATH, Options, option, repeated
from bench.shared.record import Row

SIZES, TYPES, FIRST = (1 << 20, 1 << 24, 1 << 28), ("float32", "float64"), 100
ROW = 1 << 20
"""The longest row that FlashInfer gets: its version 0.6.18 did not return from one of 2^24 keys."""

READ = "read"
MIDDLE, TOP, SORT = "select n/2", f"topk {FIRST}", "sort"


class Peer(NamedTuple):
    """A function that answers a question, and the package that it is from."""

    what: str
    method: str
    package: str
    call: Call

    @property
    def label(self) -> str:
        """The function, and the version of its package."""
        if self.package.startswith(("ours", "CCCL")):
            return f"{self.method}, {self.package}"
        return f"{self.method}, {self.package} {import_module(self.package).__version__}"


@benchmark("peers", __doc__, repeats=5, turns=3)
@repeated("--n", type=COUNT, help="number of keys (default: 2^20, 2^24 and 2^28)")
@repeated("--dtype", help=f"default: {', '.join(TYPES)}")
@option("--cub", type=PATH, help="a library that is built of bench/gpu/cub/flat.cu")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every function that answers each question."""
    for n, dtype in product(options.n or SIZES, options.dtype or TYPES):
        data = Data(machine.xp, "uniform", dtype, n)
        head = {"dtype": dtype, "distribution": "uniform", "n": n}
        right: dict[Peer, Call] = {}
        for peer in peers(machine.xp, data, options):
            row = {**head, "what": peer.what, "method": peer.method}
            try:
                check(machine.xp, data, peer, peer.call())
                right[peer] = peer.call
            except (ImportError, OSError, RuntimeError, TypeError) as error:
                yield {**row, "label": peer.method, "ms": None, "why": f"{error}"[:200]}
        for peer, ms in in_turns(machine, right, options).items():
            yield {**head, "what": peer.what, "method": peer.method, "label": peer.label, "ms": ms}


def peers(xp: Any, data: Data, options: Options) -> Iterator[Peer]:
    """Yield a read of the keys, ours, and the peers."""
    keys, n, k = data.keys, data.n, data.n // 2
    yield Peer(READ, "cupy.max", "cupy", partial(xp.max, keys))
    for method in ("auto", "one-read", "bucket", "radix"):
        select: Any = partial(modern.select, keys, k, method=method)
        yield Peer(MIDDLE, method, "ours", select)
    yield Peer(TOP, "modern.topk", "ours", lambda: modern.topk(keys, FIRST).values)
    yield Peer(SORT, "modern.sort", "ours", partial(modern.sort, keys))
    yield Peer(MIDDLE, "cupy.partition", "cupy", lambda: xp.partition(keys, k)[k])
    yield Peer(SORT, "cupy.sort", "cupy", partial(xp.sort, keys))
    if find_spec("torch") is None:
        return
    torch: Any = import_module("torch")
    tensor, cub = torch.as_tensor(keys), CUB(options.cub)
    kth = partial(torch.kthvalue, tensor, k + 1)
    yield Peer(MIDDLE, "torch.kthvalue", "torch", lambda: kth().values)
    yield Peer(TOP, "torch.topk", "torch", lambda: torch.topk(tensor, FIRST).values)
    yield Peer(SORT, "torch.sort", "torch", lambda: torch.sort(tensor).values)
    if data.keys.dtype == "float32":
        yield Peer(MIDDLE, "cub.DeviceTopK", cub.name, lambda: cub.flat(tensor, n - k).min())
        yield Peer(TOP, "cub.DeviceTopK", cub.name, partial(cub.flat, tensor, FIRST))
        yield Peer(SORT, "cub.DeviceRadixSort", cub.name, partial(cub.flat, tensor, 0))
        row = tensor.reshape(1, -1)
        if n <= ROW:
            yield Peer(TOP, "flashinfer.top_k", "flashinfer", lambda: by_flashinfer(row, FIRST)[0])
        yield Peer(TOP, "raft.select_k", "pylibraft", partial(by_raft, keys))


def by_raft(keys: Any) -> Any:
    """Return the first keys by RAFT."""
    select_k = import_module("pylibraft.matrix").select_k
    return select_k(keys.reshape(1, -1), k=FIRST, select_min=False)[0].copy_to_host().reshape(-1)


def check(xp: Any, data: Data, peer: Peer, found: Any) -> None:
    """Raise AssertionError if an answer is wrong; first keys may come in any order."""
    found = xp.asarray(found).reshape(-1) if peer.what == TOP else xp.asarray(found)
    ranks = {READ: data.n - 1, MIDDLE: data.n // 2}.get(peer.what)
    if ranks is None:
        found = xp.sort(found)
        ranks = xp.arange(data.n - found.size, data.n)
    data.check(found, ranks, f"{peer.what} by {peer.method} of {data.n:,} keys")


if __name__ == "__main__":
    main()
