# %% [markdown]
# # shadersort: the lessons
#
# How a graphics card sorted in 2005, when all that it could do was draw; how it finds medians
# and summarises streams; and what twenty years have changed. Each lesson has one idea, shows it in
# pictures, and ends in an exercise or two that the notebook checks for you.
#
# You need Python and NumPy. You need no graphics card, and no knowledge of graphics. Begin with the
# first lesson and go on in order; run a notebook from its top, with Shift and Enter, cell by cell.
#
# {{lessons}}
#
# The next cell shows what can draw on this machine. One line that is usable is enough, and
# `software` always is.

# %%
import shadersort as ss

for report in ss.devices():
    print(report)

# %% [markdown]
# An exercise has dots where your code goes. Write it, run the cell, and it says "right", or shows
# what you made beside what was expected. Under a wrong answer there are hints, one inside the
# other. Where a picture has a slider, the notebook must be running; otherwise the picture is a
# film.
