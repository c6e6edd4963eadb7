# %% [markdown]
# # 4 · Four sorts for the price of one
#
# **The idea.** A texel has four channels, and the card compares all four at once. So it always
# sorts four lists: four parts of one array, or four windows of a stream.
#
# **Time.** 35 minutes.
#
# [Lesson 3](03-by-drawing.ipynb) sorted a texture, and looked at one channel only. Here is a
# texture of 64 × 64 texels with a key in every channel: 16,384 keys. The keys in red, green and
# blue are shown as these colours. (Alpha cannot be seen.) What will happen to the colours?

# %%
import numpy as np

import shadersort as ss
from shadersort.lessons import picture
from shadersort.lessons.drawing.pictures import show_channels
from shadersort.lessons.four_sorts import exercises as lesson
from shadersort.lessons.four_sorts import pictures

device = ss.open_device()
keys = np.random.default_rng(6).random(16_384, np.float32)
seen = ss.trace(keys, device=device)
picture(
    pictures.show_colours(seen, [0, 1, 12, 144]), "a colourful texture turns grey as it is sorted"
)

# %% [markdown]
# It turns grey. Each channel was sorted separately, and at the end each runs from the smallest keys
# to the largest. Every channel holds a random quarter of the keys, so the three are nearly equal in
# every place. Equal red, green and blue are grey.
#
# ## One program, four lists
#
# Let us see it in numbers: 64 keys, in 4 × 4 texels. NumPy can already put them there. Key i goes
# to texel `i // 4`, channel `i % 4`. The places do not matter, because all keys will be sorted.

# %%
keys = np.random.default_rng(7).permutation(64).astype(np.float32)
texels = keys.reshape(4, 4, 4)
picture(show_channels(texels), "64 keys in the four channels of a texture, unsorted")

# %% [markdown]
# The program is the one of lesson 3, for 4 × 4 texels. It has 48 passes, no more than for 16 keys.

# %%
program = ss.compile(ss.network("pbsn", 16), width=4, height=4, method="blend")
result = device.run(program, texels)
picture(show_channels(result), "the four channels afterwards, each in order")

# %% [markdown]
# Read each grid like a page: four sorted lists. (They are so short here that they are not quite
# alike, so some colour is left.)
#
# MIN and MAX act on each channel alone. The red key of a texel is compared with the red key of its
# partner, green with green. No key ever changes its channel.
#
# ## Is it really for free?
#
# The card of 2005 was made for colours. It has 16 pipelines, and each of them computes on four
# numbers at once: 64 operations in a clock cycle (Govindaraju, Raghuvanshi and Manocha, SIGMOD
# 2005, section 3.3). With one number in a texel, three quarters of this would stand idle.
#
# But four numbers have to be *moved*, too: read from the texture, read from the frame, written
# back. A pipeline computes and moves at the same time, and the longer of both decides. This is how
# long both take for a texel, in our model of that card, for keys of 16 bits:

# %%
card = ss.PROFILES["geforce-6800-ultra"]
picture(
    pictures.show_cycles(card), "cycles for computing and for moving, with one channel and four"
)

# %% [markdown]
# (The 6.5 are the "6 to 7 cycles" that the authors computed from their times, section 4.5. A copy
# is one instruction. The rest follows from the memory: 5.5 bytes for each pipeline in each cycle.)
#
# A blend computes for 6.5 cycles. To move four channels takes less time than that, and so does one
# channel. So four channels cost exactly as much as one here. The copy at the end of each step
# computes almost nothing. It waits for the memory: four channels take 2.9 cycles, one takes 1. In a
# step every texel is blended once and copied once, which makes 9.4 cycles beside 7.5. So these are
# really four sorts for the price of one and a quarter.
#
# And there is a second gain. With four keys to a texel the same keys need a quarter of the texels,
# so the network has two steps fewer in each stage, and two stages fewer:

# %%
n = 1 << 23
for channels in (1, 4):
    p = (n // channels).bit_length() - 1
    print(f"{n:,} keys, {channels} to a texel: {p}² = {p * p} steps over {n // channels:,} texels")
print(f"texels drawn: {4 * 23**2 / 21**2:.1f} times fewer")

# %% [markdown]
# ## From four lists to one
#
# Four sorted lists are not one sorted list. The paper leaves the rest to the CPU: it reads the
# texture back, and **merges** (section 4.4). The smallest of all keys is the front of one of the
# lists. Take it, and look again. Move the slider: fronts have a black frame.

# %%
small = np.random.default_rng(8).permutation(16).astype(np.float32).reshape(2, 2, 4)
four_keys = ss.compile(ss.network("pbsn", 4), width=2, height=2, method="blend")
channels = device.run(four_keys, small).reshape(4, 4).T
pictures.show_merge(channels)

# %% [markdown]
# A merge is cheap, because it looks at the fronts only. Three comparisons find the smallest of four
# fronts. It is better to merge in pairs: red with green, blue with alpha, and then the two results.
# Every key goes through two merges, and each costs it at most one comparison. So n keys take at
# most 2 n comparisons. Sorting them from scratch takes about n log₂ n, which is 23 n for 8 million
# keys. (The paper counts n for the merge.)
#
# ### Your turn
#
# Merge two sorted lists. `sorted(first + second)` would give the right list, but it compares too
# often: the checker counts, and one comparison for each key is enough.


# %%
def merged(first, second):
    """Return one sorted list of the keys of two sorted lists."""
    # solution
    out, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] <= second[j]:
            out.append(first[i])
            i += 1
        else:
            out.append(second[j])
            j += 1
    return out + first[i:] + second[j:]
    # end


lesson.merged.check(merged)

# %% [markdown]
# A loop in Python is slow, and NumPy has no function that merges. But its stable sort of floats
# begins by looking for pieces that are in order already, and merges those. For four sorted lists,
# one after the other, this is little work. So this is a complete sort, as `ss.sort` does it:


# %%
def sorted_by_drawing(keys, width, height):
    """Sort width × height × 4 keys."""
    program = ss.compile(ss.network("pbsn", width * height), width, height, "blend")
    texels = device.run(program, keys.reshape(height, width, 4))
    lists = texels.reshape(-1, 4).T  # one channel a row
    return np.sort(lists, axis=None, kind="stable")


keys = np.random.default_rng(9).random(65_536, np.float32)
np.array_equal(sorted_by_drawing(keys, 128, 128), np.sort(keys))

# %% [markdown]
# (If the keys do not fill the texture, `ss.sort` fills it up with infinity, which goes to the end,
# and cuts it off afterwards.)
#
# ## Windows of a stream
#
# The authors sorted for a purpose. They wanted to answer questions about **streams**: values that
# arrive one after the other, too many to keep. How large is the median so far? Which item comes
# most often? Their way is to collect values until a **window** is full, sort the window, and keep a
# short summary of it. Lessons 7 to 9 are about these summaries.
#
# They waited until four windows were full, and gave one to each channel (section 4.1). They merged
# the four afterwards. But each sorted window can be summarised separately. Then there is nothing to
# merge: four windows go in, four answers come out. Here is a stream, cut into eight windows of 16
# values, and the channel that each goes to.

# %%
rng = np.random.default_rng(10)
stream = np.round(40 + 30 * np.sin(np.arange(128) / 20) + rng.normal(0, 12, 128)).clip(0)
picture(pictures.show_windows(stream, 16), "a stream of 128 values, cut into eight windows of 16")

# %% [markdown]
# And if four windows do not fill the texture? Then the next four go below them, and so on. This
# changes nothing for the program, except that its largest blocks are as long as a window, and not
# as long as the texture. Blocks never mix. So it has as many passes for 8 windows as for 4, or for
# a thousand.

# %%
texels = lesson.packed.specification(stream.reshape(8, 16), 4).astype(np.float32)
program = ss.compile(ss.network("pbsn", 16), width=4, height=8, method="blend")
result = device.run(program, texels)
print(len(program.passes), "passes")
picture(show_channels(result), "eight windows in a texture of 4 × 8, each in order")

# %% [markdown]
# Windows 0 to 3 are in the upper four rows, windows 4 to 7 in the lower four. Each is sorted
# separately: its smallest value is top left in its half, and its largest bottom right.
#
# ### Your turn
#
# Write the packing that the last cell used. `windows` has one window in each row, and their number
# is a multiple of four. Window 0 goes to red, 1 to green, 2 to blue, 3 to alpha. Windows 4 to 7
# follow in the texels after these. A window is read like a page, row by row.
#
# It is one line of NumPy. But beware: a `reshape` alone puts neighbours into different channels.


# %%
def packed(windows, width):
    """Return a texture, an array of shape (height, width, 4); a window fills whole rows."""
    # solution
    length = windows.shape[1]
    return windows.reshape(-1, 4, length).swapaxes(1, 2).reshape(-1, width, 4)
    # end


lesson.packed.check(packed)

# %% [markdown]
# ## What it saves
#
# 64 windows of 1,024 values, in three ways. Each pass costs the card some time to set up, however
# few texels it draws. So the last way is the best.

# %%
for way, times, width, height in (
    ("one window, in one channel", 64, 32, 32),
    ("four windows, in four channels", 16, 32, 32),
    ("all windows, in one texture", 1, 128, 128),
):
    each = ss.compile(ss.network("pbsn", 1024), width, height, "blend")
    passes, drawn = times * len(each.passes), times * each.texels
    print(f"{way:32} {times:3} × {len(each.passes)} = {passes:6,} passes, {drawn:11,} texels drawn")

# %% [markdown]
# The paper puts four windows into a texture. It reports that its card was fastest with large
# windows, and slow with small ones because of the overhead (sections 5.1 and 6).
#
# ## Reading the answers
#
# A last example. A web server has answered 65,536 requests, and we know how long each one took, in
# milliseconds. (We have made the numbers up.) We cut them into 64 windows of 1,024, pack them, and
# sort all windows with 300 passes.

# %%
rng = np.random.default_rng(11)
load = 1 + 3 * np.exp(-(((np.arange(65_536) - 40_000) / 7_000) ** 2))  # busy hours
times = (20 * load * rng.lognormal(0, 0.5 * load**0.5)).astype(np.float32)
windows = times.reshape(64, 1024)

texels = lesson.packed.specification(windows, 128)
program = ss.compile(ss.network("pbsn", 1024), width=128, height=128, method="blend")
result = device.run(program, texels)
medians = np.arange(16) * 1024 + 511
picture(
    pictures.show_red(texels, result, medians),
    "the red channel, 16 windows, before and after sorting",
)

# %% [markdown]
# Each window fills eight rows of the channel. After sorting, every one runs from dark to bright.
# The windows of the busy hours are brighter than the others.
#
# Now we use the result. **The median of a window is always in the same place**: it is the 512th of
# 1,024. White dots mark these texels. Each of them has four medians in it, one in each channel. To
# know the medians of all 64 windows, read 16 texels. Here is the first of them:

# %%
print("medians of windows 0 to 3:", result.reshape(-1, 4)[511])
ordered = ss.sort_windows(windows, device=device)  # packs, sorts and unpacks
print("the same by sort_windows: ", ordered[:4, 511])

# %%
picture(
    pictures.show_spread(times, ordered, [0.99, 0.9, 0.5]),
    "response times of 65,536 requests, and three quantiles of each window",
)

# %% [markdown]
# Half of the requests of a window were faster than the blue line, 90 in 100 faster than the green
# one, 99 in 100 faster than the red one. In the busy hours the slowest suffer most.
#
# We have kept three numbers of 1,024. Can such summaries give the median of the *whole* stream, and
# a limit for its error? This is the subject of lesson 7. First, lesson 5 asks what all this cost in
# 2005.
#
# ## What to remember
#
# | the word | what it is |
# |---|---|
# | channel | one of four numbers in a texel; each is sorted separately, in the same passes |
# | merge | make one sorted list of several, looking only at their fronts; cheaper than a sort |
# | window | a piece of a stream that is sorted separately; four to a texel |
# | packing | window to channel, place in the window to texel, group below group |

# %%
device.close()
