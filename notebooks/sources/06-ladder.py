# %% [markdown]
# # 6 · The same shaders today
#
# **The idea.** The same network can be drawn in several ways. On a GPU of today the cost is in
# writing texels, not in comparing keys. So the best way of 2005 is now the worst.
#
# **Time.** 35 minutes.
#
# [Lesson 5](05-cost.ipynb) ended with a guess: is blending still the fastest way to compare? We ran
# the sort of 2005 on an NVIDIA H200, a GPU for data centres. The times were recorded, so you need
# no such card; each picture shows the date.

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
# Look at the axis: it is logarithmic. The longest bar is {{range}} times as long as that of
# `cupy.sort`. All of them sort the same 8 million 32-bit keys. (The coloured eight sort the four
# channels of a texture side by side; merging these is not counted. The last bar sorts nothing; it
# is explained below.)
#
# And look at the longest bar: it is the paper's own program, PBSN by blending. It takes
# {{paper_seconds}} seconds. In lesson 5 we computed {{seconds_2005}} seconds of drawing for the
# card of 2005! But that card could only blend 16-bit numbers. With those the H200 is faster:

# %%
(halves,) = record("sort-nvidia-h200").where(
    keys=1 << 23, dtype="float16", network="pbsn", method="blend"
)
then = 1e3 * ss.estimate(1 << 23).gpu_seconds
print(
    f"16-bit keys: {then:,.0f} ms by the data sheet of 2005, {halves['program_ms']:,.0f} ms today"
)

# %% [markdown]
# This is {{halves_faster}} times faster after twenty years. That is little. The paper's card
# computed at most 45 · 10⁹ operations in a second (section 1.1 of Govindaraju, Raghuvanshi and
# Manocha, SIGMOD 2005). The H200 computes {{flops_ratio}} times as many, as we shall see. Why is
# the sort not so much faster?
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
# the same lines at the same time, and keeps the other one. No texel writes to the place of another.
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
# was the fast way. Today blending takes {{blend_over_fragment}} times as long as the program. So
# the result is reversed. Why?
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
# Fragment and fused write very different numbers of texels, but at nearly the same *rate*. Here are
# all three networks. Each grey line is one rate.

# %%
picture(pictures.show_rates(drawn), "time against texels written: each method lies near one line")

# %% [markdown]
# Fragment and fused, orange and green, lie near one line: {{writing}} · 10⁹ texels a second, for
# any number of comparisons. A fused program runs several steps for the price of one write. **The
# cost of drawing is the number of texels written.**
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
# The same arithmetic, {{arithmetic}} times faster! A fragment shader gets only a small part of the
# chip, 1/{{arithmetic}} of its arithmetic. The reason is in the hardware: of the 66 blocks of
# processors ("TPCs") of an H100, which has the same chip as the H200, two can draw (NVIDIA's white
# paper *NVIDIA H100 Tensor Core GPU Architecture*, 2022). And 66 / 2 = 33. The chip was made for
# computing, and drawing has little room on it.
#
# So small a part writes few texels: {{writing}} · 10⁹ in a second, {{stored}} times fewer than
# compute shaders store. And blending 32-bit numbers is another {{blended_slower}} times slower: it
# must read the frame, compare, and write.
#
# ### Your turn
#
# Do these two rates explain the ladder? Predict how long a program of passes takes on the H200: it
# writes `copied` texels without blending, `writing` · 10⁹ in a second, and blends `blended` texels,
# `blending` · 10⁹ in a second.


# %%
def predicted_ms(copied, blended, writing, blending):
    """Return the milliseconds that a program takes, if only written texels cost."""
    # solution
    seconds = copied / (writing * 1e9) + blended / (blending * 1e9)
    return 1000 * seconds
    # end


lesson.predicted_ms.check(predicted_ms)

# %% [markdown]
# Here is that prediction for everything that draws, beside what was measured. It uses no network,
# no comparison and no size of a pass: only two rates, which were measured without any sort.

# %%
picture(
    pictures.show_predicted(drawn), "predicted times against measured ones, close to the diagonal"
)

# %% [markdown]
# All nine lie near the diagonal, although the longest time is {{span}} times the shortest. The
# worst is PBSN, fused: it takes {{worst}} longer than predicted. It must also *read*, which the
# prediction ignores.
#
# So this is the answer. In 2005 the whole card drew, its blending units were fast, and a comparison
# in a program was slow. Today comparing costs almost nothing, and only a small part of the chip
# draws. (With 16-bit keys the H200 blends as fast as it writes, and it writes {{halves_written}}
# times as many. This explains the shorter time of 16-bit keys above.)
#
# ## Faster than drawing
#
# **compute** is not limited to that part. It uses the whole chip, and stays in shared memory for up
# to 66 steps. It sorts {{compute_pbsn}} times faster than PBSN by blending; with the bitonic
# network, {{compute_bitonic}} times. It is still the same idea as in 2005: a sorting network, fixed
# in advance.
#
# **CUDA** needs no network. `cupy.sort` is a *radix sort*: it does not compare keys, but
# distributes them by their digits, a few bits at a time. For that a thread must write to a place
# that depends on the key. A card of 2005 could not do this (lesson 1), so it needed a network. The
# work of a radix sort grows with n, not with n log² n.

# %%
keys = np.random.default_rng(6).random(100_000, np.float32)
print("modern.sort is right:", np.array_equal(modern.sort(keys), np.sort(keys)))

# %% [markdown]
# (`modern.sort` sorts on a GPU if the keys are there, and by NumPy if not.) How good is it? There
# is a limit: a sort must read all keys. So we count in **reads**. One read is the time in which the
# GPU reads all keys once.

# %%
peers = record("modern-nvidia-h200")
print(peers.label)
for n in (1 << 26, 1 << 28):
    (row,) = peers.where(n=n, dtype="float32", distribution="uniform", group="whole", what="sort")
    print(f"{n:11,} keys sorted in {row['ms']:.2f} ms, {row['reads']:.0f} reads")

# %% [markdown]
# A complete sort of 2²⁸ keys takes {{sort_reads}} reads. If you want only the median, lesson 11
# finds it in about {{median_reads}}.
#
# ## And where a CPU draws?
#
# Your machine may have no GPU. Then Mesa's llvmpipe draws, a program on the CPU. Is its ladder the
# same? Guess before you run the cell: do compute shaders help on a CPU?

# %%
on_cpu = record("ladder-llvmpipe")
picture(live.show_ladder(drawn, on_cpu), "the ladder of an H200, and that of a CPU that draws")

# %% [markdown]
# Fusing steps of these two networks helps on both: a texel that is not written costs nothing. But
# on a CPU no special part draws, and there is no special shared memory, so compute shaders gain
# nothing. And `np.sort` is the fastest: a CPU can write a key anywhere, and needs no network.
#
# The best method depends on the machine, not only on the algorithm. That is why `ss.sort(keys,
# method="auto")` asks the device first.
#
# ### Your own ladder
#
# In a running notebook there is a button under the picture. It runs all of this on your machine,
# with fewer keys if there is no GPU: 4,096. With so few, each channel fits into one block of shared
# memory, and compute takes one pass or two. Does that change the order?

# %%
live.Live(drawn)

# %% [markdown]
# ## What to remember
#
# | | a card of 2005 | an H200 |
# |---|---|---|
# | what draws | all of it | 1/{{arithmetic}} of its arithmetic |
# | a comparison | 53 cycles by program, 6.5 by blending | almost nothing |
# | the cost | blending, and setup | texels written |
# | best way to draw | blending | fused steps: few texels written |
# | best way to sort | about the same as on the CPU | not by drawing |
#
# An algorithm is fast *on* something. Measure on the machine, count, and find the slowest part.
