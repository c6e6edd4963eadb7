"""The benchmark of applications, with little data: its answers are right, its rows are whole."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench import applications_cuda
from bench.applications import recovery, robust
from bench.applications.__main__ import PARTS, QUICK, main
from bench.shared.contaminated import KINDS
from bench.shared.machines import Host


def test_every_part_has_a_quick_run() -> None:
    assert set(PARTS) <= set(QUICK)


@pytest.mark.filterwarnings("ignore:robpy is not measured")
def test_robust_rows(tmp_path: Path) -> None:
    path = tmp_path / "applications.json"
    done = CliRunner().invoke(main, ["--part", "robust", "--quick", "--output", str(path)])
    assert done.exit_code == 0, done.output
    step, whole, fit, objectives = json.loads(path.read_text())["rows"]
    assert step["part"] == "robust"
    assert step["times_as_fast"] == pytest.approx(step["sorting_ms"] / step["ms"])
    assert whole["s"] > 0
    assert fit["n"] == 2000
    assert fit["objective"] > 0
    assert objectives["problems"] == 4


@pytest.mark.filterwarnings("ignore:robpy is not measured")
def test_recovery_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {name: fit for name, fit in recovery.methods().items() if name in ("LTS", "OLS")}
    monkeypatch.setattr(recovery, "methods", lambda: chosen)
    ours, plain = recovery.measurements(8)
    assert (ours["method"], ours["recovered"]) == ("LTS", 8)
    assert plain["recovered"] < 8
    assert [ours[kind] for kind in KINDS] == [2] * 4


def test_a_wrong_step_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robust, "step_that_sorts", lambda *_: (np.zeros(1), np.zeros((1, 11))))
    with pytest.raises(AssertionError, match="step"):
        next(robust.measurements(1000, seconds=0.01))


def test_a_fit_that_fails_has_found_nothing() -> None:
    def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        raise ValueError

    assert np.isnan(recovery._or_nothing(fit, np.ones((3, 2)), np.ones(3))).all()


def test_rows_of_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy stands for the GPU: every answer is checked, and a wrong one is refused."""
    fit, near, pruned = applications_cuda.measurements(Host(), applications_cuda.QUICK)
    assert (fit["n"], near["k"], pruned["k"]) == (4000, 10, 13_107)
    assert pruned["reads"] == pytest.approx(pruned["ms"] / pruned["read_ms"])
    assert min(fit["s"], near["s"], pruned["ms"]) > 0
    monkeypatch.setattr(applications_cuda, "threshold", lambda layers, k, out: layers)
    some = {"thresholds": applications_cuda.QUICK["thresholds"]}
    with pytest.raises(AssertionError, match="thresholds"):
        next(applications_cuda.measurements(Host(), some))
