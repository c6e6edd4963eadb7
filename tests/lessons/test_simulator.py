"""The simulator of kernels: its arithmetic, its four orders, and every fault that it sees."""

import json
import re
import time
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.lessons.exercises import Exercise
from shadersort.lessons.exercises.kernel_runner import KernelRunner, Unordered, compare_on_device
from shadersort.lessons.exercises.kernels.dialect import Setting, cuda, glsl
from shadersort.lessons.exercises.kernels.export import as_data, named_exercises
from shadersort.lessons.exercises.kernels.simulator import Fault, Launch, Run, simulate
from tests.right_kernels import RIGHT, changed, without_barrier

BY_NAME = {f"{exercise.name} {number}": exercise for number, exercise in enumerate(RIGHT)}
every_kernel = pytest.mark.parametrize("exercise", RIGHT, ids=BY_NAME)


def run(lines: str, keys: Any = (0,), *, threads: int = 1, before: str = "") -> Run:
    """Run the lines of a kernel, with one block of some threads."""
    launch = Launch(np.array(keys), np.zeros(4, int))
    return simulate(f"{before}\nvoid kernel() {{\n{lines}\n}}", Setting(threads), launch)


def value_of(expression: str, *keys: int) -> int:
    """The value of an expression of a, b and c, which are ints."""
    names = "int a = keys[0], b = keys[1], c = keys[2];"
    done = run(f"{names} result[0] = {expression};", (*keys, 0, 0, 0)[:3])
    assert not done.faults
    return int(done.results[0][0])


INTS = st.one_of(
    st.integers(-(2**31), 2**31 - 1),
    st.integers(-9, 9),
    st.sampled_from([-(2**31), 2**31 - 1, -(2**24) - 1, 2**24 + 1]),
)
AS_NUMPY = ("a + b", "a - b * c", "-a", "~a", "(a ^ b) & c | a", "abs(a)", "min(a, b) + max(b, c)")


@pytest.mark.parametrize("expression", AS_NUMPY)
@given(a=INTS, b=INTS, c=INTS)
def test_ints_wrap_as_those_of_numpy(expression: str, a: int, b: int, c: int) -> None:
    names = {name: np.array([value], np.int32) for name, value in (("a", a), ("b", b), ("c", c))}
    expected = eval(expression, {"abs": np.abs, "min": np.minimum, "max": np.maximum}, names)
    assert value_of(expression, a, b, c) == expected


@given(a=INTS, b=INTS, shift=st.integers(0, 31))
def test_ints_are_divided_and_shifted_as_in_c(a: int, b: int, shift: int) -> None:
    one = np.array([a], np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        if b:
            assert value_of("a / b", a, b) == np.array(int(np.trunc(a / b))).astype(np.int32)
            assert value_of("a % b", a, b) == int(np.fmod(a, b))
        assert value_of("a << b", a, shift) == np.left_shift(one, np.int32(shift))
        assert value_of("a >> b", a, shift) == one >> np.int32(shift)


@given(a=INTS, b=INTS, c=INTS, sign=st.sampled_from("+-*/"))
def test_floats_are_rounded_to_32_bits(a: int, b: int, c: int, sign: str) -> None:
    x, y, z = np.array([a, b, c]).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = eval(f"x {sign} y * z", {"x": x, "y": y, "z": z})
        equal = f"int(float(a) {sign} float(b) * float(c) == {float(expected)})"
        if np.isfinite(expected) and expected >= 0 and "e" not in str(float(expected)):
            assert value_of(equal, a, b, c) == 1
    whole = 0 if expected != expected else int(min(max(float(expected), -(2**31)), 2**31 - 1))
    assert value_of(f"int(float(a) {sign} float(b) * float(c))", a, b, c) == whole


def test_expressions_are_those_of_c() -> None:
    for expression, value in (
        ("1 + 2 * 3 % 4 << 1", 6),
        ("a++ + ++a + a-- * 10", 2 + 4 + 40),
        ("1 < 2 && !(3 == 4) || false ? 5 : 6", 5),
        ("a == 2 ? b = 7 : 8", 7),
        ("0x10 + int(2.75e1) + int(true) + int(.5 + 1.f)", 16 + 27 + 1 + 1),
        ("c = b = a", 2),
        ("int(a != 0) + int(b != 0)", 1),
        ("min(a, 3) + int(max(1.5, float(a)))", 4),
    ):
        assert value_of(expression, 2, 0) == value


def test_loops_arrays_and_leaving_early_work_as_in_c() -> None:
    lines = """
    const int most = 4;
    int found[4], at = 0;
    for (int i = 0, j = 9; ; ++i, j -= 2) {
        if (i == 1) continue;
        if (i > most) break;
        found[at++] = j;
    }
    while (at < 99) { at *= 3; }
    found[0] += at;
    for (int i = 0; i < 4; i += 1) result[i] = found[i];
    if (at > 0) return;
    result[0] = -1;"""
    done = run(lines)
    assert done.results[0].tolist() == [9 + 108, 5, 3, 1]
    assert (done.turns, done.faults) == (6 + 3 + 4, ())


def test_threads_and_blocks_run_in_four_orders() -> None:
    text = "void kernel() { result[atomicAdd(result[16], 1)] = block * THREADS + thread; }"
    orders = simulate(text, Setting(8), Launch(np.zeros(1, int), np.zeros(17, int), 2)).results
    assert len({each.tobytes() for each in orders}) == 2, "of 8 threads all are apart"
    assert orders[0][:16].tolist() == orders[1][15::-1].tolist() == list(range(16))
    apart = simulate(text, Setting(16), Launch(np.zeros(1, int), np.zeros(17, int))).results[2]
    assert apart[:4].tolist() == [0, 8, 1, 9]


SHARED = "shared int a[4], one;"


FAULTY = [
    ("if (thread == 1)\nresult[0] = keys[4];", Fault("outside", 4, 1, 0, "keys", 4)),
    ("a[thread] = 1;\na[thread - 1] = 2;", Fault("outside", 4, 0, 0, "a", -1)),
    ("if (thread == 2) atomicMax(result[9], 1);", Fault("outside", 3, 2, 0, "result", 9)),
    ("int local[2];\nlocal[thread / 3 * 2] = 1;", Fault("outside", 4, 3, 0, "local", 2)),
    ("if (thread == 3) result[0] = a[2];", Fault("unwritten", 3, 3, 0, "a", 2)),
    ("int x;\nif (thread != 1) x = 0;\nx += 1;", Fault("unwritten", 5, 1, 0, "x")),
    ("if (thread > 2) atomicAdd(one, 1);", Fault("unwritten", 3, 3, 0, "one")),
    ("a[thread] = thread;\nint x = a[0];", Fault("thread", 4, 1, 0, "a", 0)),
    ("one = thread;", Fault("thread", 3, 1, 0, "one")),
    ("result[0] = 1;", Fault("thread", 3, 1, 0, "result")),
    (
        "if (thread == 0) one = 0;\nbarrier();\natomicAdd(one, 1);\nint x = one;",
        Fault("thread", 5, 1, 0, "one"),
    ),
    ("if (thread < 2)\nbarrier();", Fault("barrier", 4, 0, 0)),
    ("if (thread < 2) barrier();\nelse\nbarrier();", Fault("barrier", 3, 0, 0)),
    ("if (thread == 2) return;\nbarrier();", Fault("barrier", 4, 0, 0)),
    ("int i = 0;\nwhile (thread != 3 || i < 9) i -= thread / 3;", Fault("endless", 4, 0, 0)),
    ("if (thread == 1) {\nresult[0] = 1 / (thread - 1); }", Fault("zero", 4, 1, 0)),
]
"""Lines of a kernel after `SHARED`, and their first fault with four threads."""


@pytest.mark.parametrize(("lines", "fault"), FAULTY)
def test_every_fault_has_its_line_and_its_thread(lines: str, fault: Fault) -> None:
    assert run(lines, (1, 2, 3, 4), threads=4, before=SHARED).faults[0] == fault


def test_blocks_that_use_one_place_clash_and_atomics_do_not() -> None:
    for statement, faults in (
        ("result[0] = 1;", (Fault("block", 1, 0, 1, "result"),)),
        ("int x = result[0]; atomicAdd(result[0], 1);", (Fault("block", 1, 0, 1, "result"),)),
        ("result[block] = atomicAdd(result[2], 1);", ()),
    ):
        launch = Launch(np.zeros(1, int), np.zeros(3, int), 2)
        assert simulate(f"void kernel() {{ {statement} }}", Setting(1), launch).faults == faults


def test_several_threads_may_write_one_value_to_shared_memory() -> None:
    assert not run("one = 5;\nbarrier();\nint x = one;", threads=4, before=SHARED).faults


REFUSED = [
    ("int x = y;", "line 2, `int x = y;`: “y” is not declared"),
    ("int x = 1\n    x = 2;", "line 2, `int x = 1`: Perhaps a semicolon is missing"),
    ("if (thread) return;", "line 2, .*condition must be one value"),
    ("int i = 0;\n", "the text ends too early|The text ends too early"),
    ("keys[0] = 1;", "can be read, but not changed"),
    ("n += 1;", "can be read, but not changed"),
    ("shared int sums[8];", "is declared before the function"),
    ("int x = n > 1;", r"where a number is needed: write … \? 1 : 0"),
    ("if (n && n > 1) return;", "&& and || join true or false"),
    ("int x = 1.5;", "A value of type float stands where int is needed"),
    ("result = 1;", "stands behind an array"),
    ("int thread = 1;", "“thread” is known already"),
    ("int i = 0; if (n > 0) { int i = 1; }", "“i” is known already"),
    ("abs(n);", "This changes nothing"),
    ("int x[n];", "A length is known before a kernel runs"),
    ("return 1;", "This returns nothing"),
    ("if (thread == 0);", "semicolon stands right behind"),
    ("if (n > 1)\n        result[0] = 1;\n        result[1] = 2;", "takes one statement"),
    ("break;", "cannot be read from"),
    ("int x = sin(1);", "no function “sin”"),
    ("atomicAdd(n, 1);", "can be read, but not changed"),
    ("int a[2];\n    atomicAdd(a[0], 1);", "a place of `result` or of shared memory"),
    ("if i < n:", "in round brackets, and what depends on it in braces"),
    ("for i in n { }", "A loop is written for"),
    ("int x = n ** 2;", "x \\* x"),
    ("bool b = True;", "written true and false"),
    ("i = thread;", "its type stands before it"),
    ("int x = keys[1:3];", "no slices"),
    ("int i = threadIdx.x;", "CUDA's own words are written for you"),
    ("atomicAdd(&result[thread], 1);", "Give the place itself, without &"),
    ("int a, b; a, b = 1, 2;", "one value to one name|A statement gives a value to one name"),
    ("int x = (int) 1.5;", r"as in int\(x\)"),
    ("int i = 0; if (i = 1) return;", "Two values are compared by =="),
    ("int i = " + "(" * 9999 + "1;", "too many brackets"),
    ("void main() {}", "it has no function `void kernel"),
    ("shared sums[8];\nvoid kernel() {}", "A type stands after `shared`"),
    ("shared int[8] sums;\nvoid kernel() {}", "The length stands after the name"),
    ("shared int a[8] = 0;\nvoid kernel() {}", "no value at first"),
    ("shared int a;\nvoid kernel() {\n    a[0] = 1;\n}", "stands behind an array"),
    ("shared int a[8]\nvoid kernel() {}", "semicolon is missing at the end"),
]
"""Lines of a kernel, or a whole text, and what is said of it."""


def whole(wrong: str) -> str:
    """The text of a kernel with such lines."""
    end = "" if wrong.endswith("\n") else "\n}"
    return wrong if "void" in wrong else f"void kernel() {{\n    {wrong}{end}"


@pytest.mark.parametrize(("wrong", "said"), REFUSED)
def test_what_is_no_kernel_is_said_with_its_line(wrong: str, said: str) -> None:
    assert re.search(said, KernelRunner().refuse(whole(wrong)))


@every_kernel
def test_right_kernels_are_right_in_all_orders_within_a_second(exercise: Exercise) -> None:
    assert isinstance(exercise.runner, KernelRunner)
    text, runner = RIGHT[exercise], exercise.runner
    assert sum(len(case[0]) for case in exercise.all_cases()) <= 6000
    started = time.process_time()
    verdict = exercise.check(text)
    assert verdict.passed, verdict
    assert time.process_time() - started < 1
    for language, words in (
        (glsl, ("layout(local_size_x = ", "void main() {", "gl_LocalInvocationID")),
        (cuda, ('extern "C" __global__ void kernel(', "threadIdx.x", "int* result")),
    ):
        written = language(text, runner.setting)
        assert all(word in written for word in words)
        assert "void kernel()" not in written


@every_kernel
def test_every_missing_barrier_is_seen(exercise: Exercise) -> None:
    for number in range(RIGHT[exercise].count("barrier();")):
        verdict = exercise.check(without_barrier(RIGHT[exercise], number))
        assert verdict.state == "wrong"
        assert "no `barrier()` between" in verdict.about or "nothing was written" in verdict.about


OWN, ALL = "block * THREADS + thread", "blocks * THREADS"
WRONG = {
    "distances": f"""
        {OWN} -> thread | i < n -> true | i < n -> i <= n | keys[i] -> keys[thread]
        abs(keys[i] - pivot) -> pivot - keys[i] | i < n -> thread < n | result[i] -> result[thread]
        result[i] -> result[i - 1] | {OWN} -> block * thread | {OWN} -> thread * THREADS + block""",
    "sum_of_distances": f"""
        i < n ? abs(keys[i] - pivot) : 0 -> abs(keys[i] - pivot) | step > 0 -> step > 1
        sums[thread] = i < n ? -> if (i < n) sums[thread] = i < n ? | step > 0 -> step >= 0
        THREADS / 2 -> THREADS / 4 | thread < step -> true | thread < step -> thread <= step
        result[block] -> result[0] | if (thread == 0)  -> | + step]; -> + step]; barrier();
        abs(keys[i] - pivot) -> keys[i] - pivot | {OWN} -> thread""",
    "block_histogram": f"""
        for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0; -> | {ALL} -> n
        for (int b = thread; b < BUCKETS; b += THREADS) counts[b] -> counts[thread]
        b = thread; b < BUCKETS; b += THREADS) atomic -> b = 0; b < BUCKETS; ++b) atomic
        atomicAdd(counts[bucket], 1) -> counts[bucket] += 1 | (keys[i] - least) -> keys[i]
        atomicAdd(result[b], counts[b]) -> result[b] = counts[b] | keys[i] - least -> i - least
        {OWN} -> thread & {ALL} -> THREADS""",
    "prefix_sums": """
        = sums[thread]; -> = sums[thread] - keys[i]; | sums[thread - step] -> sums[thread - 1]
        thread >= step) left = sums[thread - step] -> true) left = sums[thread + step]
        step < THREADS -> step < THREADS / 2 | if (i < n)  ->""",
    "compacted": """
        first + ends[thread]] -> first + ends[thread] - 1] | thread == THREADS - 1 -> thread == 0
        first = atomicAdd -> atomicAdd | first + ends[thread]] -> first + i] | i < n &&  ->
        if (thread == THREADS - 1) first -> first | first + ends[thread]] -> ends[thread]]
        keys[i] < pivot -> keys[i] <= pivot | if (kept) result -> if (i < n) result
        atomicAdd(result[0], ends[thread]) -> result[0]; result[0] += ends[thread]""",
    "select_round": """
        k - before -> k | + counts[chosen] <= k -> + counts[chosen] < k | 2 + place -> place
        atomicAdd(filled, 1) -> filled++ | atomicAdd(counts[( -> ++counts[( & width], 1) -> width]
        [(keys[i] - least) -> [keys[i] & ((keys[i] - least) -> (keys[i]""",
    "falls": f"""
        {OWN} -> thread & {ALL} -> THREADS | i > 0 &&  -> | keys[i - 1] -> keys[i + 1]
        {ALL} -> THREADS | {ALL} -> n | atomicAdd(total, falls) -> total += falls
        if (thread == 0) atomicAdd(result -> atomicAdd(result | falls += 1 -> falls = 1""",
    "transposed": """
        top + y) * width -> top + y) * height | = tile[33 * x + y] -> = tile[33 * y + x]
        left + y) * height -> left + y) * width | top + x] -> left + x] | + left + x] -> + x]
        [33 * y + x] = -> [32 * y + x] = & 33 * x + y] -> 32 * x + y] | 33 * x -> 32 * x""",
    "up_sweep": """
        right < THREADS -> right < 2 * THREADS | * (thread + 1) - 1 -> * (thread + 1)
        step < THREADS; -> step < THREADS / 2; | sums[right - step] -> sums[right - 1]
        if (right < THREADS) -> right = min(right, THREADS - 1);""",
    "by_kernel": f"""
        {OWN} -> thread & {ALL} -> THREADS | {ALL} -> n | step > 0 -> step > 1
        THREADS / 2 -> THREADS / 4 | atomicAdd(result[0], first[0]) -> result[0] = first[0]
        count += 1 -> first[thread] += 1 & first[thread] = count; ->
        int count = 0, -> int count,""",
}
"""What students get wrong, as changes of the solution."""


def wrong_texts(exercise: Exercise) -> list[str]:
    """The solution of an exercise with each of the changes that `WRONG` has."""
    changes = WRONG[exercise.name].replace("\n        ", "\n").strip("\n")
    return [changed(RIGHT[exercise], change) for change in re.split(r" \| |\n", changes)]


@every_kernel
def test_what_students_get_wrong_is_a_wrong_result_or_a_fault(exercise: Exercise) -> None:
    for text in wrong_texts(exercise):
        verdict = exercise.check(text)
        assert verdict.state == "wrong", text
        assert "does not compile" not in verdict.about, verdict


def test_one_thread_that_does_the_work_of_all_is_noticed() -> None:
    text = "void kernel() { for (int i = 0; i < 999; ++i) if (i == thread) continue; }"
    for turns, runner in ((408, KernelRunner()), (48, KernelRunner(turns=40))):
        told = runner.run(text, (np.zeros(9, int),)).told
        assert f"take 999 turns, and {turns} are plenty" in told


@every_kernel
def test_kernels_are_compared_on_a_device(exercise: Exercise) -> None:
    runner, text, asked = exercise.runner, RIGHT[exercise], []
    assert isinstance(runner, KernelRunner)

    def launch(text: str, keys: Any, result: Any, numbers: Any, **options: int) -> Any:
        asked.append((text, options))
        given = Launch(keys, result, options["blocks"], numbers)
        return simulate(RIGHT[exercise], runner.setting, given, orders=1).results[0]

    told = compare_on_device(exercise, launch, text)
    assert told == f"{exercise.name}, as CUDA C: right in all cases"
    assert asked[0] == (
        cuda(text, runner.setting),
        {"blocks": 1, "threads": runner.setting.threads},
    )
    told = compare_on_device(exercise, lambda text, keys, result, *_, **options: result, text)
    assert f"{exercise.name}, as CUDA C: wrong in case" in told
    asked.clear()
    for unfit in ("...", changed(text, "void kernel -> void kernels")):
        told = compare_on_device(exercise, launch, unfit)
        assert told == f"{exercise.name}: first it must be right without a GPU"
    assert not asked, "no GPU is asked to run what is wrong here"


def test_every_exercise_with_a_kernel_has_a_name() -> None:
    assert {each for _, each in named_exercises()} == {*RIGHT}


@every_kernel
def test_cases_as_data_give_what_is_expected(exercise: Exercise) -> None:
    data = json.loads(json.dumps(as_data(exercise)))
    constants = tuple(data["constants"].items())
    setting = Setting(data["threads"], tuple(data["numbers"]), constants)
    unordered = data["unordered"] and Unordered(**data["unordered"])
    runner = KernelRunner(setting, unordered=unordered)
    for case in data["cases"]:
        keys, result = np.array(case["keys"]), np.array(case["result"])
        launch = Launch(keys, result, case["blocks"], tuple(case["numbers"]))
        (found,) = simulate(RIGHT[exercise], setting, launch, orders=1).results
        assert runner.sort(found, launch).tolist() == case["expected"]
