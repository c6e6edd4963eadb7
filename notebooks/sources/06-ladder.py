# %% [markdown]
# # 6 · The same shaders today
#
# **The idea.** The same network can be drawn in several ways. On a GPU of today what costs is not
# comparing keys but writing texels, so the way that was best in 2005 is now the worst.
#
# **Time.** 35 minutes.
#
# [Lesson 5](05-cost.ipynb) ended with a guess: is blending still the fastest way to compare? We
# took the sort of 2005, and ran it on an NVIDIA H200, a GPU for data centres. The times were
# recorded, so you need no such card; beside each picture is the day.

# %%
import numpy as np

import modern
import shadersort as ss
from shadersort.lessons import picture, record
from shadersort.lessons.ladder import exercises as lesson
from shadersort.lessons.ladder import live, pictures, rates

drawn = record("ladder-nvidia-h200")
chip = record("chip-nvidia-h200")

# %%
picture(live.show_ladder(drawn), "milliseconds of eight ways to sort by drawing, and of others")

# %% [markdown]
# Look at the axis: it is logarithmic. From the longest bar to `cupy.sort` it is a factor of 2,000.
# All of them sort the same 8 million 32-bit keys. (The coloured eight sort the four channels of a
# texture side by side; merging these is not counted. The last bar sorts nothing: we come to it.)
#
# And look at the longest bar: it is the paper's own program, PBSN by blending. It takes 1.29
# seconds. In lesson 5 we worked out 1.37 seconds of drawing for the card of 2005! To be fair, that
# card could only blend 16-bit numbers. With those the H200 is faster:

# %%
(halves,) = record("sort-nvidia-h200").where(
    keys=1 << 23, dtype="float16", network="pbsn", method="blend"
)
then = 1e3 * ss.estimate(1 << 23).gpu_seconds
print(
    f"16-bit keys: {then:,.0f} ms by the data sheet of 2005, {halves['program_ms']:,.0f} ms today"
)

# %% [markdown]
# Nearly five times faster in twenty years. That is little. The paper's card computed 45 thousand
# million operations in a second at best (section 1.1 of Govindaraju, Raghuvanshi and Manocha,
# SIGMOD 2005). The H200 computes more than a thousand times as many, as we shall see. Where did
# they go?
#
# ## Four ways to draw a network
#
# The bars have four colours, for four **methods**. All run the same comparators.
#
# - **blend**: three passes a step, MIN, MAX and a copy, as in lesson 3.
# - **fragment**: one pass a step. A *fragment shader* is a small program that a card runs for each
#   texel that it draws. This one fetches two texels, and keeps one.
# - **fused**: one pass for several steps, mostly four. A program fetches eight keys, runs all
#   comparators among them, and writes eight keys.
# - **compute**: a *compute shader* draws nothing at all. A group of 1,024 threads loads 2,048
#   texels into a small, fast memory that they share, runs up to 66 steps there, and stores them.
#
# The picture shows the last 31 of the 91 steps of a bitonic network, for 8,192 keys in each
# channel. A block is one pass. The first block of "compute" began long before, at step 0.

# %%
picture(pictures.show_passes(), "the steps of one network, cut into passes by four methods")

# %% [markdown]
# ## A comparator as a program
#
# Here is the heart of the fragment shader, for one step (in the package: `shaders/cone.glsl`):
#
# ```glsl
# int partner = partner_of(wire, rules[step]);
# TEXEL own = before(wire), other = before(partner);
# return wire < partner ? smaller(own, other) : larger(own, other);
# ```
#
# A texel knows its own place, its *wire*. It works out its partner's, and fetches both keys. If it
# is the upper one of the two it keeps the smaller key, and otherwise the larger. The partner runs
# the same lines at the same time, and keeps the other one. Nobody writes to another's place.
#
# ### Your turn
#
# Do the same for all texels at once, in NumPy. `partner[i]` is the wire that wire i is compared
# with. (An idle wire is its own partner.)


# %%
def after_one_step(keys, partner):
    """Return the keys after one step of a network, as an array; change nothing."""
    # solution
    wires = np.arange(len(keys))
    other = keys[partner]
    return np.where(wires < partner, np.minimum(keys, other), np.maximum(keys, other))
    # end


lesson.after_one_step.check(after_one_step)

# %% [markdown]
# In 2005 such a program needed at least 53 instructions (section 4.5 of the paper), and blending
# was the fast way. Today the program takes less than a quarter of the time of blending. So the
# verdict is reversed. Why?
#
# ## Count the texels
#
# Lesson 5 taught us to count. How many texels does each method write to sort 8 million keys
# with the bitonic network?

# %%
print("method   passes  million texels  milliseconds  million texels a ms")
for method in ss.METHODS:
    program = rates.program_of("bitonic", method, 1 << 23)
    (row,) = drawn.where(network="bitonic", method=method)
    millions, took = program.texels / 1e6, row["program_ms"]
    print(f"{method:9}{len(program.passes):6}{millions:16.0f}{took:14.1f}{millions / took:21.1f}")

# %% [markdown]
# Fragment and fused write very different numbers of texels, and yet at nearly the same *rate*: 3 to
# 3.5 million in a millisecond. Here are all three networks. Each grey line is one rate.

# %%
picture(pictures.show_rates(drawn), "time against texels written: each method lies near one line")

# %% [markdown]
# Fragment and fused, orange and green, lie near one line: 3.5 thousand million texels a second,
# however many comparisons are made for each. A fused program runs several steps, and pays
# for one write. **Whoever draws pays by the texel written.**
#
# Blending lies on a worse line, and compute on a much better one. To see why, look at the chip.
#
# ## Why a data-centre GPU draws slowly
#
# We gave the same work to a fragment shader and to a compute shader: first long arithmetic with
# hardly any memory, then writing colours with hardly any arithmetic.

# %%
picture(pictures.show_chip(chip), "what fragment and compute shaders do in a second on an H200")

# %%
(by_fragment,) = chip.where(work="arithmetic", stage="fragment")
(by_compute,) = chip.where(work="arithmetic", stage="compute")
print(f"{by_compute['tflops'] / by_fragment['tflops']:.1f} times the arithmetic")

# %% [markdown]
# The same arithmetic, 33 times faster! A fragment shader gets only one part in 33 of the chip. It
# is built like that: of the 66 blocks of processors ("TPCs") of an H100, which has the same chip
# as the H200, two can draw (NVIDIA's white paper *NVIDIA H100 Tensor Core GPU Architecture*, 2022).
# And 66 / 2 = 33. The chip was made for computing. That it can draw at all is a courtesy.
#
# With so small a part, only few texels can be written at a time: 3.5 thousand million in a second,
# 58 times fewer than compute shaders store. And blending 32-bit numbers is 3.5 times slower still:
# it must read the frame, compare, and write.
#
# ### Your turn
#
# Do these two rates explain the ladder? Predict how long a program of passes takes on the H200: it
# writes `copied` texels without blending, `writing` thousand million in a second, and blends
# `blended` texels, `blending` thousand million in a second.


# %%
def predicted_ms(copied, blended, writing, blending):
    """Return the milliseconds that a program takes, if only written texels cost."""
    # solution
    seconds = copied / (writing * 1e9) + blended / (blending * 1e9)
    return 1000 * seconds
    # end


lesson.predicted_ms.check(predicted_ms)

# %% [markdown]
# Here is that prediction for everything that draws, beside what was measured. It knows of no
# network, no comparison and no size of a pass: just two rates, which were measured with nothing
# sorted at all.

# %%
picture(
    pictures.show_predicted(drawn), "predicted times against measured ones, close to the diagonal"
)

# %% [markdown]
# All nine lie near the diagonal, over a range of thirty to one. The worst is PBSN, fused: it
# takes a quarter longer than predicted. It also has to *read*, and we left that out.
#
# So this is the answer. In 2005 the whole card drew, its blending units were fast, and a comparison
# in a program was slow. Today comparing costs next to nothing, and drawing is done by a small
# corner of the chip. (With 16-bit keys the H200 blends as fast as it writes, and it writes twice as
# fast. That is why halves were so much better at the beginning.)
#
# ## Climbing off the ladder
#
# **compute** is not bound by that corner. It uses the whole chip, stores texels from all of it, and
# stays in shared memory for up to 66 steps. It sorts 145 times faster than PBSN by blending; with
# the bitonic network, 434 times. It is still the same idea as in 2005: a sorting network, fixed in
# advance.
#
# **CUDA** needs no network. `cupy.sort` is a *radix sort*: it does not compare keys, it deals them
# into heaps by their digits, a few bits at a time. For that a thread must write to a place that
# depends on the key. This is what a card of 2005 could not do (lesson 1), and why there were
# networks in the first place. The work grows with n and not with n log² n.

# %%
keys = np.random.default_rng(6).random(100_000, np.float32)
print("modern.sort is right:", np.array_equal(modern.sort(keys), np.sort(keys)))

# %% [markdown]
# (`modern.sort` sorts on a GPU if the keys are there, and by NumPy if not.) How good is it? There
# is a limit: nobody can sort keys without reading them. So we count in **reads**, the time in
# which the GPU reads all keys once.

# %%
peers = record("modern-nvidia-h200")
print(peers.label)
for n in (1 << 26, 1 << 28):
    (row,) = peers.where(n=n, dtype="float32", distribution="uniform", group="whole", what="sort")
    print(f"{n:11,} keys sorted in {row['ms']:.2f} ms, {row['reads']:.0f} reads")

# %% [markdown]
# About 25 reads for a complete sort. If you want only the median, lesson 11 finds it in two
# to four.
#
# ## And where a CPU draws?
#
# Your machine may have no GPU. Then Mesa's llvmpipe draws, a program on the CPU. Is its ladder the
# same? Guess before you run the cell: for a CPU, what is a compute shader good for?

# %%
on_cpu = record("ladder-llvmpipe")
picture(live.show_ladder(drawn, on_cpu), "the ladder of an H200, and that of a CPU that draws")

# %% [markdown]
# Fusing steps of these two networks helps on both: a texel that is not written costs nothing. But a
# CPU has no small corner that draws, and no special shared memory, so compute shaders win nothing
# there. And `np.sort` beats them all: a CPU can put a key where it belongs, and needs no network.
#
# The best method belongs to a machine, and not to an algorithm. That is why `ss.sort(keys,
# method="auto")` asks the device first.
#
# ### Your own ladder
#
# In a running notebook there is a button under the picture. It runs all of this on your machine,
# with fewer keys if there is no GPU: 4,096. With so few, each channel fits into one block of shared
# memory, and compute takes one pass or two. See whether that changes the order.

# %%
live.Live(drawn)

# %% [markdown]
# ## What to remember
#
# | | a card of 2005 | an H200 |
# |---|---|---|
# | what draws | all of it | one part in 33 |
# | what comparing costs | 53 cycles by program, 6.5 by blending | nothing that can be seen |
# | what costs | blending, and setup | texels written |
# | best way to draw | blending | fused steps: few texels written |
# | best way to sort | about the same as on the CPU | not by drawing |
#
# An algorithm is fast *on* something. Measure on the machine, count, and ask what is slowest.
