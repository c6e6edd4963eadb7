"""The lessons in JupyterLite: a JupyterLab that runs Python in the reader's browser, by Pyodide."""

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scripts.site.lessons import write_elsewhere
from scripts.site.links import ROOT

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"

INSTALL = """\
# In a browser this cell installs the package, in about a minute. Elsewhere it does nothing.
import sys

if sys.platform == "emscripten":
    %pip install --quiet shadersort[plots] ipywidgets
"""

UNPACKED = ("comm", "ipywidgets", "jupyterlab_widgets")
"""Packages that the lessons need there, and that Pyodide does not distribute."""

MISSING = """\
JupyterLite is not installed here, which the site needs to run the lessons in a browser. Install it
once where the package index can be reached: scripts/setup site
"""


def build_lite(site: Path, work: Path, pyodide: str) -> None:
    """Build JupyterLite with all lessons into the folder `lite` of the site.

    Pyodide is taken from its public place; or from `pyodide`, another address of its files, or a
    folder that has them, which is copied into the site.
    """
    if not find_spec("jupyterlite_core"):
        sys.exit(MISSING)
    source = work / "lite"  # JupyterLite knows the names of what is put there
    for folder in (source, site / "lite"):
        shutil.rmtree(folder, ignore_errors=True)
    for name in ("files", "pypi", "static"):
        (source / name).mkdir(parents=True)
    write_elsewhere(source / "files", INSTALL)
    wheel = ["hatchling", "build", "--target", "wheel", "--directory", str(source / "pypi")]
    subprocess.run([sys.executable, "-m", *wheel], cwd=ROOT, check=True, capture_output=True)
    for name in UNPACKED:
        pack(name, source / "pypi")
    kernel: dict[str, Any] = {}
    if Path(pyodide).is_dir() and pyodide:
        (source / "static" / "pyodide").symlink_to(Path(pyodide).resolve())
    elif pyodide:
        kernel["pyodideUrl"] = f"{pyodide.rstrip('/')}/pyodide.mjs"
    settings = {"appName": "shadersort", "litePluginSettings": {KERNEL: kernel}}
    config = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (source / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
    options = ["--apps", "lab", "--no-sourcemaps", "--no-unused-shared-packages"]
    folders = ["--lite-dir", str(source), "--output-dir", str(site / "lite")]
    quiet = ["--no-libarchive", "--log-level", "ERROR"]
    lite = [sys.executable, "-W", "ignore", "-m", "jupyterlite_core", "build", *quiet]
    # It remembers in this folder what it has built.
    subprocess.run([*lite, *options, *folders], cwd=source, check=True, stdout=subprocess.DEVNULL)


def pack(name: str, folder: Path) -> Path:
    """Pack an installed package of pure Python into a wheel again; return the wheel."""
    found = distribution(name)
    wheel = folder / f"{found.name.replace('-', '_')}-{found.version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in found.files or ():
            if ".." not in path.parts and path.suffix != ".pyc":
                packed.write(str(path.locate()), str(path))
    return wheel
