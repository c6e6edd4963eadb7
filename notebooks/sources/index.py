# %% [markdown]
# # shadersort: the lessons
#
# How a graphics card sorted in 2005, when it could only draw; how it finds medians and summarises
# streams; and what twenty years have changed. Each lesson has one idea, shows it in pictures, and
# ends in an exercise or two that the notebook checks for you.
#
# You need Python and NumPy. You need no graphics card, and no knowledge of graphics. Begin with the
# first lesson and go on in order; run a notebook from its top, with Shift and Enter, cell by cell.
#
# {{lessons}}
#
# The next cell shows what can draw on this machine. One usable device is enough, and `software` is
# always usable.

# %%
import shadersort as ss

for report in ss.devices():
    print(report)

# %% [markdown]
# An exercise has dots where your code goes. Write your code and run the cell. It says "right", or
# shows your result beside the expected one. Under a wrong answer there are hints, one inside the
# other. A picture with a slider needs a running notebook; otherwise it is a film.
