# %% [markdown]
# # 3 · Sorting by drawing
#
# **The idea.** Every step of a sorting network is three drawing commands. So a whole sort is a list
# of drawing commands, written down before any key is seen.
#
# **Time.** 35 minutes.
#
# [Lesson 1](01-drawing.ipynb) had a machine that draws: quads, textures, MIN and MAX. [Lesson
# 2](02-networks.ipynb) had PBSN, a network of mirrors that sorts. Here the network runs on the
# machine. This is what it looks like: 16 keys in a texture of 4 × 4 texels, pass by pass. Move the
# slider, or just watch it once. (Where the notebook is not running, a film shows the first twelve
# passes and the last.) Letters and outlines are those of lesson 1. The grid on the right counts the
# steps. This lesson explains every part of it.

# %%
import numpy as np

import shadersort as ss
from shadersort.lessons import picture
from shadersort.lessons.by_drawing import exercises as lesson
from shadersort.lessons.by_drawing import pictures
from shadersort.lessons.by_drawing.exercises import sort_step
from shadersort.lessons.by_drawing.passes import passes_of
from shadersort.lessons.drawing.pictures import draw, show_pass

device = ss.open_device()
keys = np.random.default_rng(4).permutation(16).astype(np.float32).reshape(4, 4)
seen = ss.trace(np.repeat(keys, 4), device=device)
passes_of(seen)

# %% [markdown]
# The pictures show a real sort. `ss.trace` sorted the keys, and kept the texture after every pass.
# (As in lesson 1, all four channels of a texel hold the same key, and you see one of them. That is
# why every key goes in four times, by `np.repeat`.)
#
# ## A network in a texture
#
# A network has wires, one below the other. A texture has rows and columns. We number its texels as
# words on a page: wire i is the texel in column `i % width` and row `i // width`. Sorted means:
# from the top left to the bottom right, row by row.
#
# PBSN for 16 keys compares within blocks of 16, then of 8, of 4 and of 2 keys. In a block of B keys
# key i meets key B − 1 − i. Here is where they lie. The large number is the wire, the small one the
# wire that it meets. Blue texels keep the smaller key, red ones the larger. Thick white lines
# separate the blocks.

# %%
picture(
    pictures.show_pairs(4, 4, [16, 8, 4, 2]),
    "which texel meets which in a texture of 4 × 4, in blocks of 16, 8, 4 and 2",
)

# %% [markdown]
# Look at the shapes of one colour. In blocks of 16 and of 8 they are **bands**: whole rows. In
# blocks of 4 and of 2 they are **columns**, as high as the whole texture, because the blocks in all
# rows look alike. Bands and columns are rectangles. A rectangle is a quad!
#
# Govindaraju, Raghuvanshi and Manocha drew these two cases in figure 2 of *Fast and Approximate
# Stream Mining of Quantiles and Frequencies Using Graphics Processors*, SIGMOD 2005. What follows
# is the sort of section 4 of that paper, with the names of its routines.
#
# ## Large blocks: bands
#
# A block that is longer than a row is `block // width` rows high. We draw its second half over its
# first half, mirrored both ways, and keep the minima. You know this quad from lesson 1. The paper
# calls this routine `ComputeMin`; for the maxima of the second half it has `ComputeMax`.
#
# All blocks look the same, so the quad is repeated: the next block begins `rows` rows further down.


# %%
def bands(block, width, height):
    """Return the quads of the minima and of the maxima; block > width."""
    rows = block // width
    middle = rows // 2
    again = ss.Repeat(height // rows, dy=rows)
    minima = ss.Quad(0, 0, width, middle, s0=width, t0=rows, s1=0, t1=middle)
    maxima = ss.Quad(0, middle, width, rows, s0=width, t0=middle, s1=0, t1=0)
    return ss.Quads(minima, again), ss.Quads(maxima, again)


minima, maxima = bands(block=8, width=4, height=4)
print(minima.count, "times", minima.quad)
print(maxima.count, "times", maxima.quad)

# %% [markdown]
# Let us draw them: first a copy, then the minima of both blocks.


# %%
def copy(source, target, width, height):
    """Return the pass that copies everything: routine Copy."""
    everything = ss.Quads(ss.Quad(0, 0, width, height, 0, 0, width, height))
    return ss.Pass("copy", source, target, (everything,))


passes = [
    copy("texture", "frame", 4, 4),
    ss.Pass("copy", "texture", "frame", (minima,), blend="min"),
    ss.Pass("copy", "texture", "frame", (maxima,), blend="max"),
]
frames = draw(keys, *passes, device=device)
picture(show_pass(keys, frames, 1, passes), "the minima of two blocks of 8: bands of one row")

# %% [markdown]
# Follow corner A of the upper quad: it is drawn at the top left, and shows what the texture has at
# the end of the second row. Key 0 of the block meets key 7. And the maxima:

# %%
picture(show_pass(keys, frames, 2, passes), "the maxima of two blocks of 8")

# %% [markdown]
# Two passes, sixteen keys, eight pairs in order. In NumPy:

# %%
blocks = keys.reshape(2, 8)
smaller = np.minimum(blocks, blocks[:, ::-1])
larger = np.maximum(blocks, blocks[:, ::-1])
np.array_equal(frames[2].reshape(2, 8), np.hstack([smaller[:, :4], larger[:, 4:]]))

# %% [markdown]
# ## Small blocks: columns
#
# A block that fits into a row is mirrored only from left to right. The rows do not change. So the
# quad is half a block wide and as high as the texture. It serves the blocks of all rows at once.
# The paper's names are `ComputeRowMin` and `ComputeRowMax`.
#
# ### Your turn
#
# Write the quads. `bands` above shows the form. Look again at "blocks of 4" and "blocks of 2" in
# the second picture: which columns are blue, and which columns do they meet?


# %%
def columns(block, width, height):
    """Return the quads of the minima and of the maxima, two ss.Quads; block <= width."""
    # solution
    half = block // 2
    again = ss.Repeat(width // block, dx=block)
    minima = ss.Quad(0, 0, half, height, s0=block, t0=0, s1=half, t1=height)
    maxima = ss.Quad(half, 0, block, height, s0=half, t0=0, s1=0, t1=height)
    return ss.Quads(minima, again), ss.Quads(maxima, again)
    # end


lesson.columns.check(columns)

# %% [markdown]
# ## The whole sort
#
# The paper's routine `SortStep` only chooses bands or columns by the length of the block. Our
# `sort_step` does the same, so you can go on even without a solution to the exercise.
#
# And here is the sort, the paper's routine `PBSN`. Read it aloud. *Copy the texture to the frame.
# For each stage, for each length of a block: draw the minima, draw the maxima, and copy the frame
# back to the texture.*


# %%
def pbsn(width, height):
    """Return the passes that sort every texture of this size."""
    n = width * height
    log_n = n.bit_length() - 1
    stage = [n >> i for i in range(log_n)]  # blocks of n, n / 2 … 2
    passes = [copy("texture", "frame", width, height)]
    for block in log_n * stage:  # the same stage, log n times
        minima, maxima = sort_step(block, width, height)
        passes.append(ss.Pass("copy", "texture", "frame", (minima,), blend="min"))
        passes.append(ss.Pass("copy", "texture", "frame", (maxima,), blend="max"))
        passes.append(copy("frame", "texture", width, height))
    return passes


passes = pbsn(4, 4)
frames = draw(keys, *passes, device=device)
frames[-1]

# %% [markdown]
# Sorted, by drawing. Why the copy at the end of each step? A pass may not read what it draws into.
# So the keys are read from the texture, and the frame collects minima and maxima. The next step has
# to find them in the texture.
#
# Note what is *missing*. The program looks at no key, makes no decision, and reads no number back
# before the end. The list of passes depends on width and height alone. It is a **program**, and a
# card may run it on any keys. Our package makes the same program, without the last copy, which no
# pass reads:

# %%
program = ss.compile(ss.network("pbsn", 16), width=4, height=4, method="blend")
print(list(program.passes) == passes[:-1])

# %% [markdown]
# Now go back to the slider at the top. The right-hand grid shows which step is being drawn, by the
# keys in its blocks: one stage a row. Blue quads keep minima, red ones maxima, black ones copy. Do
# you recognise bands and columns?
#
# ## A larger one
#
# 64 × 64 texels are 4,096 keys, and log₂ 4096 = 12. So there are 12 stages of 12 steps. Dark keys
# are small, bright ones are large.

# %%
many = np.random.default_rng(5).permutation(4096).astype(np.float32)
larger_one = ss.trace(np.repeat(many, 4), device=device)
picture(
    pictures.show_steps(larger_one, [0, 1, 6, 12, 24, 144]),
    "a texture of 64 × 64 keys, unsorted and after some of 144 steps",
)

# %% [markdown]
# Step 1 compares the upper half of the texture with the lower one: bands, 32 rows high. Step 6 is
# the last with bands. Six steps with columns follow, and the first stage is done: dark keys are on
# top, bright ones below. After two stages the texture looks nearly sorted. The other ten stages
# correct the rest.
#
# To walk through it in your browser, pass by pass, write it to a file:
# `larger_one[:36].to_html("stage-1.html")`.
#
# ## Why bands and columns matter
#
# A step in blocks of 2 keys has half a million blocks, if there are a million keys. With one quad
# for each block, the card would mainly process corners. A column serves all rows at once, and 512
# quads are enough for the last step.

# %%
million = ss.compile(ss.network("pbsn", 1 << 20), width=1024, height=1024, method="blend")
picture(
    pictures.show_quads(million),
    "quads of a pass against the keys in a block, for a texture of 1024 × 1024",
)

# %% [markdown]
# (Both axes are logarithmic: equal distances are equal factors.) No pass draws more than 512 quads.
# A block of 1,024 keys is exactly a row, and one quad is enough for all blocks.
#
# And this is what the whole sort takes:

# %%
for side in (4, 64, 1024):
    each = ss.compile(ss.network("pbsn", side * side), side, side, "blend")
    print(f"{side * side:9,} keys: {len(each.passes):5,} passes, {each.texels:12,} texels drawn")

# %% [markdown]
# Each step draws every texel twice: once by a minimum or a maximum, and once by the copy back. With
# (log₂ n)² steps that is 2 n (log₂ n)² texels, and 3 (log₂ n)² passes. Lesson 5 asks what that cost
# in 2005.
#
# ## The same answer as NumPy
#
# `ss.sort` does all of this: it packs the keys into a texture, runs the program, and reads the
# texture back. The answer is that of `np.sort`. This is harder than it sounds. A card may change
# some keys while it blends: NaN, −0.0, and numbers that are almost too small for a float. `ss.sort`
# does not draw keys that the device might change. It sets such keys aside, and puts them back in
# their places. (−0.0 and 0.0 are equal, and NumPy leaves them in any order. Here −0.0 always comes
# first.)

# %%
strange = np.array([3, np.nan, -0.0, 1e-45, 0.0, -np.inf, 2], np.float32)
print(ss.sort(strange, device=device))
numbers = np.random.default_rng(2).random(10_000, np.float32)
np.array_equal(ss.sort(numbers, device=device), np.sort(numbers))

# %% [markdown]
# ### Your turn
#
# Any network can be drawn like this, if its steps make rectangles. Lesson 2 had the **bitonic**
# network. Apart from mirrors it needs one more kind of step: in a block of B keys, key i of the
# first half meets key B / 2 + i, half a block further on. Nothing is mirrored.
#
# Write its quads, bands and columns.


# %%
def shifted_step(block, width, height):
    """Return the quads of the minima and of the maxima, two ss.Quads, for any block."""
    # solution
    half = block // 2
    if block <= width:
        again = ss.Repeat(width // block, dx=block)
        minima = ss.Quad(0, 0, half, height, s0=half, t0=0, s1=block, t1=height)
        maxima = ss.Quad(half, 0, block, height, s0=0, t0=0, s1=half, t1=height)
    else:
        rows = block // width
        middle = rows // 2
        again = ss.Repeat(height // rows, dy=rows)
        minima = ss.Quad(0, 0, width, middle, s0=0, t0=middle, s1=width, t1=rows)
        maxima = ss.Quad(0, middle, width, rows, s0=0, t0=0, s1=width, t1=middle)
    return ss.Quads(minima, again), ss.Quads(maxima, again)
    # end


lesson.shifted_step.check(shifted_step)

# %% [markdown]
# With it you have all that a bitonic sort needs. To watch one, run this in a new cell:
#
# ```python
# passes_of(ss.trace(np.repeat(keys, 4), network="bitonic"))
# ```
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | block | keys that a step compares among themselves; its halves are blue and red above |
# | band | half a block that is longer than a row: whole rows, one quad |
# | column | half a block that fits into a row, for all rows at once: one quad |
# | step | minima, maxima, copy back: three passes |
# | program | all passes of a sort, fixed by width and height |
#
# A texel has four channels, and we used one. [The next lesson](04-four-sorts.ipynb) takes all four.

# %%
device.close()
