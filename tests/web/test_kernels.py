"""The simulator of kernels in a browser: it agrees with that of Python, and says what they cost."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from shadersort.lessons.exercises import Exercise
from shadersort.lessons.exercises.kernel_runner import KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.export import WORDS, as_data, named_exercises
from shadersort.lessons.exercises.kernels.simulator import Fault, Launch, simulate
from shadersort.web.kernels import GPU_SCRIPTS, KERNEL_SCRIPTS
from shadersort.web.page import page
from tests.lessons import test_simulator as simulator
from tests.lessons.right import texts
from tests.lessons.wrong_answers import WRONG
from tests.right_kernels import RIGHT, kernel_text, without_barrier
from tests.web.browser import quiet

SETTING: dict[str, Any] = {"threads": 64, "numbers": [], "constants": {}}
PLACES = 4096  # of `keys` and `result`

Run = Callable[..., Any]


@pytest.fixture(scope="session")
def executor() -> Iterator[Run]:
    """A function that runs one of JavaScript in a page with WebGPU, with arguments."""
    text = page("kernels", (*KERNEL_SCRIPTS, *GPU_SCRIPTS), {}, "Object")
    code = "async (given) => JSON.stringify(await ({})(...JSON.parse(given)))"
    with quiet("WebGPU") as tab:
        tab.route("**/*", lambda route: route.fulfill(body=text, content_type="text/html"))
        tab.goto("http://127.0.0.1/")
        yield lambda function, *given: json.loads(
            tab.evaluate(code.format(function), json.dumps(given))
        )


ON_GPU = """
async (texts, exercise) => {
    const compute = await Compute.open(), results = [];
    for (const kernel of texts.map((text) => readKernel(text, exercise))) {
        for (const launch of exercise.cases) {
            const { result } = await runOnGpu(compute, kernel, launch);
            results.push(inOrder(result, launch, exercise));
        }
    }
    return results;
}
"""
"""Runs right texts by WebGPU in all cases, one after the other."""


def known_texts(name: str, exercise: Exercise) -> Iterator[str]:
    """Every right and wrong text of an exercise that tests know."""
    right, of_mode = RIGHT[exercise], name == "mode"
    yield right
    for number in range(right.count("barrier();")):
        yield without_barrier(right, number)
    yield from () if of_mode else simulator.wrong_texts(exercise)
    wanted = "mode_by_kernel" if of_mode else exercise.name
    for table, its_name in ((texts.RIGHT, wanted), (WRONG, exercise.name)):
        for answer, some in table.items():
            if answer.endswith(f".{its_name}"):
                yield from (kernel_text(exercise, each) for each in some if isinstance(each, str))


@pytest.mark.parametrize(("name", "exercise"), [*named_exercises()])
def test_both_engines_give_the_same_verdicts(executor: Run, name: str, exercise: Exercise) -> None:
    """With the same words, so at the same line, of the same thread, in the same case."""
    known, data = [*known_texts(name, exercise)], as_data(exercise) | {"words": WORDS}
    found = executor(
        "(texts, exercise) => texts.map((text) => checkKernel(text, exercise))"
        ".map(({ state, about }) => [state.replace('refused', 'wrong'), about])",
        *(known, data),
    )
    for text, said in zip(known, found, strict=True):
        verdict = exercise.check(text)
        assert [verdict.state, verdict.about] == said, text
    right = [text for text, (state, _) in zip(known, found, strict=True) if state == "right"]
    (*_, largest) = data["cases"]
    data["cases"] = [largest]
    assert executor(ON_GPU, right, data) == [largest["expected"]] * len(right)


def test_both_engines_refuse_texts_with_the_same_words(executor: Run) -> None:
    known = [simulator.whole(wrong) for wrong, _ in simulator.REFUSED]
    exercise = {**SETTING, "rules": [], "cases": [], "words": WORDS}
    found = executor("(texts, it) => texts.map((text) => checkKernel(text, it))", known, exercise)
    runner = KernelRunner()
    assert [each["about"] for each in found] == [runner.refuse(text) for text in known]
    assert {each["state"] for each in found} == {"refused"}


def run_both(executor: Run, text: str, keys: Any, threads: int, blocks: int = 1) -> Any:
    """Run a text with both engines, which must agree; return what it did."""
    launch = Launch(np.array(keys), np.zeros(PLACES, int), blocks)
    run = simulate(text, Setting(threads), launch)
    given = {"keys": keys, "result": launch.result.tolist(), "blocks": blocks, "numbers": []}
    found = executor(
        "(text, it, launch) => simulateKernel(readKernel(text, it), launch)",
        *(text, {**SETTING, "threads": threads}, given),
    )
    faults = [{name: each[name] for name in Fault._fields} for each in found["faults"]]
    assert faults == [each._asdict() for each in run.faults]
    assert found["results"] == [each.tolist() for each in run.results]
    assert found["turns"] == run.turns
    return found


STEP = "int x = 0;\nfor (int i = 0; i < 9;\ni += keys[i]) {\nif (i == 1) continue;\n}"


def test_both_engines_see_the_same_faults(executor: Run) -> None:
    for lines, _ in (*simulator.FAULTY, (STEP, None)):
        text = f"{simulator.SHARED}\nvoid kernel() {{\n{lines}\n}}"
        run_both(executor, text, [1, 2, 3, 4], 4)
    for statement in ("result[0] = 1;", "int x = result[block];\nx = 0;"):
        text = f"void kernel() {{ result[block + thread] = block; {statement} }}"
        run_both(executor, text, [0], 2, 3)


EXPRESSIONS = """
a + b; a - b; a * b; b == 0 ? a : a / b; b == 0 ? a : a % b; a << b; a >> b; ~a ^ b & c | -a
abs(a); min(a, b) + max(b, c); a++ + ++a + a-- * 10; a <<= b += c; int(a < b || b < c && a != c)
int(x * y); int(x + y - z); int(x / y); int(float(c) / float(c - c)); int(z++ + z); int(-x * 0.1)
int(x == float(b)); int(min(x, y) / max(y, z)); int(1e9f * 3.0); int(x / 3.0 * 7.5e-1)
int(x = a); int(x < y / 0.0); 16777217 - int(float(16777217)); int(abs(x) * .5) + 0xFFFFFFFF
""".strip()
NAMES = """
int a = keys[3 * thread], b = keys[3 * thread + 1], c = keys[3 * thread + 2];
float x = float(a), y = float(b), z = float(c);
"""


def test_both_engines_compute_alike(executor: Run) -> None:
    edges = np.array([-(2**31), 2**31 - 1, -1, 0, 1, 2**24 + 1])
    random = np.random.default_rng(0)
    wide, narrow = random.integers(-(2**31), 2**31, 66), random.integers(-9, 9, 66)
    keys = random.permutation(np.concatenate([wide, narrow, np.repeat(edges, 10)])).tolist()
    text = "".join(
        f"{{ {NAMES} result[30 * thread + {at}] = {each}; }}\n"
        for at, each in enumerate(re.split("; |\n", EXPRESSIONS))
    )
    assert not run_both(executor, f"void kernel() {{ {text} }}", keys, 64)["faults"]


COSTS = {
    "result[thread] = 1;": {"sectors": 4, "least": 4},
    "result[thread + 1] = 1;": {"sectors": 5, "least": 4},
    "result[2 * thread] = 1;": {"sectors": 8, "least": 4},
    "result[64 * thread] = 1;": {"sectors": 32, "least": 4},
    "int x = keys[thread / 32];": {"sectors": 1, "least": 1},
    "a[thread] = 1;": {"ways": 1},
    "a[thread / 32] = 1;": {"ways": 1},
    "a[32 * (thread % 2)] = 1;": {"ways": 2},
    "a[thread % 8 * 8 + thread / 8] = 1;": {"ways": 2},
    **{f"a[{ways} * thread] = 1;": {"ways": ways} for ways in (2, 4, 8, 32)},
    "a[33 * thread] = 1;": {"ways": 1},
}
"""Statements of 64 threads, and what the access of each warp costs."""


TRACED = """
(text, it, launch) => {
    const { steps, ...rest } = traceKernel(readKernel(text, it), launch);
    const instructions = warpInstructions(steps, it.threads);
    return { steps, instructions, ...rest };
}
"""


def trace(executor: Run, lines: str, blocks: int = 1) -> Any:
    """Return the steps of a kernel of 64 threads, and their cost."""
    zeros = [0] * PLACES
    launch = {"keys": zeros, "result": zeros, "blocks": blocks, "numbers": []}
    text = f"shared int a[3000];\nvoid kernel() {{\n{lines}\n}}"
    return executor(TRACED, text, SETTING, launch)


def test_accesses_cost_sectors_and_ways(executor: Run) -> None:
    for lines, cost in COSTS.items():
        done = trace(executor, lines)
        for each in done["instructions"]:
            (access,) = each["accesses"]
            assert access.items() >= cost.items(), lines
            assert (len(each["lanes"]), each["of"]) == (32, 32)
        assert [each["warp"] for each in done["instructions"]] == [0, 1]


COUNTED = """
(texts, it) => texts.flatMap((text) => it.cases.map((launch) => {
    const kernel = readKernel(text, it), { steps } = traceKernel(kernel, launch, 0, 1e6);
    return warpInstructions(steps, it.threads).flatMap(({ line, of, accesses }) => accesses.map(
        ({ array, places, sectors, ways }) => [line, array, places, of, sectors ?? 0, ways ?? 0]));
}))
"""
"""Every access of the warps of some texts in all cases."""


@pytest.mark.parametrize(("name", "exercise"), [*named_exercises()])
def test_both_engines_count_the_same_accesses(executor: Run, name: str, exercise: Exercise) -> None:
    runner: Any = exercise.runner
    data, counted = as_data(exercise), []
    known = [each for each in known_texts(name, exercise) if exercise.check(each).passed]
    for text in known:
        for case in exercise.all_cases():
            launch = runner.launch(*case)
            run = simulate(text, runner.setting, launch, orders=1)
            costs = [(each, each.costs) for each in run.accesses]
            counted.append(
                sorted([*each, cost.get("sectors", 0), cost.get("ways", 0)] for each, cost in costs)
            )
    assert [sorted(each) for each in executor(COUNTED, known, data)] == counted


def test_lanes_that_come_to_one_turn_take_part_together(executor: Run) -> None:
    lines = (
        "for (int i = 0; i <= thread % 4; ++i) {\nif (i == 2) continue;\nresult[thread] += 1;\n}"
    )
    done = trace(executor, lines)
    adding = [each for each in done["instructions"] if each["line"] == 5 and each["warp"] == 0]
    assert [len(each["lanes"]) for each in adding] == [32, 24, 8]
    assert [access["way"] for access in adding[2]["accesses"]] == ["read", "write"]
    assert adding[2]["accesses"][0]["places"] == [*range(3, 32, 4)]
    lines_in_order = [each["line"] for each in done["instructions"] if each["warp"] == 1]
    assert lines_in_order[:9] == [3, 3, 4, 5, 3, 3, 4, 5, 3]


def test_steps_tell_every_read_and_write(executor: Run) -> None:
    lines = "a[thread] = thread;\nbarrier();\nint x = a[63 - thread];\n"
    lines += "if (thread < 9) atomicAdd(result[block], x);\nresult[9] = x;"
    done = trace(executor, lines, blocks=2)
    memory = np.zeros(PLACES, int)
    for step in done["steps"]:
        for each in step["accesses"]:
            if each["array"] == "result" and each["way"] != "read":
                memory[each["place"]] = each["value"]
    assert memory.tolist() == done["result"]
    assert done["complete"]
    race, of_blocks = done["faults"]
    assert (race["kind"], race["thread"], race["other"]) == ("thread", 1, 0)
    assert done["steps"][race["step"]]["line"] == race["line"] == 7
    assert (of_blocks["kind"], of_blocks["block"], of_blocks["other"]) == ("block", 1, 0)


def test_expressions_in_wgsl_change_things_in_the_same_order(executor: Run) -> None:
    lines = """
    int i = 1, j = 5, k = 2;
    int a[4];
    a[0] = a[1] = 3;
    a[i++] += (j = i) * 2 + i-- - (k <<= i);
    bool found = i < 2 && (j = j + 7) > 2 || (k = 100) > 0;
    result[0] = found ? atomicAdd(result[9], j++) + atomicMax(result[9], 4) : 0x7fffffff + 1;
    result[j % 8 + 1] ^= (j -= 3) + a[1];
    for (i = 0; i < 9; ++i, k += i) { if (i % 3 == 1) continue; if (i > 6) break; j ^= k + i; }
    while (j > 0 && (j >>= 1) > 3) { result[8] += j; }
    float x = 1.5;
    result[7] = int(x * (x += 2.0) - float(--j)) + (i > 3 ? -i : abs(i - 9));
    result[6] = min(i, k) << 33 | max(j, ~k) & 0xff;"""
    text, zeros = f"void kernel() {{{lines}\n}}", [0] * 10
    run = simulate(text, Setting(1), Launch(np.zeros(1, int), np.zeros(10, int)))
    launch = {"keys": [0], "result": zeros, "blocks": 1, "numbers": [], "expected": []}
    setting = {**SETTING, "threads": 1, "cases": [launch]}
    assert not run.faults
    assert executor(ON_GPU, [text], setting) == [run.results[0].tolist()]
