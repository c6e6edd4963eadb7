# %% [markdown]
# # 1 · A GPU that can only draw
#
# **The idea.** A graphics card of 2005 can only draw pictures onto pictures. With the right
# coordinates and the right blending, drawing one rectangle compares many pairs of numbers at once.
#
# **Time.** 30 minutes.
#
# You need Python and NumPy, and no knowledge of graphics. You need no graphics card either: without
# one, a program draws in its place. The next cell shows what draws here.

# %%
import numpy as np

import shadersort as ss
from shadersort.lessons import Frames, picture
from shadersort.lessons.drawing import exercises as lesson
from shadersort.lessons.drawing.pictures import draw, show_channels, show_pass

device = ss.open_device()
print("A GPU draws." if device.hardware else "No GPU here: a program draws in its place.")

# %% [markdown]
# ## A texture is a grid of numbers
#
# A card keeps its pictures in its own memory, and calls them **textures**. One dot of a texture is
# a **texel**. To you and me a texel is a colour. To the card it is four numbers: red, green, blue
# and alpha, each in a **channel** of its own. They are ordinary 32-bit floats.
#
# So a NumPy array of shape `(height, width, 4)` is a texture. Here is one of 4 × 4 texels with 64
# different numbers in it. On the right you see the colours that the first three channels make.

# %%
rng = np.random.default_rng(1)
texels = rng.permutation(64).reshape(4, 4, 4).astype(np.float32)
picture(show_channels(texels), "the four channels of a texture as grids of numbers, and as colours")

# %% [markdown]
# Nothing about the numbers says that they are colours. In 2005 people who wanted to *compute* on a
# graphics card put their data into textures, and pretended to draw.
#
# From now on we look at one channel. The same happens in the other three, at the same time and at
# no extra cost; we come back to that at the end.

# %%
keys = rng.permutation(16).reshape(4, 4).astype(np.float32)
keys

# %% [markdown]
# We call the numbers **keys**, because later they will be sorted. Texel (x, y) is `keys[y, x]`: x
# counts columns from the left, y counts rows from the top.
#
# ## The only command: draw a rectangle
#
# The card's command is: *draw a rectangle, and take its colours from a texture*. The rectangle is
# called a **quad**. What it is drawn into is called the **frame**, and is a grid of texels, too.
#
# A quad says two things:
#
# - **where it is drawn**: from corner (x0, y0) to corner (x1, y1) of the frame;
# - **what it shows**: the texture from (s0, t0) to (s1, t1). These are its *texture coordinates*.
#
# Here both rectangles have the same size, so that nothing is stretched. Corners are whole numbers.
#
# The simplest quad covers everything, and shows everything where it was. It is a copy.

# %%
same_place = ss.Quad(x0=0, y0=0, x1=4, y1=4, s0=0, t0=0, s1=4, t1=4)


def command(quad, blend=None):
    """Return the command that draws a quad into the frame, with colours from the texture."""
    return ss.Pass("copy", source="texture", target="frame", quads=(ss.Quads(quad),), blend=blend)


copy = command(same_place)
frames = draw(keys, copy, device=device)
picture(show_pass(keys, frames, 0, [copy]), "a texture, and the frame that is a copy of it")

# %% [markdown]
# `draw` has sent the keys to the device, told it to draw, and read the frame back. The letters show
# the corners of the quad: what lies at A in the texture appears at A in the frame, and so on.
#
# `ss.Pass` says which texture is read and which is drawn into, by name. Its first word, `"copy"`,
# says how a texel under the quad gets its colour: it takes the one that the texture has there,
# unchanged. (`ss.Quads` around the quad says how often it is drawn: here once. More of that below.)
#
# One such command is a **pass**. A pass touches every texel under the quad, and a card works on
# many texels at once. This is where its speed comes from.
#
# ## Texture coordinates move things
#
# Now let the two rectangles differ. This quad is drawn over the two columns on the left, and shows
# the two columns on the right. (The copy comes first, so that the rest of the frame holds
# something.)

# %%
to_the_left = ss.Quad(0, 0, 2, 4, s0=2, t0=0, s1=4, t1=4)
passes = [copy, command(to_the_left)]
frames = draw(keys, *passes, device=device)
picture(show_pass(keys, frames, 1, passes), "the right half of the texture, drawn over the left")

# %% [markdown]
# In NumPy this is `frame[:, 0:2] = texture[:, 2:4]`.
#
# ## Coordinates that run backwards
#
# s0 need not be smaller than s1. If texture coordinates run from 4 down to 0, the quad shows the
# texture **mirrored**. There are four ways to do it: step through them with the slider. (A notebook
# that is not running shows them as a film. If you save yours, open it again later and find an error
# in place of a slider, run the cells again.)

# %%
turns = {
    "as it is": ss.Quad(0, 0, 4, 4, 0, 0, 4, 4),
    "left and right exchanged": ss.Quad(0, 0, 4, 4, 4, 0, 0, 4),
    "top and bottom exchanged": ss.Quad(0, 0, 4, 4, 0, 4, 4, 0),
    "both": ss.Quad(0, 0, 4, 4, 4, 4, 0, 0),
}


drawn = [draw(keys, command(quad), device=device) for quad in turns.values()]


def turned(number):
    """Show one of the four ways."""
    name, quad = list(turns.items())[number]
    figure = show_pass(keys, drawn[number], 0, [command(quad)])
    figure.suptitle(f"{name}: s from {quad.s0} to {quad.s1}, t from {quad.t0} to {quad.t1}")
    return figure


Frames(4, turned, "a quad that mirrors its texture in four ways", seconds=2)

# %% [markdown]
# The last one is special. Read the keys row by row, as `keys.ravel()` does. With both coordinates
# running backwards, the frame holds them in reverse: key i lies where key 15 − i was.

# %%
both = command(turns["both"])
(frame,) = draw(keys, both, device=device)
np.array_equal(frame.ravel(), keys.ravel()[::-1])

# %% [markdown]
# ### Your turn
#
# Write the quads that exchange the left half of a texture with its right half. Nothing is mirrored.
# Return a list of two `ss.Quad`; they are drawn together, in one pass.


# %%
def swapped_halves(width, height):
    """Return two quads that exchange the halves of a texture; the width is even."""
    # solution
    half = width // 2
    left = ss.Quad(0, 0, half, height, half, 0, width, height)
    right = ss.Quad(half, 0, width, height, 0, 0, half, height)
    return [left, right]
    # end


lesson.swapped_halves.check(swapped_halves)

# %% [markdown]
# ## Blending: what happens to what was there
#
# So far a quad has replaced what was under it. A card can also **blend**: combine the new colour
# with the colour that is there. Glass, smoke and shadows are drawn that way.
#
# Two ways to blend are useful to us. With **MIN** the smaller of the two numbers stays, with
# **MAX** the larger. That is a comparison! The card makes it for every texel under the quad, in
# each of its four channels.
#
# Let us compare key i with key 15 − i, for all i at once, and keep the smaller one of each pair in
# the upper half. The frame holds a copy. Over its upper half we draw the lower half of the texture,
# mirrored both ways, with MIN blending.

# %%
smaller_above = command(ss.Quad(0, 0, 4, 2, s0=4, t0=4, s1=0, t1=2), blend="min")
passes = [copy, smaller_above]
frames = draw(keys, *passes, device=device)
picture(show_pass(keys, frames, 1, passes), "MIN blending over the upper half of the frame")

# %% [markdown]
# Look at the texel at the top right, corner B. Key 14 was there. The quad brings the key at B in
# the texture: key 9. The smaller one stays, and the frame holds 9. At the top left, corner A, key 3
# was there and the quad brings 10, so nothing changes.
#
# The pair has a larger key, too. It belongs in the lower half. For this we exchange the halves: we
# draw the upper half over the lower half, mirrored, with MAX.

# %%
larger_below = command(ss.Quad(0, 2, 4, 4, s0=4, t0=2, s1=0, t1=0), blend="max")
passes = [copy, smaller_above, larger_below]
frames = draw(keys, *passes, device=device)
picture(show_pass(keys, frames, 2, passes), "MAX blending over the lower half of the frame")

# %% [markdown]
# No key is lost: the texture still holds all of them while the frame is drawn. That is why a pass
# may never read what it writes. Three passes, and each of the eight pairs is in order: the smaller
# key above, the larger one in the mirrored place below. In NumPy:

# %%
pairs = np.stack([keys.ravel(), keys.ravel()[::-1]])
smaller, larger = pairs.min(axis=0), pairs.max(axis=0)
np.array_equal(frames[-1].ravel(), np.concatenate([smaller[:8], larger[8:]]))

# %% [markdown]
# For 16 keys this took three passes. For 16 million keys it takes three passes, too: the texture is
# 4096 × 4096 texels then, and the quads have other corners. Nothing in the program looked at a key.
#
# These are the routines `Copy` and `ComputeMin` of Govindaraju, Raghuvanshi and Manocha, *Fast and
# Approximate Stream Mining of Quantiles and Frequencies Using Graphics Processors*, SIGMOD 2005,
# sections 4.2.1 and 4.2.2.
#
# ## What this machine cannot do
#
# - It cannot put a key *somewhere that depends on the key*. A quad goes where its corners say, and
#   they were fixed before any key was read. Quicksort needs exactly this: smaller keys go to the
#   left, and how many there are decides where. The paper says that most sorts did not fit a card of
#   that time for this reason.
# - It cannot ask *is it smaller?* and then choose what to draw next. MIN and MAX answer the
#   question, but the answer stays in the frame.
# - It cannot read the frame while it draws into it, except by blending.
#
# (Cards of 2005 could also run a short program for every texel. We leave that for lesson 6.)
#
# It can compare texel with texel, in any pattern that rectangles make. The next lesson shows that
# this is enough to sort.
#
# ## Many quads, one command
#
# Patterns often repeat: the same quad again and again, at equal distances. One `ss.Quads` with an
# `ss.Repeat` describes such a pattern. Here a quad of one column, drawn twice, two columns apart,
# copies the columns 1 and 3 over the columns 0 and 2.

# %%
column = ss.Quad(0, 0, 1, 4, s0=1, t0=0, s1=2, t1=4)
columns = ss.Quads(column, ss.Repeat(2, dx=2))
passes = [copy, ss.Pass("copy", "texture", "frame", (columns,))]
frames = draw(keys, *passes, device=device)
picture(show_pass(keys, frames, 1, passes), "one quad, drawn twice, two columns apart")

# %% [markdown]
# ## Four at a time
#
# All of this happened in four channels at once. Here are the three passes again, on the texture
# from the beginning, with different keys in each channel. A card's arithmetic was made for colours,
# so it works on four numbers as easily as on one. Lesson 4 makes use of it.

# %%
passes = [copy, smaller_above, larger_below]
picture(show_channels(draw(texels, *passes, device=device)[-1]), "the four channels afterwards")

# %% [markdown]
# In each channel the eight pairs are in order: compare any key of the upper half with the one in
# the mirrored place below. The places are the same in every channel, the numbers are not.
#
# ### Your turn
#
# Compare every key in an even column (0, 2, 4 …) with its neighbour on the right. The smaller one
# goes to the left. Return two `ss.Quads`: the first is drawn with MIN, the second with MAX, over a
# copy of the texture. Think of `ss.Repeat`.


# %%
def pairs_in_order(width, height):
    """Return the quads of the minima and the quads of the maxima; the width is even."""
    # solution
    pairs = ss.Repeat(width // 2, dx=2)
    minima = ss.Quads(ss.Quad(0, 0, 1, height, 1, 0, 2, height), pairs)
    maxima = ss.Quads(ss.Quad(1, 0, 2, height, 0, 0, 1, height), pairs)
    return minima, maxima
    # end


lesson.pairs_in_order.check(pairs_in_order)

# %% [markdown]
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | texture, frame | grids of texels; one is read, the other is drawn into |
# | texel | four numbers, one in each channel |
# | quad | a rectangle that is drawn, with the rectangle of the texture that it shows |
# | blending | how the new number and the number that is there are combined: MIN, MAX |
# | pass | one command: some quads, one texture, one frame, one kind of blending |
#
# [The next lesson](02-networks.ipynb) shows which pairs to compare so that all keys are sorted in
# the end.

# %%
device.close()
