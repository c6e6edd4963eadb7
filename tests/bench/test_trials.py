"""Random trials find a wrong answer, say its seed, and compare times with those of a class."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import modern
from bench.shared.machines import Host, a_card
from bench.shared.record import Row
from bench.trials import __main__ as command
from bench.trials import classes
from bench.trials.classes import Timed
from bench.trials.trial import CALLS, OUT, TYPES, Trial, drawn, keys_of, right
from tests.bench.helpers import options_of, run

SMALL = "--most 2^9 --repeats 1 --turns 1"


def rows_of(words: str) -> list[Row]:
    return list(command.measurements(Host(), options_of(command.main, f"{SMALL} {words}")))


def test_trials_are_drawn_from_their_seeds() -> None:
    trials = [drawn(seed, 1 << 24) for seed in range(4000)]
    assert trials == [drawn(seed, 1 << 24) for seed in range(4000)]
    assert {trial.dtype for trial in trials} == set(TYPES)
    assert {trial.call for trial in trials} == set(CALLS)
    assert {trial.out for trial in trials} == {"", *OUT}
    assert {trial.offset for trial in trials} == set(range(33))
    sizes = np.array([trial.n for trial in trials])
    assert sizes.min() == 1
    assert 1 << 23 < np.sort(sizes)[-60] <= 1 << 24  # 1 in 100 is larger
    assert (1 << 26) - 1000 < sizes.max() <= 1 << 26
    assert 3000 < np.median(sizes) < 7000  # 2^12
    assert all(0 <= trial.k <= trial.n - (trial.call == "select") for trial in trials)
    assert {"half NaN", "least denormals", "bucket-killer"} < {trial.data for trial in trials}


def test_every_answer_is_right() -> None:
    rows = rows_of("--trials 400")
    assert {row["row"] for row in rows} == {"class", "summary"}
    summary = rows[-1]
    assert (summary["trials"], summary["wrong"], summary["error"]) == (400, 0, 0)
    assert 180 < summary["timed"] < 300
    assert summary["compared"] == sum(row["timed"] for row in rows[:-1] if "worst_ratio" in row)
    worst = max(rows[:-1], key=lambda row: float(row["worst_ratio"]))
    assert summary["worst_ratio"] == worst["worst_ratio"] >= 1 / 2
    assert drawn(summary["worst_seed"], 1 << 9).n == worst["n"]


def test_no_trial_begins_after_its_time() -> None:
    rows = rows_of("--seconds 0")
    assert [row["row"] for row in rows] == ["summary"]
    assert rows[0]["trials"] == 0


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_answer_is_found(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = getattr(modern, call)

    def wrong(x: Any, *given: Any, **more: Any) -> Any:
        other = x.copy()
        other[...] = 3
        return real(other, *given, **more)

    monkeypatch.setattr(modern, call, wrong)
    trials = [drawn(seed, 1 << 9) for seed in range(200)]
    suspects = {each.seed for each in trials if each.call == call and each.data != "ones"}
    failed = {row["seed"] for row in rows_of("--trials 200") if row["row"] in ("wrong", "error")}
    assert failed
    assert len(failed & suspects) > len(suspects) / 2
    assert failed <= {each.seed for each in trials if each.call == call}


def test_changed_keys_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = modern.select

    def changing(x: Any, k: int) -> Any:
        found = real(x, k)
        x[0] = 17
        return found

    monkeypatch.setattr(modern, "select", changing)
    trial = Trial(1, "float32", 100, "normal", 3, "select", 50)
    assert not right(Host(), trial, keys_of(Host(), trial))
    trial = replace(trial, call="threshold", how="hard", out="in place")
    assert right(Host(), trial, keys_of(Host(), trial))


def test_the_command_fails_and_its_record_has_the_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any, **more: Any) -> Any:
        raise ValueError("broken")

    path = tmp_path / "trials.json"
    monkeypatch.setattr(command, "opened", lambda name: Host())
    words = f"{SMALL} --trials 60 --first 7 --output {path}"
    run(command.main, words)
    monkeypatch.setattr(modern, "median", broken)
    said = run(command.main, words, code=1)
    rows = json.loads(path.read_text())["rows"]
    seeds = [row["seed"] for row in rows if row["row"] == "error"]
    assert seeds == [seed for seed in range(7, 67) if drawn(seed, 1 << 9).call == "median"]
    assert str(seeds) in said
    assert rows[-1]["error"] == len(seeds) == said.count("Traceback")
    assert all(row["error"] == "ValueError: broken" for row in rows if row["row"] == "error")


def test_a_device_that_fails_ends_the_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host()
    monkeypatch.setattr(host, "xp", SimpleNamespace())
    options = options_of(command.main, f"{SMALL} --trials 500")
    rows = list(command.measurements(host, options))
    assert [row["row"] for row in rows] == ["error"] * command.MOST_ERRORS + ["summary"]
    assert rows[-1]["trials"] == command.MOST_ERRORS


def class_rows(ms: list[float], repeated: dict[int, float], **of: Any) -> list[Row]:
    """Rows of the classes of trials with these times, and with others if they are repeated."""
    trial = Trial(0, "float32", 100, "normal", 0, "select", 5)
    some = [Timed(replace(trial, seed=i, **of), each, 0.5) for i, each in enumerate(ms)]

    class Again(Host):
        def ms(self, call: Any, repeats: int) -> float:
            return again.get(call(), 0.5)

    again = {np.float32(seed): ms for seed, ms in repeated.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "keys_of", lambda machine, trial: np.array([-1], np.float32))
        patch.setattr(classes, "call_of", lambda trial, keys: lambda: np.float32(trial.seed))
        return list(classes.classes(Again(), some, SimpleNamespace(repeats=1, turns=1)))


def test_a_trial_that_is_slow_once_is_not_the_worst() -> None:
    times = [1.0] * 9 + [1.5, 8.0, 3.0]
    (row,) = class_rows(times, {10: 1.1, 11: 2.5})
    assert (row["timed"], row["median_ms"], row["median_reads"]) == (12, 1, 2)
    assert (row["first_worst_ratio"], row["worst_ratio"], row["seed"]) == (8, 2.5, 11)
    assert row["again"] == 2
    (row,) = class_rows(times, {10: 9.0})
    assert (row["worst_ratio"], row["seed"], row["again"]) == (8, 10, 1)


def test_few_trials_have_no_ratio() -> None:
    (row,) = class_rows([1.0] * 9, dict.fromkeys(range(9), 1.0))
    assert "worst_ratio" not in row
    assert classes.summary([row]) == {"timed": 9, "compared": 0}


def test_classes_hold_sizes_within_a_factor_of_the_root_of_two() -> None:
    for n in (1, 4096, 4097, 5792, 5793, 1 << 20, (1 << 20) + 1, (1 << 26) - 999, 1 << 26):
        (row,) = class_rows([1.0], {0: 1.0}, n=n)
        assert row["n_least"] <= n <= row["n_most"]
        assert row["n_most"] < 1.42 * row["n_least"] or row["n_most"] == 4096
    assert len(class_rows([1.0], {0: 1.0}, dtype="float64")) == 1


@pytest.mark.gpu
def test_trials_on_a_gpu() -> None:
    card = a_card()
    for seed in range(1000):
        trial = drawn(seed, 1 << 21)
        assert right(card, trial, keys_of(card, trial)), trial
