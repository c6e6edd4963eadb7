"""The first page of the site: two GPUs sort a reader's keys, one by drawing, one by computing."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.drawing.networks import network
from shadersort.drawing.passes import CHANNELS
from shadersort.names import NetworkName
from shadersort.web.export import encode_array, look, pack_json, script_text
from shadersort.web.page import NO_LINKS, page
from shadersort.web.sort_page import FEW_TEXELS, SCRIPTS, USUAL, page_data

TITLE = "Two GPUs, your keys"

LEDE = (
    "The same keys are sorted twice, in this browser. On the left as a graphics card of 2005 did "
    "it, which could only draw: each pass draws quads that keep the smaller or the larger of two "
    "keys. On the right as a GPU of today does it, which computes. Both run the same network."
)

NETWORKS: tuple[NetworkName, ...] = ("pbsn", "bitonic")
"""Those whose steps leave no wire idle, which the kernels need."""

TILE = 2048  # keys that a workgroup sorts in its memory, as in the kernels

MOST_TEXELS = 1 << 18  # of a page with films beside it: 2**20 keys

KEYS = (38, 7, 91, 24, 55, 3, 76, 12, 60, 45, 88, 19, 2, 67, 31, 80)  # sorted first
MANY = (1 << 20, 1 << 24)  # keys of the recorded rows

TWO_SCRIPTS = (
    *(*SCRIPTS, "gpu/compute.js", "computed/codes.js", "computed/key_compute.js"),
    *("computed/computed_film.js", "computed/two_page.js"),
)


def network_steps(name: NetworkName, wires: int) -> list[tuple[int, int]]:
    """Return a network as data for kernels: (half, mask) of each step.

    Wire i, whose bit of `half` is 0, is compared with wire i XOR `mask`.
    """
    steps = network(name, wires).steps
    if any(step.inside or step.skips for step in steps):
        raise ValueError(f"{name} has steps with idle wires, which the kernels do not run")
    return [(step.half, step.mask) for step in steps]


def recorded_run() -> dict[str, Any]:
    """Return a run of `KEYS` for browsers without WebGPU, and the fastest runs of more keys.

    A page left its states; the rest is of the record of `bench.gpu.browser`.
    """
    run: dict[str, Any] = json.loads(script_text("computed/recorded.json"))
    packaged, source = files("shadersort") / "records", Path(__file__).parents[2] / "bench/records"
    file = (packaged if packaged.is_dir() else source) / "browser-nvidia-h200.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    rows = sorted(record["rows"], key=itemgetter("ms"), reverse=True)
    fastest = {(row["keys"], row["what"]): row for row in rows}  # the last of each
    for row in rows:
        if row["keys"] == len(KEYS) and row.get("network", run["network"]) == run["network"]:
            run[row["what"]]["ms"] = row["ms"]
    return run | {
        "name": f"{record['device']['renderer']}, {record['date'][:10]}",
        "copies": record["rows"][0]["bytes_per_ms"],
        "rows": [fastest[cell] for cell in product(MANY, ("draw", "sort", "select"))],
    }


def dispatched_steps(steps: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the first step of each dispatch, and the one after its last.

    A dispatch runs neighbouring steps whose blocks fit into a tile, as many as there are, or two
    steps with larger blocks, of which each is half as large as the one before.
    """
    ranges: list[tuple[int, int]] = []
    for tiles, group in groupby(range(len(steps)), lambda i: 2 * steps[i][0] <= TILE):
        places = list(group)
        most = len(places) if tiles else 2
        ranges += [(i, min(i + most, places[-1] + 1)) for i in places[::most]]
    return ranges


def two_page(folder: str | None = None, *, links: Mapping[str, str] = NO_LINKS) -> str:
    """Return the page that draws and computes a sort of a reader's keys, as HTML.

    It takes what `sort_page` does. With a `folder` of films of up to 2**18 texels, it sorts up to
    1,048,576 keys; without one 4,096.
    """
    most = CHANNELS * (MOST_TEXELS if folder else FEW_TEXELS)
    usual = {**USUAL, "kind": "own", "keys": encode_array(np.array(KEYS, np.float32))}
    limits = {"name": "page", "most": most, "more": "ss.sort sorts more."}
    data = page_data(usual, limits, folder, links)
    networks, powers = data["names"]["networks"], range(most.bit_length())
    steps = {name: [network_steps(name, 1 << power) for power in powers] for name in NETWORKS}
    ranges = {name: [dispatched_steps(each) for each in some] for name, some in steps.items()}
    data |= {
        "look": look(),
        "names": data["names"] | {"networks": {name: networks[name] for name in NETWORKS}},
        "steps": pack_json({"steps": steps, "ranges": ranges}),
        "wgsl": {name: script_text(f"computed/{name}.wgsl") for name in ("sort", "select")},
        "recorded": recorded_run(),
    }
    return page(TITLE, TWO_SCRIPTS, data, "TwoPage", lede=LEDE, links=links)
