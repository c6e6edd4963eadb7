"""Records of measurements: what ran, on what, when, and what came out.

Benchmarks write records to `bench/records/`; the report and the tables of the pages are computed
from them. A record is never edited by hand. Its command ran at the commit that it names.
"""

import importlib.metadata
import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

import click

from shadersort import Device
from shadersort.sorting.threads import cores

Row = dict[str, Any]
"""One measurement: its fields bear their units in their names."""

RECORDS = Path(__file__).parents[1] / "records"

OF_THE_REPORT, HERE = "-nvidia-h200", "-here"
"""How the names of records end: of those in the repository, and of this machine's."""

CHANGED = "-dirty"
"""How the commit of a record ends if code was changed since."""

EVERY = 1.0
"""Seconds between two writes of a record that grows."""

PACKAGES = (
    *("shadersort", "numpy", "moderngl", "scikit-learn", "datasketches", "ddsketch"),
    *("cupy", "cupy-cuda12x", "cupy-cuda13x", "torch", "flashinfer-python", "pylibraft-cu13"),
)


def begun(benchmark: str, device: Any = None, output: Path | None = None) -> dict[str, Any]:
    """Return a record without rows, which is to be written to `output`.

    It says what the benchmark runs on: a device, a machine, a description, or None for NumPy.
    Raises a command's error if code was changed since the commit; a record of a reader's own
    machine, named `…-here`, says that in its commit instead.
    """
    commit = os.environ.get("SHADERSORT_COMMIT") or commit_of(RECORDS)
    own = output is None or output.stem.endswith(HERE)
    if not own and str(commit).endswith(CHANGED):
        raise click.ClickException("commit the code first: a record names the commit that ran")
    return {
        "benchmark": benchmark,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["python", "-m", *_module_and_arguments()]),
        "commit": commit,
        "device": described(device),
        "host": {"cpu": _cpu(), "cores": cores(), "system": platform.system()},
        "versions": {"python": platform.python_version(), **_versions()},
        "rows": [],
    }


def described(device: Any) -> dict[str, Any]:
    """Describe a device or a machine as records do; None is NumPy alone."""
    if device is None:
        return {"kind": "numpy"}
    if isinstance(device, Mapping):
        return dict(device)
    if not isinstance(device, Device):
        return dict(device.described())
    return {
        "kind": device.kind,
        "renderer": device.renderer,
        "opengl": device.version,
        "hardware": device.hardware,
        "max_texture_size": device.max_texture_size,
    }


def tell(record: dict[str, Any], rows: Iterable[Row], path: Path | None = None) -> None:
    """Print a record, and each row as it is measured; the record has it then.

    The file at `path` has it when the rows end, for whatever reason, and about a second later at
    most: to write a long record after every row would take longer than to measure the rows.
    """
    device, written = record["device"], -EVERY
    print(device.get("renderer") or f"NumPy on {record['host']['cpu']}", device.get("driver", ""))
    print(", ".join(f"{name} {version}" for name, version in record["versions"].items()))
    try:
        for row in rows:
            record["rows"].append(row)
            if path and monotonic() - written >= EVERY:
                write(path, record)
                written = monotonic()
            print(told(row))
    finally:
        if path and record["rows"]:
            write(path, record)


def told(row: Row) -> str:
    """Return a row as a line."""
    words = []
    for name, value in row.items():
        if isinstance(value, float):
            words.append(f"{name} {value:.4g}")
        elif value is not None and value != "":
            words.append(f"{name} {value:,}" if isinstance(value, int) else f"{value}")
    return "  ".join(words)


def write(path: Path, record: dict[str, Any]) -> None:
    """Write a record as JSON, one row of measurements a line."""
    rows = ",\n".join("    " + json.dumps(row) for row in record["rows"])
    head = json.dumps({**record, "rows": []}, indent=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    growing = path.with_suffix(".part")
    text = head.replace('"rows": []', f'"rows": [\n{rows}\n  ]') + "\n"
    growing.write_text(text, encoding="utf-8")
    growing.replace(path)  # an interruption leaves a whole record


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read."""

    device: str
    date: str  # the day, as 2026-11-21
    rows: tuple[Row, ...]
    described: Mapping[str, Any] = field(default_factory=dict)  # the device, as in the file
    host: Mapping[str, Any] = field(default_factory=dict)  # the processor that ran the rest
    versions: Mapping[str, str] = field(default_factory=dict)
    command: str = ""  # what made the record
    commit: str = ""  # of the code that ran

    @property
    def label(self) -> str:
        """On what and when it was made."""
        return f"{self.device}, {self.date}"

    def where(self, **of: Any) -> list[Row]:
        """Return the rows that have these values."""
        return [row for row in self.rows if of.items() <= row.items()]


def load(name: str, folder: Path = RECORDS) -> Record:
    """Read the record of this name."""
    content = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    device = content["device"].get("renderer", "").split("/")[0].split(" (")[0]
    if not device:
        device = f"NumPy on {content['host']['cpu']}, {content['host']['cores']} cores"
    more = {name: content.get(name, {}) for name in ("host", "versions")}
    more |= {name: content.get(name) or "" for name in ("command", "commit")}
    return Record(device, content["date"][:10], tuple(content["rows"]), content["device"], **more)


class Library:
    """The records of a folder, by name; `here` puts this machine's in the place of others.

    So `curves-here` takes the place of `curves-nvidia-h200`, if there is such a record.
    """

    def __init__(self, folder: Path = RECORDS, *, here: bool = False) -> None:
        self.folder = folder
        paths = folder.glob(f"*{HERE}.json") if here else ()
        self.replaced = {
            path.stem.removesuffix(HERE) + OF_THE_REPORT: path.stem for path in sorted(paths)
        }

    def __contains__(self, name: str) -> bool:
        """Return whether there is a record of this name, or another in its place."""
        return name in self.replaced or (self.folder / f"{name}.json").exists()

    def __getitem__(self, name: str) -> Record:
        """Return a record, or the one in its place."""
        return load(self.replaced.get(name, name), self.folder)


def _module_and_arguments() -> list[str]:
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    name = spec.name.removesuffix(".__main__") if spec else Path(sys.argv[0]).name
    return [name, *sys.argv[1:]]


def _versions() -> dict[str, str]:
    """Return the versions of the packages that are here; a tree that is not installed says so."""
    installed = {each.name.lower(): each.version for each in importlib.metadata.distributions()}
    found = {name: installed[name] for name in PACKAGES if name in installed}
    return {"shadersort": "source tree"} | found


def commit_of(folder: Path) -> str | None:
    """Return the commit measured, marked if code was changed since; None outside a repository.

    Records are no code: one benchmark after the other writes them.
    """
    if not (commit := _git(folder, "rev-parse", "HEAD")):
        return None
    others = "--", ":(top)", ":(top,exclude)bench/records"
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no", *others)
    return f"{commit}{CHANGED}" if changed else commit


def _git(folder: Path, *words: str) -> str:
    """Return what git says, or nothing if it fails."""
    command = ["git", "-C", str(folder), *words]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else ""


def _cpu() -> str:
    """Return the processor's name, as Linux tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
