# %% [markdown]
# # 5 · What it cost in 2005
#
# **The idea.** The time of a sort can be computed without running it: count passes, texels and
# bytes, take the card's speeds from its data sheet, and find the slowest part each time.
#
# **Time.** 30 minutes.
#
# You have seen a sort drawn, pass by pass. Was it fast? The paper says that it was (Govindaraju,
# Raghuvanshi and Manocha, *Fast and Approximate Stream Mining of Quantiles and Frequencies Using
# Graphics Processors*, SIGMOD 2005, section 4.5): as fast as a very good quicksort on a fast CPU of
# its day. We no longer have its card, an NVIDIA GeForce 6800 Ultra. But we know its work to the
# last texel, and we know its data sheet. That is enough to check the claim with a pencil.

# %%
from collections import Counter

import numpy as np

import shadersort as ss
from shadersort.lessons import Frames, picture
from shadersort.lessons.cost import exercises as lesson
from shadersort.lessons.cost import pictures

card = ss.PROFILES["geforce-6800-ultra"]

# %% [markdown]
# ## The card in one picture
#
# Keys come from the host over a **bus**, lie in the card's own **memory**, and go from there
# through 16 **pipelines** and back. The pipes are drawn to scale: each is as wide as the bytes
# that pass in a second.

# %%
picture(pictures.show_pipes(), "host, memory and pipelines; the bus is 44 times thinner")

# %% [markdown]
# So all data should cross the bus only once. The paper sends the keys to the card, does all work
# there, and reads them back (section 4.1).
#
# These are the figures we need, each with its source. We measured none of them: most are from the
# paper's text, and one, the setup time, is computed from it.

# %%
sheet = (
    ("clock, MHz", card.core_clock, 1e6),
    ("pipelines", card.fragment_pipelines, 1),
    ("memory, GB/s", card.memory_bandwidth, 1e9),
    ("bus, GB/s", card.upload_bandwidth, 1e9),
    ("cycles for a blend", card.cycles_per_blend.float16, 1),
    ("setup of a pass, µs", card.setup_time, 1e-6),
)
for name, figure, unit in sheet:
    print(f"{name:20}{figure.value / unit:6g}   {figure.source.split(':')[0]}")

# %% [markdown]
# ## Counting
#
# How much work is a sort? Take 16,384 keys. There are four channels, so each texel holds four of
# them, and 64 × 64 texels are enough. In each channel PBSN sorts 4,096 keys, in
# log₂ 4096 = 12 stages of 12 steps.

# %%
program = ss.compile(ss.network("pbsn", 4096), width=64, height=64, method="blend")
print(len(program.passes), "passes:", dict(Counter(str(each.blend) for each in program.passes)))
print(f"{program.texels:,} texels drawn")

# %% [markdown]
# Three passes a step, as in lesson 3: MIN over one half of the frame, MAX over the other half, and
# a copy of everything back into the texture (above it is "None": nothing is blended). That is
# 12 · 12 · 3 = 432 passes. (There is one copy more at the start, and the last is not needed.)
#
# MIN and MAX together draw every texel once, and so does the copy. So a step draws 2 · 4096 texels,
# and 144 steps draw {{texels}}.
#
# The paper counts comparisons: n + n · log²(n/4) for n keys (section 4.5). Each blended texel makes
# four, one a channel; the first n are for merging the four channels on the CPU. Does our
# count agree, for 8 million keys?

# %%
n = 1 << 23
print(f"{ss.estimate(n).comparisons:,} comparisons counted")
print(f"{n + n * int(np.log2(n / 4)) ** 2:,} by the paper's formula")

# %% [markdown]
# ## The price of one texel
#
# For each texel two things happen at the same time. The pipeline computes, and bytes move from and
# to the memory. **The slower one decides.**
#
# - *Arithmetic.* To blend, a pipeline needs 6 to 7 cycles. The authors computed this from their
#   times (section 4.5); we take 6.5. A plain copy needs one.
# - *Memory.* A texel has four channels of 16 bits: 8 bytes. A copy reads one texel and writes one,
#   16 bytes. A blend reads the texture *and* the frame and writes the frame, 24 bytes. In each
#   cycle the memory moves 88 bytes (section 3.3), which is 5.5 for each of the 16 pipelines. So a
#   copy takes 16 / 5.5 = 2.9 cycles, and a blend 4.4.

# %%
picture(pictures.show_texel(), "cycles for a texel: the stronger bar of each pair decides")

# %% [markdown]
# A copy waits for the memory, a blend waits for its arithmetic.
#
# The third pair is the sort that the paper competes with: bitonic sort by Purcell and others, in
# which a small program compares two texels. It takes at least 53 instructions, so at least 53
# cycles (section 4.5). This is why the paper uses quads and blending: **the card's fast comparison
# was in the blending, not in the processor.**
#
# ### Your turn
#
# Price one pass. It waits for its setup, 5 microseconds, whatever it draws. Then it draws
# `texels` texels. For each, `bytes_each` bytes move, 5.5 in a cycle, and the arithmetic takes
# `cycles_each` cycles. Sixteen pipelines share the work, and each has 400 million cycles a second.


# %%
def pass_seconds(texels, bytes_each, cycles_each):
    """Return the seconds that one pass takes."""
    # solution
    slowest = max(cycles_each, bytes_each / 5.5)
    return 5e-6 + texels * slowest / (16 * 400e6)
    # end


lesson.pass_seconds.check(pass_seconds)

# %% [markdown]
# ## The price of a sort
#
# Add that up over all passes, add the time on the bus, and you have the price of the whole sort.
# `ss.estimate` does it.

# %%
for n in (1 << 14, 1 << 23):
    cost = ss.estimate(n)
    print(f"{n:9,} keys: {cost.passes:,} passes, {cost.texels:,} texels,")
    print(
        f"    {1e3 * cost.gpu_seconds:,.1f} ms drawing + {1e3 * cost.transfer_seconds:.2f} ms bus"
    )

# %% [markdown]
# {{seconds}} seconds for 8 million keys. What takes this time? The two blue parts are the actual
# work, blending and copying.

# %%
picture(pictures.show_shares(), "shares of blending, copying, setup and bus, for few and many keys")

# %% [markdown]
# Read it from left to right.
#
# - **Few keys**: nearly all the time is setup. The card draws something tiny hundreds of times. The
#   paper, too, says that the setup makes it slow below 16,000 keys.
# - **Many keys**: two thirds blending, one third copying.
# - **The bus** is thin, but it never matters much: keys cross it twice, and are blended hundreds of
#   times.
#
# ## Figure 4: sorting and transfers
#
# The paper's figure 4 shows both times, and yellow points: the authors computed the times of fewer
# keys from the time of 8 million keys. Its numbers are not in the text, so we draw it again **from
# our model alone**.

# %%
picture(pictures.show_figure_4(), "sorting, transfers, and what 8 million keys predict")

# %% [markdown]
# As in the paper, transfers are far below sorting. And on the right the points lie on the curve.
# They include only the work. So they are too low on the left, where the setup decides. The paper's
# points are within a few milliseconds of its measurements. Ours are within a few milliseconds of
# the curve. But on the left a millisecond or two is nearly the whole time! The logarithmic axis
# shows this.
#
# ### Your turn
#
# Compute the yellow points: `base` keys took `seconds`; how long do other numbers of keys take, if
# only the work counts? `sizes` is an array. How many texels are in a pass? How many passes are
# there? (There are four channels.)


# %%
def scaled(seconds, base, sizes):
    """Return an array: the predicted seconds for each of the sizes."""
    # solution
    stages = np.log2(sizes / 4) / np.log2(base / 4)
    return seconds * (sizes / base) * stages**2
    # end


lesson.scaled.check(scaled)

# %% [markdown]
# ## Figure 3: the race
#
# The paper's figure 3 compares its sort with quicksort on a 3.4 GHz Pentium 4, and with the earlier
# bitonic sort on the same card. Again the numbers are not in the text. We can still draw the race
# **by data sheet**:
#
# - *Quicksort* makes about 1.39 n log₂ n comparisons on random keys. We count 17 cycles for each,
#   the least that the Pentium loses when it predicts a branch wrongly (section 3.2). This is a
#   rough estimate of a good program.
# - *Bitonic sort*: 53 cycles a texel and step. We do not know how many keys a texel held. Four to a
#   texel would be best; a simple program stores one. The shaded band is in between.

# %%
picture(pictures.show_figure_3(), "PBSN by blending, bitonic sort and quicksort, by data sheets")

# %% [markdown]
# What does the paper claim, and does a pencil confirm it?
#
# - *Comparable to quicksort for more than 65,000 keys* (section 6). Yes: within 15 %.
# - *About 3 times slower than quicksort below 16,000 keys* (4.5). At 8,000 it is, because we chose
#   the setup time so. Below that it is worse: with a fixed setup there is no one factor for all.
# - *Nearly ten times faster than the earlier bitonic sort* (4.5). For 8 million keys between
#   {{bitonic_least}} and {{bitonic_most}} times; for few keys less. In one step 53 cycles are 8
#   times 6.5. But bitonic sort has half as many steps, and copies nothing.
# - *Transfers hardly matter* (4.5). Yes: {{bus_share}} of the time of 8 million keys.
#
# So the factor of nearly ten is right for *one step*. The factor for a whole sort depends on the
# network, and on the number of keys in a texel. A stopwatch says *how long*. A price list says
# *why*.
#
# ## Which card would you buy?
#
# A price list answers questions that a stopwatch cannot. Suppose you may double one figure of the
# data sheet. Which? Move the slider from few keys to many.

# %%
sizes = [1 << power for power in range(10, 23, 3)]


def upgrades(number):
    """Draw what each better card gains, for one number of keys."""
    return pictures.show_upgrades(sizes[number])


Frames(len(sizes), upgrades, "what a better card would gain, for 1,024 to 4 million keys", 1.2)

# %% [markdown]
# For a thousand keys only a faster setup helps. For millions of keys it does not help, and more
# pipelines or a faster clock are best: both mean more cycles. But neither comes near 2 ×, because a
# copy waits for the memory, which they do not make faster.
#
# And a better program? The authors say that they would like to try bitonic sort in place of PBSN
# (section 7). It can be drawn by blending, too. We can compute what that would have gained.

# %%
for network in ("pbsn", "bitonic"):
    print(f"{network:8} {ss.estimate(1 << 23, network=network).seconds:.2f} s for 8 million keys")

# %% [markdown]
# Half as many steps, half the time.
#
# ## How far to trust it
#
# A model like this is an estimate.
#
# - It ignores caches: every texel is fetched from memory.
# - The 6.5 cycles come from the authors' own times. If those included the copies, the model counts
#   copies twice, and its times are up to 1.45 times too long.
# - It counts the merge of the four channels as comparisons, and does not time it.
#
# The top of `shadersort/drawing/cost/estimate.py` says where the model disagrees with the paper,
# and by how much.
#
# ## What to remember
#
# | the question | the answer for PBSN by blending |
# |---|---|
# | How many passes? | 3 log²(n/4); each waits for its setup |
# | How many texels? | n/2 · log²(n/4), half blended and half copied |
# | What does one cost? | the slower of arithmetic and memory |
# | What crosses the bus? | each key, twice |
# | What decides? | setup for few keys, blending for many |
#
# In 2005 comparing by a program was slow, and blending was fast. [Lesson 6](06-ladder.ipynb) draws
# the very same passes on a GPU of today. Guess now: is blending still fast?
