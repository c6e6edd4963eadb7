# %% [markdown]
# # 13 · Side by side
#
# **The idea.** A shader computes one texel, and nothing else. A CUDA thread is a worker: it reads
# any place, remembers, and writes any place. All other differences follow from this.
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
# We begin with a task that both solve alike. Keys are in order; how many are smaller than a given
# one? Look at the middle key, and continue in the left or the right half. On the left is a shader's
# version, on the right a kernel's, as they stand in the package; "…" means that lines are left out.
# Lines with the same letter do the same.

# %%
sources.columns("search", glsl, cuda)

# %% [markdown]
# (`entries_before` may also count the keys that are equal: then `upto` is true. The words before
# the name of a function say who may call it; they do not matter here.)
#
# Both languages are like C. The important difference is in line A. The kernel has the keys in
# **memory**: an array, `row[middle]`. The shader has them in a **texture**: four keys to a texel,
# the texels in rows, and `texelFetch` reads one of them.
#
# Some words for what follows:
#
# | GLSL | CUDA | |
# |---|---|---|
# | `uniform` | an argument | a value that is the same for all |
# | `KEY`, `TEXEL` | `RAW`, `VALUE` | types: a key, four keys; a key's bits, its number |
# | `texelFetch(keys, place, 0)` | `keys[i]` | reading |
# | `color = …` | `result[i] = …` | writing |
# | `gl_FragCoord` | `blockIdx`, `threadIdx` | where am I? who am I? |
#
# The last two rows show the whole difference. A shader may write `color`, which is its own texel.
# It cannot choose another one. A kernel writes `result[i]`, for any i.
#
# ## Who does the work
#
# A shader is run **once for each texel** that is drawn. A thousand texels are a thousand runs, in
# parallel, and no run can see another one. There is no loop over the keys in a shader: *drawing the
# quad is the loop*.
#
# A kernel is run by as many **threads** as you request. Each has a number, and takes some keys. A
# usual way: thread 0 of 8 takes the keys 0, 8, 16 …, thread 1 takes 1, 9, 17 …

# %%
picture(
    pictures.show_work(texels=32, threads=8),
    "32 runs of a shader, one for each texel, and 8 threads that share 32 keys",
)

# %% [markdown]
# ## First step: counting at a pivot
#
# How many keys are below a pivot? Many methods of selection need little else. (The kernel can also
# sum up distances. We leave that out.)

# %%
sources.columns("counting", glsl, cuda)

# %% [markdown]
# - **A.** Both get the pivot from outside.
# - **B.** Both read a key. The shader reads the key at its own place.
# - **C.** Both compare. From here on they differ.
#
# Each thread has a **counter** of its own, `below`, and adds to it, key after key: `for_each_key`
# is the loop of the picture above. At the end `joined` adds up the counters of all threads.
#
# The shader cannot count: it has one key, and keeps nothing. It can only say `discard`: *draw
# nothing here*. Then the **card** counts the texels that were not discarded. It has a counter for
# this, an **occlusion query**. It was made for games, which need to know how much of an object is
# visible behind a wall. Govindaraju, Lloyd, Wang, Lin and Manocha counted with it in 2004 (*Fast
# Computation of Database Operations Using Graphics Processors*, SIGMOD). One pass answers one
# question.
#
# (`counted_key` has a channel, too. A texel has four keys, but is counted once; so the quad is
# drawn four times, once for each channel.)
#
# ### Your turn
#
# Compute what the threads do. Thread t of `threads` takes the keys t, t + threads, t + 2 · threads
# …, and counts the keys below the pivot. What are the counters of all threads, before they are
# added up?


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
#   much `higher` than the pivot a key is. It subtracts codes, which are unsigned integers: for a
#   key below the pivot the difference wraps around to a huge number, which is never the least.
# - **B.** The smaller one stays. Both keep it to themselves, for now.
# - **C, D.** Then many results become one. Here are the two ways.
#
# **A pyramid.** The shader can only write its own texel. So the next texture is drawn smaller, half
# as wide and half as high: each of its texels fetches four of the larger one (these fetches are its
# *taps*), and keeps the least. And so on, until there is one texel. For 64 keys:

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
# **Shuffles.** Threads can exchange values. 32 of them form a **warp**, and run together; each is
# called a *lane*. In one instruction, `__shfl_down_sync`, every lane can read the value of the lane
# some places further on. So 32 numbers become one in five steps, without memory. Here it is with 16
# lanes: each takes the smaller one of its own number and that of the lane 8 further on; then 4, 2,
# 1.

# %%
picture(
    pictures.show_lanes(rng.permutation(16)),
    "what 16 lanes hold, after each of four steps; lane 0 ends with the least",
)

# %% [markdown]
# Lane 0 knows the least of all in the end. The others know the least of *some* lanes: where there
# is no lane so far on, a lane keeps its value. This does no harm, because only lane 0 is read.
#
# ### Your turn
#
# Write this: what do the lanes hold in the end? Note that in each step all lanes read at once.


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
# How many keys lie in each of 256 buckets? The key itself decides which counter grows. A thread
# that may write anywhere simply does it. A shader cannot: its texel was chosen before the key was
# read. In lesson 1 this was the first thing that the machine cannot do.
#
# So in the left column there is no shader. There is another way: a bucket holds the keys below its
# upper edge, without those below its lower edge. So 255 edges need 255 questions to `below.frag`,
# and each draws all keys again.

# %%
sources.columns("histogram", glsl, cuda)

# %% [markdown]
# On the right, `bucket_of` computes the number of a key's bucket, and `atomicAdd(&bins[…], 1)` adds
# one to that counter. *Atomic* means that no addition is lost, even if many threads add at the same
# moment. `__shared__` memory is a small and fast memory that the threads of a block, here 1,024,
# share.
#
# ## How long it takes
#
# Both ran on the same chip, an NVIDIA H200, which can draw and compute. The keys lay in its memory
# already. The time is from the question to the answer, by the clock of the host computer. If this
# machine has such a GPU, the next cell measures here, too, and adds stars to the picture.

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
print(f"\nCUDA reads {4 * n / ms / 1e9:.1f} · 10¹² bytes a second.")

# %% [markdown]
# - **At the left** the curves are flat. The time is that of the call itself: about {{call_us}} µs
#   by CUDA, and {{few_least}} to {{few_most}} times as much by drawing, where every pass is a
#   separate command. (For a histogram it is {{histogram_us}} µs, and {{histogram_ratio}} times as
#   much for 255 questions.)
# - **At the right** CUDA waits mainly for its memory. It reads each key once, {{read}} · 10¹² bytes
#   a second; the data sheet of this chip says {{sheet}} · 10¹². No program can be more than
#   {{limit}} times as fast.
# - **Drawing** is {{many_least}} to {{many_most}} times slower *on the same chip*, for 64 million
#   keys. To count, every key needs a run of a shader for a few instructions only; the counter must
#   be read back; and only a small part of this chip can draw.
# - **The nearest key** takes less time by drawing than counting, although it needs many passes. It
#   fetches a texel once for its four keys; counting fetches it four times for each of two counters,
#   below and equal.
# - **The histogram** shows what it costs that a shader cannot choose where to write.
# - **The card of 2005**, by its data sheet, is close to today's drawing. (The sheet has no delay
#   except the setup of a pass, so its line keeps falling at the left.) In twenty years, drawing of
#   this kind has become a few times faster; reading all keys with CUDA is more than a hundred times
#   faster.
#
# ## It is not the language
#
# GLSL has grown, too. Since OpenGL 4.3 (2012) there are **compute shaders**. They draw nothing, and
# each run is a worker. Now the left column has one:

# %%
sources.columns("workers", glsl, cuda)

# %% [markdown]
# Line by line they do the same: *who am I?* (A), and *am I inside? Then write to a place that I
# choose* (B). A compute shader also has `shared` memory and `barrier()`, as CUDA has `__shared__`
# and `__syncthreads()`. `shaders/block.comp` sorts whole blocks in it. Here is how much faster this
# is for the same network, in the same language, on the same chip:

# %%
ladder = record("ladder-nvidia-h200")
print(f"8 million keys, bitonic network, {ladder.label}:")
for method in ("blend", "fragment", "fused", "compute"):
    row = ladder.where(network="bitonic", method=method)[0]
    print(f"  {method:9} {row['program_ms']:7.1f} ms")

# %% [markdown]
# (Lesson 6 explains this ladder step by step.)
#
# ## What to remember
#
# | | a shader that draws | a CUDA thread |
# |---|---|---|
# | runs | once for each texel | as often as you request |
# | reads | anywhere | anywhere |
# | writes | its own texel | anywhere |
# | remembers | nothing | counters, from key to key |
# | exchanges values | never | in a warp, in shared memory, by atomics |
# | many become one by | a pyramid of passes, or the card's own counter | shuffles |
# | a histogram | one question for each edge | one read |
#
# The authors of 2005 knew all this, and looked for what a shader *can* do. So they drew a sorting
# network.
