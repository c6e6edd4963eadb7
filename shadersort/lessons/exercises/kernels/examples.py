"""Kernels to look at in the microscope: each with what it shows, and how it is launched."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A kernel that is no exercise. It is given small random keys, and `result` is 0 at first."""

    name: str
    told: str
    text: str
    keys: int = 128


EXAMPLES = (
    Example(
        "example: neighbours",
        "Neighbouring threads read and write neighbouring places: a warp needs 4 sectors for 32 "
        "keys, and no kernel needs fewer.",
        """\
void kernel() {
    int i = block * THREADS + thread;
    result[i] = 2 * keys[i];
}
""",
    ),
    Example(
        "example: a stride",
        "Each thread reads a key 8 places after that of its neighbour, so each in another sector: "
        "of 32 bytes that are moved, 4 are used. Try other strides.",
        """\
void kernel() {
    int i = block * THREADS + thread;
    int from = (i * 8 + i * 8 / n) % n;
    result[i] = 2 * keys[from];
}
""",
        keys=512,
    ),
    Example(
        "example: a transposition",
        "The keys are rows of 32, and `result` gets them as columns. Rows are read in order, so "
        "columns are written with a stride: is the other way round better?",
        """\
void kernel() {
    int i = block * THREADS + thread;
    int row = i / 32;
    int column = i % 32;
    result[column * (n / 32) + row] = keys[i];
}
""",
        keys=1024,
    ),
    Example(
        "example: bank conflicts",
        "All lanes of a warp use the same bank of shared memory, one after the other. Make the "
        "rows one place longer: what becomes of the conflicts?",
        """\
shared int tile[64 * 33];

void kernel() {
    int width = 32;
    int i = block * THREADS + thread;
    tile[thread * width] = keys[i];
    barrier();
    result[i] = tile[(THREADS - 1 - thread) * width];
}
""",
    ),
    Example(
        "example: a reduction",
        "The smallest key of each block, by steps in which every second, fourth, eighth … thread "
        "works. Look at the lanes that take part: how could fewer warps do the same?",
        """\
shared int least[THREADS];

void kernel() {
    least[thread] = keys[block * THREADS + thread];
    barrier();
    for (int step = 1; step < THREADS; step *= 2) {
        if (thread % (2 * step) == 0) {
            least[thread] = min(least[thread], least[thread + step]);
        }
        barrier();
    }
    if (thread == 0) result[block] = least[0];
}
""",
    ),
    Example(
        "example: a scan",
        "The largest key so far, for each key of a block. In each step a thread looks twice as far "
        "to the left; it reads before all meet, and writes after that.",
        """\
shared int largest[THREADS];

void kernel() {
    int i = block * THREADS + thread;
    largest[thread] = keys[i];
    barrier();
    for (int step = 1; step < THREADS; step *= 2) {
        int left = thread >= step ? largest[thread - step] : 0;
        barrier();
        largest[thread] = max(largest[thread], left);
        barrier();
    }
    result[i] = largest[thread];
}
""",
    ),
    Example(
        "example: a histogram",
        "How often each of 16 digits occurs. Every key is an atomic on `result`, in global memory, "
        "which all blocks use: lesson 11 has a better way.",
        """\
void kernel() {
    int i = block * THREADS + thread;
    int digit = keys[i] % 16;
    atomicAdd(result[digit], 1);
}
""",
    ),
    Example(
        "example: a race",
        "Each block should turn its keys round, but threads read places that others have not "
        "written yet. Where does a `barrier();` belong?",
        """\
shared int row[THREADS];

void kernel() {
    int i = block * THREADS + thread;
    row[thread] = keys[i];
    result[i] = row[THREADS - 1 - thread];
}
""",
    ),
)
