import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shadersort as ss
from shadersort import Device, errors
from shadersort.keys import outputs
from shadersort.keys.outputs import write_all
from shadersort.keys.types import WIDE, Keys
from shadersort.names import Precision, SortMethod
from shadersort.sorting import shared_sort
from shadersort.sorting.external import pipeline, runs
from shadersort.sorting.external.pipeline import ExternalSort
from shadersort.sorting.external.runs import Spool
from shadersort.sorting.external.schedule import Schedule
from shadersort.sorting.shared_sort import Sharing
from tests.helpers import TYPES, assert_sorted_permutation, bits, random_bits, telling_floats

TINY = Schedule(chunk=16, step=6, fan_in=3)
"""Many runs of few keys, merged in many steps and rounds."""

SCHEDULES = st.builds(Schedule, st.integers(1, 40), st.integers(1, 60), st.integers(2, 5))
ALL_TYPES = [*TYPES, *(dtype.name for dtype in WIDE)]
SHARES = st.sampled_from([0.0, 0.3, 1.0, "auto"])


@st.composite
def inputs(draw: st.DrawFn) -> Keys:
    """Random bits, or few values often, or the floats that are special, of any type."""
    dtype, seed = draw(st.sampled_from(ALL_TYPES)), draw(st.integers(0, 1 << 30))
    keys = random_bits(seed, draw(st.integers(0, 150)), dtype)
    kind = draw(st.sampled_from(["random", "few", "telling", "sorted"]))
    if kind == "few":
        keys = np.random.default_rng(seed).choice(keys[:3], len(keys)) if len(keys) else keys
    elif kind == "telling" and keys.dtype.kind == "f":
        keys = np.random.default_rng(seed).choice(telling_floats(dtype), len(keys))
    elif kind == "sorted":
        keys = np.sort(keys)
    return keys


@given(
    keys=inputs(),
    schedule=SCHEDULES,
    share=SHARES,
    descending=st.booleans(),
    precision=st.sampled_from([None, None, "float16", "float32"]),
)
def test_any_keys_in_any_chunks(
    software: Device,
    keys: Keys,
    schedule: Schedule,
    share: Any,
    descending: bool,
    precision: Precision | None,
) -> None:
    """Also downwards and in another precision, the answer is that of `sort`."""
    before = keys.copy()
    method: SortMethod = "fragment" if keys.itemsize < 8 else "auto"
    options: dict[str, Any] = {"method": method, "device": software, "descending": descending}
    if keys.dtype.kind == "f" and precision:
        options["precision"] = precision
    result = ss.external_sort(keys, share=share, _schedule=schedule, **options)
    expected = ss.sort(keys, **options)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(bits(result), bits(expected))
    np.testing.assert_array_equal(bits(keys), bits(before))


def test_on_every_device(device: Device) -> None:
    keys = random_bits(6, 5000, "float32")
    schedule = Schedule(chunk=1024, step=500, fan_in=3)
    for share in (0.0, 0.4, "auto"):
        result = ss.external_sort(keys, device=device, share=share, _schedule=schedule)
        assert_sorted_permutation(result, keys)


@pytest.mark.parametrize("suffix", [".npy", ".bin"])
@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<u4", ">f2"])
def test_from_file_to_file(software: Device, tmp_path: Path, suffix: str, dtype: str) -> None:
    keys = random_bits(4, 300, np.dtype(dtype).newbyteorder("=").name).astype(dtype)
    src, dst = tmp_path / f"keys{suffix}", tmp_path / f"sorted{suffix}"
    np.save(src, keys) if suffix == ".npy" else keys.tofile(src)
    before = src.read_bytes()
    options: dict[str, Any] = {"device": software, "method": "fragment", "_schedule": TINY}
    ss.external_sort(src, dst, dtype=dtype, **options)
    result = np.load(dst) if suffix == ".npy" else np.fromfile(dst, dtype)
    assert result.dtype == keys.dtype
    native = keys.dtype.newbyteorder("=")
    assert_sorted_permutation(result.astype(native), keys.astype(native))
    assert src.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [src.name, dst.name]


def test_from_a_memory_map_and_into_its_own_file(tmp_path: Path) -> None:
    keys, path = random_bits(4, 300, "float32"), tmp_path / "keys.npy"
    np.save(path, keys)
    result = ss.external_sort(np.load(path, mmap_mode="r"), share=1.0, _schedule=TINY)
    assert_sorted_permutation(result, keys)
    path.chmod(0o640)
    link = tmp_path / "link.npy"
    link.symlink_to(path)
    ss.external_sort(path, link, share=1.0, overwrite=True, _schedule=TINY)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert_sorted_permutation(np.load(path), keys)


def test_a_card_that_blends_halves_gets_halves(tmp_path: Path) -> None:
    src, dst = tmp_path / "keys.bin", tmp_path / "sorted.npy"
    keys = np.random.default_rng(2).standard_normal(500, np.float32).astype(">f4")
    keys.tofile(src)
    with ss.open_device("software", profile="geforce-6800-ultra") as card:
        ss.external_sort(src, dst, dtype=">f4", device=card, share=0.3, _schedule=TINY)
        result = np.load(dst)
        assert result.dtype == np.dtype(">f2")
        np.testing.assert_array_equal(result, ss.sort(keys, device=card))
        whole = ss.external_sort(keys, device=card, method="fragment", _schedule=TINY)
    np.testing.assert_array_equal(whole, np.sort(keys))


STAGES: dict[str, tuple[Any, str]] = {
    "reading": (ExternalSort, "_read"),
    "sorting on the CPU": (shared_sort, "sort_ordinals"),
    "sorting on the device": (Sharing, "_by_device"),
    "writing runs": (Spool, "add"),
    "merging": (pipeline, "merged"),
    "writing the output": (pipeline, "keys_of_sorted"),
    "flushing": (os, "fsync"),
}


@pytest.mark.parametrize("stage", STAGES)
def test_an_interruption_leaves_nothing(
    software: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """At its first call, or at a later one, of what each stage does."""
    src, dst = tmp_path / "keys.npy", tmp_path / "sorted.npy"
    np.save(src, random_bits(4, 300, "float32"))
    dst.write_bytes(b"old")
    before = src.read_bytes()
    owner, name = STAGES[stage]
    once = (0, 2) if stage != "flushing" else (0,)
    for calls, error in itertools.product(once, (KeyboardInterrupt, MemoryError)):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, failing(getattr(owner, name), calls, error))
            with pytest.raises(error):
                ss.external_sort(
                    src, dst, device=software, share=0.5, overwrite=True, _schedule=TINY
                )
        assert (src.read_bytes(), dst.read_bytes()) == (before, b"old")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["keys.npy", "sorted.npy"]


def failing(function: Callable[..., Any], calls: int, error: type[BaseException]) -> Any:
    """The function, but it fails after some calls."""
    counter = itertools.count()

    def call(*arguments: Any, **options: Any) -> Any:
        if next(counter) >= calls:
            raise error
        return function(*arguments, **options)

    return call


@pytest.mark.parametrize("full_after", [0, 2000])
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_after: int) -> None:
    """At the first run, at later ones, and when the output is written."""
    src, dst = tmp_path / "keys.npy", tmp_path / "sorted.npy"
    np.save(src, random_bits(4, 300, "float32"))
    left = full_after

    def write(file: Any, keys: Keys, folder: Path) -> None:
        nonlocal left
        left -= keys.nbytes
        if left >= 0:
            write_all(file, keys, folder)
            return
        with open("/dev/full", "wb", buffering=0) as full:  # noqa: PTH123
            write_all(full, keys, folder)

    monkeypatch.setattr(outputs, "write_all", write)
    monkeypatch.setattr(runs, "write_all", write)
    with pytest.raises(errors.DiskFull, match=r"no room is left in .*temporary_folder="):
        ss.external_sort(src, dst, share=1.0, _schedule=TINY)
    assert [path.name for path in tmp_path.iterdir()] == ["keys.npy"]


def test_nothing_of_a_refused_sort_is_written(software: Device, tmp_path: Path) -> None:
    dst, keys = tmp_path / "sorted.npy", np.zeros(9, np.int32)
    refusals: list[tuple[type[Exception], dict[str, Any]]] = [
        (errors.UnsupportedKeys, {"device": software}),
        (errors.UnknownName, {"network": "bubble"}),
        (errors.UnknownName, {"method": "magic", "share": 1.0}),
        (errors.UnknownName, {"device": "vulkan"}),
        (errors.BadOption, {"memory": "much", "share": 1.0}),
        (errors.BadOption, {"memory": 1 << 20, "share": 1.0}),
        (errors.BadOption, {"share": 1.5}),
        (errors.BadOption, {"share": "half"}),
        (FileNotFoundError, {"share": 1.0, "temporary_folder": tmp_path / "missing"}),
    ]
    for error, options in refusals:
        with pytest.raises(error):
            ss.external_sort(keys, dst, **options)
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError, match=r"no such folder: '.*/missing'"):
        ss.external_sort(keys, tmp_path / "missing" / "sorted.npy", share=1.0)


def test_spools_have_no_name(tmp_path: Path) -> None:
    with Spool(tmp_path, np.dtype(np.int32)) as spool:
        spool.add(np.arange(5, dtype=np.int32))
        assert spool.add(np.arange(5, 9, dtype=np.int32)) == 5
        assert spool.read(3, 7).tolist() == [3, 4, 5, 6]
        assert list(tmp_path.iterdir()) == []


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    keys = np.arange(100, dtype=np.uint32)
    ss.external_sort(keys, share=1.0, progress=True, _schedule=TINY)
    shown = capsys.readouterr().err
    for title in ("sorted", "merged into longer runs", "merged"):
        assert any(line.startswith(title) and "400/400" in line for line in shown.splitlines())


MEMORY = """
import re, sys
from pathlib import Path
import numpy as np, shadersort as ss

def resident(field):
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\\s+(\\d+) kB", status)[1]) << 10

src, dst, kind, share, method, dtype = sys.argv[1:]
share = share if share == "auto" else float(share)
options = dict(method=method, network="bitonic")
with ss.open_device(kind) as device:
    ss.sort(np.zeros(1 << 12, dtype), device=device, **options)
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    ss.external_sort(src, dst, memory="32MiB", device=device, share=share, **options)
    print(resident("VmHWM") - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "share", "method", "dtype", "mebibytes"),
    [
        ("software", "1.0", "blend", "float32", 36),
        ("software", "0.0", "fragment", "float16", 1.5),
        ("egl", "0.0", "fragment", "float32", 12),
        ("egl", "auto", "blend", "float32", 36),
        ("egl", "0.0", "fragment", "float64", 8),
        ("software", "1.0", "auto", "float64", 40),
    ],
)
def test_memory_stays_under_the_budget(
    tmp_path: Path, kind: str, share: str, method: str, dtype: str, mebibytes: float
) -> None:
    """More bytes than the lowest budget; on a slow device, more than a chunk, which is 1 MiB."""
    count = int(mebibytes * (1 << 20)) // np.dtype(dtype).itemsize
    src, dst = tmp_path / "keys.npy", tmp_path / "sorted.npy"
    np.save(src, np.random.default_rng(1).standard_normal(count, np.float32).astype(dtype))
    command = [sys.executable, "-c", MEMORY, str(src), str(dst), kind, share, method, dtype]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 1 << 20 < int(done.stdout) < 32 << 20
    keys, found = np.load(src), np.load(dst)
    assert np.all(found[:-1] <= found[1:])
    np.testing.assert_array_equal(np.sort(bits(found)), np.sort(bits(keys)))
