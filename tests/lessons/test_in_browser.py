"""Solved lessons run where Python has no OpenGL, no threads and no processes: in a browser."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "names",
    [
        ("14", "18"),  # drawing beside kernels, and all versions of a statistic
        pytest.param(("0",), marks=pytest.mark.slow),
        pytest.param(("10", "11", "12", "13", "15", "16", "17"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_lessons_run_in_a_browser(names: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "tests.lessons.in_browser", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
