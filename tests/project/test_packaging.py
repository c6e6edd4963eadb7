"""The package works as a wheel, away from its source tree."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import shadersort

ROOT = Path(__file__).parents[2]
CODE = """
import numpy as np, shadersort, shadersort.drawing.shaders
assert "site" in shadersort.__file__, shadersort.__file__
keys = np.float32([3, 1, 2])
for device in ("egl", "software"):
    assert shadersort.sort(keys, device=device).tolist() == [1, 2, 3]
assert "</html>" in shadersort.trace(keys, device="software").to_html()
import modern
assert "site" in modern.__file__ and modern.median(keys, method="cutting-plane") == 2
from shadersort.lessons import record
from shadersort.lessons.networks.exercises import sorts
assert record("ladder-nvidia-h200").rows and not sorts.check(lambda comparators, n: True).passed
from shadersort.cli import commands
commands(["estimate", "8"], standalone_mode=False)
print(*sorted(path.name for path in shadersort.drawing.shaders.directory().iterdir()))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content, as an installer would leave it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def test_a_wheel_sorts(site: Path, tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(site)!r})\n" + CODE
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1].split() == sorted(
        path.name for path in (ROOT / "shaders").iterdir()
    )


def test_a_browser_needs_no_opengl(site: Path) -> None:
    (metadata,) = site.glob("*.dist-info/METADATA")
    lines = re.findall(r"^Requires-Dist: (.*)$", metadata.read_text(), re.MULTILINE)
    found = [Requirement(line) for line in lines]
    for platform, more in (("emscripten", set[str]()), ("linux", {"glfw", "moderngl"})):
        marks = {"sys_platform": platform, "extra": ""}
        names = {each.name for each in found if not each.marker or each.marker.evaluate(marks)}
        assert names == {"click", "numpy", "pillow", "rich", *more}


def test_a_wheel_has_the_command_and_is_typed(site: Path) -> None:
    (points,) = site.glob("*.dist-info/entry_points.txt")
    assert "shadersort = shadersort.__main__:main" in points.read_text()
    for package in ("shadersort", "modern"):
        assert (site / package / "py.typed").exists()


def test_the_citation_has_the_version_of_the_package() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["version"], cited["license"]) == (shadersort.__version__, "MIT")
