"""Records of measurements: what ran, on what, when, and what came out. Never edited by hand."""

import importlib.metadata
import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shadersort import Device

__all__ = ["described", "environment", "recorded", "write"]

PACKAGES = (
    "shadersort",
    "numpy",
    "moderngl",
    "datasketches",
    "cupy",
    "cupy-cuda12x",
    "cupy-cuda13x",
    "torch",
)


def environment(device: Device | Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Describe what a measurement ran on: a device, one described already, or NumPy alone."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["python", "-m", *_module_and_arguments()]),
        "commit": os.environ.get("SHADERSORT_COMMIT") or _commit(),
        "device": described(device),
        "host": {"cpu": _cpu(), "cores": os.cpu_count(), "system": platform.system()},
        "versions": {
            "python": platform.python_version(),
            **_versions(),
        },
    }


def described(device: Device | Mapping[str, Any] | None) -> dict[str, Any]:
    """Describe a device as records do; None is NumPy alone."""
    if device is None:
        return {"kind": "numpy"}
    if isinstance(device, Mapping):
        return dict(device)
    return {
        "kind": device.kind,
        "renderer": device.renderer,
        "opengl": device.version,
        "hardware": device.hardware,
        "max_texture_size": device.max_texture_size,
    }


def recorded(
    record: dict[str, Any],
    rows: Iterable[dict[str, Any]],
    told: Callable[[dict[str, Any]], str],
    path: Path | None,
) -> None:
    """Print each row as it is measured, and write the record with it, if there is a path."""
    for row in rows:
        record["rows"].append(row)
        print(told(row))
        if path:
            write(path, record)


def write(path: Path, record: dict[str, Any]) -> None:
    """Write a record as JSON, one row of measurements a line."""
    rows = ",\n".join("    " + json.dumps(row) for row in record["rows"])
    head = json.dumps({**record, "rows": []}, indent=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head.replace('"rows": []', f'"rows": [\n{rows}\n  ]') + "\n", encoding="utf-8")


def _module_and_arguments() -> list[str]:
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return [spec.name if spec else Path(sys.argv[0]).name, *sys.argv[1:]]


def _versions() -> dict[str, str]:
    """Return the versions of the packages that are here; a tree that is not installed says so."""
    installed = {each.name.lower(): each.version for each in importlib.metadata.distributions()}
    found = {name: installed[name] for name in PACKAGES if name in installed}
    return {"shadersort": "source tree"} | found


def _commit() -> str | None:
    """Return the commit measured, marked if the tree had changes; None outside a repository."""
    folder = Path(__file__).parent
    command = ["git", "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


def _cpu() -> str:
    """Return the processor's name, as Linux tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
