# %% [markdown]
# # 13 · Side by side
#
# **The idea.** A shader says what becomes of one texel, and nothing else. A CUDA thread is a
# worker: it reads where it likes, remembers, and writes where it likes. Every difference comes from
# there.
#
# **Time.** 35 minutes.
#
# In this lesson the two GPUs of the package stand side by side. The one of 2005 draws; its programs
# are **shaders**, in the language GLSL, in the folder `shaders/`. The one of today computes; its
# programs are **kernels**, in CUDA, in `modern/kernels/`. You will read both, in small pieces. You
# need no C: if you know Python, and that `++i` adds one, you can follow.

# %%
from importlib.resources import files

import numpy as np

import shadersort as ss
from modern.arrays import has_gpu, served
from shadersort.drawing.shaders import directory
from shadersort.lessons import picture, record
from shadersort.lessons.side_by_side import exercises as lesson
from shadersort.lessons.side_by_side import pictures, sources
from shadersort.lessons.side_by_side.steps import measured


def glsl(name):
    """Return the text of a shader."""
    return (directory() / name).read_text()


def cuda(name):
    """Return the text of a kernel."""
    return (files("modern.kernels") / name).read_text()


# %% [markdown]
# ## The same language, nearly
#
# We begin with something that both do alike. Keys lie in order; how many are smaller than a given
# one? You halve: look at the middle key, and go on in the left or the right half. On the left is a
# shader's version, on the right a kernel's, as they stand in the package; "…" means that lines are
# left out. Lines with the same letter do the same.

# %%
sources.columns("search", glsl, cuda)

# %% [markdown]
# (`entries_before` may also count the keys that are equal: then `upto` is true. What stands before
# the name of a function says who may call it, and need not bother us.)
#
# Two relatives of C. One line tells them apart, A. The kernel has the keys in **memory**: an array,
# `row[middle]`. The shader has them in a **texture**: four keys to a texel, the texels in rows,
# and `texelFetch` reads one of them.
#
# Some words for what follows:
#
# | GLSL | CUDA | |
# |---|---|---|
# | `uniform` | an argument | what is the same for all |
# | `KEY`, `TEXEL` | `RAW`, `VALUE` | types: a key, four keys; a key's bits, its number |
# | `texelFetch(keys, place, 0)` | `keys[i]` | reading |
# | `color = …` | `result[i] = …` | writing |
# | `gl_FragCoord` | `blockIdx`, `threadIdx` | where am I? who am I? |
#
# The last two rows hold the whole difference. A shader may write `color`, and that is the texel at
# which it stands. It cannot choose another one. A kernel writes `result[i]`, for any i that it
# likes.
#
# ## Who does the work
#
# A shader is run **once for each texel** that is drawn. A thousand texels, a thousand runs, all at
# the same time as far as you know, and none of them knows of another. There is no loop over the
# keys in a shader: *drawing the quad is the loop*.
#
# A kernel is run by as many **threads** as you ask for. Each has a number, and takes some keys. A
# usual way: thread 0 of 8 takes the keys 0, 8, 16 …, thread 1 takes 1, 9, 17 …

# %%
picture(
    pictures.show_work(texels=32, threads=8),
    "32 runs of a shader, one for each texel, and 8 threads that share 32 keys",
)

# %% [markdown]
# ## First step: counting at a pivot
#
# How many keys are below a pivot? Many methods of selection ask little else. (The kernel can also
# sum up distances. We leave that out.)

# %%
sources.columns("counting", glsl, cuda)

# %% [markdown]
# - **A.** Both get the pivot from outside.
# - **B.** Both read a key. The shader reads the one that lies where it stands.
# - **C.** Both compare. And here they part.
#
# Each thread has a **counter** of its own, `below`, and adds to it, key after key: `for_each_key`
# is the loop of the picture above. At the end `joined` adds up the counters of all threads.
#
# The shader cannot count: it has one key, and nothing outlives it. All that it can do is to say
# `discard`: *draw nothing here*. Then the **card** counts the texels that were not discarded. It
# has a counter for this, an **occlusion query**. It was made for games, which ask how much of a
# thing can be seen behind a wall. Govindaraju, Lloyd, Wang, Lin and Manocha counted with it in 2004
# (*Fast Computation of Database Operations Using Graphics Processors*, SIGMOD). One pass answers
# one question.
#
# (`counted_key` has a channel, too. A texel has four keys, but is counted once; so the quad is
# drawn four times, once for each channel.)
#
# ### Your turn
#
# Be the threads. Thread t of some `threads` takes the keys t, t + threads, t + 2 · threads …, and
# counts those that are below the pivot. What are the counters of all threads, before they are added
# up?


# %%
def counts_of_threads(keys, pivot, threads):
    """Return an array with the counter of each thread; keys is a flat array."""
    # solution
    return np.array([np.count_nonzero(keys[t::threads] < pivot) for t in range(threads)])
    # end


lesson.counts_of_threads.check(counts_of_threads)

# %% [markdown]
# ## Second step: from many to one
#
# Which key is the nearest that is not below the pivot? The smallest of all that pass a test: a
# **reduction**. Now many answers must become one, and the card has no counter for that.

# %%
sources.columns("nearest", glsl, cuda)

# %% [markdown]
# - **A.** The test. The shader makes it for the four keys of a texel at once. The kernel asks how
#   much `higher` than the pivot a key is. It subtracts codes, unsigned integers, which know nothing
#   below zero: a key below the pivot comes out as a huge number, and is never the least.
# - **B.** The smaller one stays. Both keep it to themselves, for now.
# - **C, D.** Then what is spread over many places becomes one. Here are the two ways.
#
# **A pyramid.** The shader can only write the texel at which it stands. So the next texture is
# drawn smaller, half as wide and half as high: each of its texels fetches four of the larger one
# (these fetches are its *taps*), and keeps the least. And so on, until there is one texel. For 64
# keys:

# %%
rng = np.random.default_rng(13)
picture(
    pictures.show_pyramid(rng.permutation(64).reshape(8, 8)),
    "a pyramid: 64 keys become 16, 4, and the least of all, in three passes",
)

# %% [markdown]
# Every pass reads a texture and writes a smaller one, and the next pass has to wait for it. For 64
# million keys in 16 million texels these are 12 passes.
#
# **Shuffles.** Threads stand closer together. 32 of them form a **warp**, and walk in step; each is
# called a *lane*. In one instruction, `__shfl_down_sync`, every lane can look at what the lane some
# steps further on holds. So 32 numbers become one in five steps, and no memory is touched. Here it
# is with 16 lanes: each takes the smaller one of its own number and that of the lane 8 further on;
# then 4, 2, 1.

# %%
picture(
    pictures.show_lanes(rng.permutation(16)),
    "what 16 lanes hold, after each of four steps; lane 0 ends with the least",
)

# %% [markdown]
# Lane 0 knows the least of all in the end. The others know the least of *some*: where there is
# nobody so far on, a lane keeps what it has. That is no harm, because nobody asks it.
#
# ### Your turn
#
# Write this: what do the lanes hold in the end? Mind that in each step all lanes look at once.


# %%
def warp_least(lanes):
    """Return what all lanes hold after the last step; their number is a power of two."""
    # solution
    lanes = lanes.copy()
    step = len(lanes) // 2
    while step > 0:
        further = lanes[step:].copy()
        lanes[:-step] = np.minimum(lanes[:-step], further)
        step //= 2
    return lanes
    # end


lesson.warp_least.check(warp_least)

# %% [markdown]
# ## Third step: a histogram
#
# How many keys lie in each of 256 buckets? The key itself says which counter grows. A worker who
# may write where he likes just does it. Whoever can write one texel only cannot: the texel was
# chosen before the key was read. Lesson 1 named this first among what the machine cannot do.
#
# So in the left column there is no shader. There is a way around: a bucket holds the keys below its
# upper edge but for those below its lower one. 255 edges, 255 questions to `below.frag`, and each
# draws all keys again.

# %%
sources.columns("histogram", glsl, cuda)

# %% [markdown]
# On the right, `bucket_of` works out the number of a key's bucket, and `atomicAdd(&bins[…], 1)`
# adds one to that counter. *Atomic* means: even if many threads do it at the same moment, none of
# the ones is lost. `__shared__` memory is a small table that the threads of a block, here 1,024,
# have in common, close at hand.
#
# ## How long it takes
#
# Both ran on the same chip, an NVIDIA H200, which can draw and compute. The keys lay in its memory
# already. The time is from the question to the answer, by the clock of the computer that asks. If
# this machine has such a GPU, the next cell measures here, too, and adds stars to the picture.

# %%
steps = record("steps-nvidia-h200")
here = []
device = ss.open_device()
if device.hardware and has_gpu():
    import cupy

    keys = rng.random(1 << 22, np.float32)
    with served(cupy.asarray(keys)) as (_, array):
        here = list(measured(keys, device, array))
device.close()
picture(
    pictures.show_times(steps.rows, steps.label, here),
    "milliseconds of four steps over the number of keys, by GLSL, by CUDA, and on a card of 2005",
)

# %%
n = 1 << 26
for step, title in pictures.TITLES.items():
    drawn, computed = (steps.where(step=step, by=by, keys=n)[0]["ms"] for by in ("GLSL", "CUDA"))
    print(
        f"{title:31} {drawn:8.2f} ms drawn, {computed:.3f} ms computed: {drawn / computed:8,.0f} ×"
    )

ms = steps.where(step="counts", by="CUDA", keys=n)[0]["ms"]
print(f"\nCUDA counts {4 * n / ms / 1e9:.1f} million million bytes a second.")

# %% [markdown]
# - **At the left** the curves are flat. What takes time is to ask at all: some 25 µs by CUDA, and
#   10 to 60 times as much by drawing, where every pass is a command of its own. (For a histogram
#   it is about 60 µs, and a thousand times as much: 255 questions.)
# - **At the right** CUDA waits for its memory, and for little else. It reads each key once, 3.2
#   million million bytes a second; the data sheet of this chip says 4.8. No program can be
#   more than half as fast again.
# - **Drawing** is 50 to 180 times slower *on the same chip*, for 64 million keys. To count, every
#   key is a run of a shader, started for a few instructions only; the counter has to be asked for;
#   and only a small part of this chip can draw at all. Nobody plays games on it.
# - **The nearest key** is found sooner by drawing than keys are counted, although it takes many
#   passes. There, a texel is fetched once for its four keys; counting fetches it four times for
#   each of two counters, below and equal.
# - **The histogram** shows the price of one missing freedom: to choose where to write.
# - **The card of 2005**, by its data sheet, is not far from today's drawing. (The sheet knows of no
#   waiting but the setup of a pass, so its line goes on falling at the left.) In twenty years,
#   drawing of this kind has become a few times faster; reading all keys, if you may do it your way,
#   a hundred times and more.
#
# ## It is not the language
#
# GLSL has grown, too. Since OpenGL 4.3 (2012) there are **compute shaders**. They draw nothing, and
# each run is a worker. Look who is on the left now:

# %%
sources.columns("workers", glsl, cuda)

# %% [markdown]
# Line for line the same: *who am I* (A), and *am I still inside? Then write where I say* (B). A
# compute shader also has `shared` memory and `barrier()`, as CUDA has `__shared__` and
# `__syncthreads()`. `shaders/block.comp` sorts whole blocks in it. Here is what that freedom is
# worth for the same network, in the same language, on the same chip:

# %%
ladder = record("ladder-nvidia-h200")
print(f"8 million keys, bitonic network, {ladder.label}:")
for method in ("blend", "fragment", "fused", "compute"):
    row = ladder.where(network="bitonic", method=method)[0]
    print(f"  {method:9} {row['program_ms']:7.1f} ms")

# %% [markdown]
# (Lesson 6 climbs this ladder step by step.)
#
# ## What to remember
#
# | | a shader that draws | a CUDA thread |
# |---|---|---|
# | runs | once for each texel | as often as you say |
# | reads | anywhere | anywhere |
# | writes | the texel at which it stands | anywhere |
# | remembers | nothing | counters, from key to key |
# | meets others | never | in a warp, in shared memory, by atomics |
# | many become one by | a pyramid of passes, or the card's own counter | shuffles |
# | a histogram | one question for each edge | one read |
#
# The people of 2005 knew all this, and looked for what a shader *can* do. That is how a sorting
# network came to be drawn.
