"""One sentence on each table and figure: what changed since the paper, and why."""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CHANGED", "PICTURES"]

MEMORY = "these methods are held back by memory, and the newer card moves far more bytes a second"

CHANGED: Mapping[str, str] = MappingProxyType(
    {
        "govindaraju-2005-3": (
            "The verdict is reversed: blending beat a bitonic sort in fragment programs by about "
            "ten on the card of 2005, and loses to it today, since programmable units have grown "
            "far more than those that blend, and bitonic needs half as many steps."
        ),
        "govindaraju-2005-4": (
            "As in 2005 the transfers are a small part of the whole, and times grow as n log² n "
            "once keys are many; few keys cost only the setup of the passes, and that has not "
            "become cheap."
        ),
        "govindaraju-2005-5": (
            "Small windows still cost more than large ones on uniform halves, because there are "
            "more of them, and each is merged into the summary as soon as it is sorted."
        ),
        "govindaraju-2005-6": (
            "The paper spends 80 to 90% on sorting; it is still the largest share here, but a "
            "radix sort of halves is so fast that merging and pruning are seen."
        ),
        "govindaraju-2005-7": (
            "The idea of 2005, to sort a window and merge what is left of it, still wins on a CPU: "
            "windows are sorted by radix, on all cores, and the bare np.sort is slower."
        ),
        "govindaraju-2005-8": (
            "A window of a million values is kept whole where ε asks for so much that a sketch "
            "would be no smaller, and then an update is a copy: the curve ends in the speed of "
            "memory."
        ),
        "govindaraju-2005-9": (
            "One length of window is far cheaper than all lengths at once, which need blocks of "
            "many levels; at small ε the window of ten million is kept whole."
        ),
        "beliakov-2011-1": (
            "On the most keys the same passes run seventy to eighty times faster, because "
            f"{MEMORY}; on few keys every pass waits for the host, and that wait has hardly "
            "changed, so quickselect on the CPU is where it was."
        ),
        "beliakov-2011-2": (
            "Doubles gain as floats do, eightyfold and more on the most keys, because both are "
            "held back by memory; on few keys every pass waits for the host as it always did."
        ),
        "beliakov-2011-figure-2": (
            "The lines of today bend later: below a million keys a newer card waits for its host, "
            "and only above does it read faster."
        ),
        "beliakov-2011-figure-3": (
            "As for floats; the cutting plane keeps its distance from the sort, as it reads keys "
            "and the sort moves them, eight bytes each, again and again."
        ),
        "alabi-2012-1": (
            "Radix needs a third of the memory now, and bucket a third to two thirds: candidates "
            "are copied into room for a sixteenth of the keys, and no array of bucket numbers is "
            "kept, since to compute a bucket again is cheaper than to store it."
        ),
        "alabi-2012-2": (
            "All three gain about a hundredfold on the most keys and five- to fifteenfold on the "
            f"fewest, because {MEMORY}, while a launch takes nearly as long as ever."
        ),
        "alabi-2012-3": (
            "Radix gains most, and depends less on the rank: the paper's took up to three times "
            "its least time and ours 1.7 times, as only the first digits are counted among all "
            "keys."
        ),
        "alabi-2012-4": (
            "Radix gains most: it now takes as long as bucket, and for a double twice what it "
            "takes for a float, as only the first digits are counted among all keys, whatever "
            "their length."
        ),
        "alabi-2012-5": (
            "Normal keys cost what uniform ones do; radix and bucket take equally long now, as "
            f"both are limited by reading the keys, and {MEMORY}."
        ),
        "alabi-2012-6": (
            "Radix has nearly caught up with bucket on doubles: the paper's took two and a half "
            "times as long, since it went through all keys for more of its digits."
        ),
        "alabi-2012-7": (
            "Selection's lead over sorting has grown for 32-bit keys and for radix, as selecting "
            "has come to read less; it has shrunk for bucket on doubles, because the sort of "
            "doubles was slow then and is not now."
        ),
        "alabi-2012-8": (
            "The lead has grown and depends little on the distribution any more, since buckets "
            "that divide badly are followed by buckets of equally many codes, and few digits are "
            "counted among all keys."
        ),
        "alabi-2012-9": (
            "Randomized is further ahead of bucket on many keys: a sampled bracket leaves so few "
            "candidates that one pass decides, and passes are all that a card bound by memory "
            "pays for."
        ),
        "alabi-2012-figure-1": (
            "Radix and bucket run side by side now, as both read the keys about as often; sorting "
            "falls behind them from fewer keys on."
        ),
        "alabi-2012-figure-2": (
            "Doubles cost twice as much as floats on many keys, as they are twice as long; the "
            "paper's bucket paid only a quarter more for them, so something other than memory "
            "held it back."
        ),
        "alabi-2012-figure-3": (
            "The paper's radix swings with the rank by a factor of three, ours by less than two, "
            "since only its first digits are counted among all keys."
        ),
        "alabi-2012-figure-4": (
            "Distributions can hardly be told apart any more: no method here goes on with equal "
            "widths once these have divided badly."
        ),
        "alabi-2012-figure-5": (
            "The paper's curves bend where floats share their leading digits; ours, on a CPU so "
            "far, bend less, but for the least and the largest key, which the extent tells at "
            "once."
        ),
        "alabi-2012-figure-6": (
            "As for floats: the ends are told by the extent, and radix is quicker where few keys "
            "share the leading digits of the answer."
        ),
        "alabi-2012-figure-7": (
            "The half-normal distribution was hard on radix and is not any more, because a second "
            "digit is only counted among the candidates of the first."
        ),
        "alabi-2012-figure-8": (
            "Wide ranges make no difference now, because the first digits that are counted are "
            "longer than what the wider range changes."
        ),
        "alabi-2012-figure-9": (
            "On the GPU neither sorted nor equal keys are adversaries any more: counting takes no "
            "longer when all keys meet in one counter, and equal extremes are an answer by "
            "themselves."
        ),
        "alabi-2012-figure-10": (
            "On the GPU two values, and the Bucket Killer, cost bucket less than twice its usual "
            "time, and it stays well ahead of sorting, since a bad round is followed by one with "
            "buckets of equally many codes; NumPy's sort of few values is faster than either."
        ),
        "alabi-2012-figure-11": (
            "The methods are closer together: each is a few passes over the keys, so radix has "
            "caught up with bucket, and randomized, which needs the fewest passes, is the fastest "
            "on many keys."
        ),
        "alabi-2012-figure-12": (
            "Bucket is as steady as it was; on a CPU so far, randomized is ahead of it even at "
            "its worst, since its bracket is wider and misses one time in a hundred, where the "
            "paper's missed one in ten."
        ),
        "blanchard-2015-1": (
            "How many is not known from this record; by table V it is more than 1,001 for 2^28 "
            "uniform floats, since sorting these takes six times as long as selecting as many."
        ),
        "blanchard-2015-2": (
            "To assign and to reduce were most of it, and are thirty to a hundred and sixty times "
            "faster; identifying the active buckets takes as long as it did, because it is a wait "
            "and no work, and the extremes are not asked for any more."
        ),
        "blanchard-2015-3": (
            "Only the active buckets are kept, in room for a sixteenth of the keys, and no array "
            "of bucket numbers beside the keys."
        ),
        "blanchard-2015-4": (
            "Sorting and selecting have both gained thirtyfold, so the ratio is where it was; the "
            "readings are made up, as many and as tied as the paper's."
        ),
        "blanchard-2015-5": (
            "The lead over sorting has grown, two- to fourfold for 2^28 32-bit keys and less for "
            f"doubles, because counting writes next to nothing, and {MEMORY}."
        ),
        "blanchard-2015-figure-1": (
            "As in the paper, ranks that share buckets are the easy ones; the differences are "
            "small, as on a CPU counting takes most of the time, and the steps of the paper's "
            "search tree are gone, since a table tells which buckets are active."
        ),
        "blanchard-2015-figure-2": (
            "The times grow more slowly with the number of ranks, as copying a little more costs "
            "little; Cauchy's keys are still the dearest, and whether the paper's jump at 260 "
            "ranks, of a cutoff, is gone cannot be seen at four points."
        ),
        "blanchard-2015-figure-3": (
            "Sixteen million keys gain thirtyfold and sixteen times as many nearly a hundredfold, "
            "since with fewer keys a large card waits for its host."
        ),
        "blanchard-2015-figure-4": (
            "On one CPU buckets win twofold about 2^18 keys and not at 2^20, where every "
            "temporary array of NumPy comes fresh from the system, page by page; quickselect is "
            "last, as it pays for each of its many partitions."
        ),
        "blanchard-2015-figure-5": (
            "Nothing has changed: 101 numbers draw the distribution; the readings are made up, "
            "and crowd about zero more than the paper's, so the density is drawn on a log scale."
        ),
    }
)
"""By the name of a table, or paper and figure."""

PICTURES = (
    ("Govindaraju et al. 2005", "Figure 1", "the card's units; a drawing, nothing is measured"),
    ("Govindaraju et al. 2005", "Figure 2", "the quads of a step: lessons 1 and 3 draw them"),
    ("Beliakov 2011", "Figure 1", "source code of the objective"),
    ("Beliakov 2011", "Figure 4", "cutting planes step by step: lesson 10 draws them"),
    ("Beliakov 2011", "Figure 5", "the same with an outlier: lesson 10 draws it"),
)
"""Figures that measure nothing, and where their like is found."""
