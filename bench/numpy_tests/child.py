"""The child process in which pytest runs NumPy's tests, and what comes back from it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.numpy_tests.plugin import FILE

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a test that asked `modern`."""

    test: str  # module::class::name
    failed: bool
    says: str  # the first line of its error

    @property
    def group(self) -> str:
        """The class of the test, or its module."""
        return self.test.rpartition("::")[0]


def results(modules: Sequence[str], *words: str) -> list[Result]:
    """Run the tests of some modules, with further words for pytest; return what came of each.

    Raises RuntimeError if pytest could not run them.
    """
    with TemporaryDirectory() as folder:
        file, settings = Path(folder, "results.json"), Path(folder, "pytest.ini")
        settings.write_text("[pytest]\n", encoding="utf-8")  # not those of this repository
        plugins = ("-p", "bench.numpy_tests.plugin", "-p", "no:cacheprovider")
        ran = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "--tb=no", "-c", str(settings)),
                *(*plugins, *words, "--pyargs", *modules),
            ],
            cwd=folder,
            env=_environment(file),
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode not in (0, 1) or not file.exists():  # 1: some test failed
            raise RuntimeError(f"pytest could not run NumPy's tests: {ran.stdout}{ran.stderr}")
        return [Result(**each) for each in json.loads(file.read_text(encoding="utf-8"))]


def _environment(file: Path) -> dict[str, str]:
    """Return an environment in which the child finds this repository."""
    paths = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), FILE: str(file)}
