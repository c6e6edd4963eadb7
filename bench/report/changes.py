"""One sentence on each table and figure: what changed since the paper, and why."""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CHANGED", "PICTURES"]

MEMORY = "these methods are held back by memory, and the newer card moves far more bytes a second"

CHANGED: Mapping[str, str] = MappingProxyType(
    {
        "govindaraju-2005-figure-3": (
            "The verdict is reversed: blending beat a bitonic sort in fragment programs by about "
            "ten on the card of 2005, and loses to it today, since a comparison by a program costs "
            "nothing that can be seen any more, while blending draws each texel twice a step, and "
            "PBSN takes twice as many steps."
        ),
        "govindaraju-2005-figure-4": (
            "As in 2005 the transfers are a small part of the whole, and times grow as n log² n "
            "once keys are many; few keys cost only the setup of the passes, and that has not "
            "become cheap."
        ),
        "govindaraju-2005-figure-5": (
            "Small windows still cost more than large ones, because there are more of them, and "
            "each is merged into the summary as soon as it is sorted; on one GPU kernels take over "
            "a hundred times as many values a second as drawing does."
        ),
        "govindaraju-2005-figure-6": (
            "The paper spends 80 to 90% on sorting; it is still the largest of the three here, "
            "and by drawing in large windows as large as it was, but a radix sort of halves is so "
            "fast that merging and pruning are seen, and, in small windows, what is none of the "
            "three."
        ),
        "govindaraju-2005-figure-7": (
            "The idea of 2005, to sort a window and merge what is left of it, still wins on a CPU: "
            "windows are sorted by radix, on all cores, and the bare np.sort is slower; on a GPU "
            "kernels sort them over a hundred times as fast as drawing does."
        ),
        "govindaraju-2005-figure-8": (
            "A window of a million values is kept whole where ε asks for so much that a sketch "
            "would be no smaller, and then an update copies values and sorts nothing; where there "
            "is a sketch kernels only sort and count for it, and the host merges."
        ),
        "govindaraju-2005-figure-9": (
            "One length of window is far cheaper than all lengths at once, which need blocks of "
            "many levels; at small ε the window of ten million is kept whole, and elsewhere "
            "kernels, which merge blocks as well, take over a hundred times as many values a "
            "second as drawing does."
        ),
        "beliakov-2011-1": (
            "On the most keys sorting and the cutting plane run 77 and 86 times faster, because "
            f"{MEMORY}; on few keys every pass waits for the host, and that wait has hardly "
            "changed; quickselect, on a CPU, is where it was, but for the copy."
        ),
        "beliakov-2011-2": (
            "Doubles gain as floats do, eightyfold and more on the most keys, because both are "
            "held back by memory; on few keys every pass waits for the host as it always did."
        ),
        "beliakov-2011-figure-2": (
            "The lines of today bend later: up to two million keys the cutting plane takes the "
            "same time, as a newer card waits for its host, and only above does it read faster."
        ),
        "beliakov-2011-figure-3": (
            "As for floats; the cutting plane keeps its distance from the sort, as it reads keys "
            "and the sort moves them, eight bytes each, again and again."
        ),
        "alabi-2012-1": (
            "Radix needs a third of the memory now, and bucket a third to seven tenths: candidates "
            "are copied into room for a sixteenth of the keys, and no array of bucket numbers is "
            "kept, since to compute a bucket again is cheaper than to store it."
        ),
        "alabi-2012-2": (
            "All three gain about a hundredfold on the most keys, and on the fewest sorting gains "
            f"eight- to tenfold and the others thirteen- to eighteenfold, because {MEMORY}, while "
            "what a call costs, whatever the keys, has fallen less."
        ),
        "alabi-2012-3": (
            "Radix gains most, and depends less on the rank: the paper's took up to three times "
            "its least time and ours 1.8 times, as only the first digits are counted among all "
            "keys."
        ),
        "alabi-2012-4": (
            "Radix gains most: it now takes as long as bucket, and for a double twice what it "
            "takes for a float, as only the first digits are counted among all keys, whatever "
            "their length."
        ),
        "alabi-2012-5": (
            "Normal keys cost what uniform ones do; on many keys radix and bucket take equally "
            f"long now, as both read the keys about as often, and {MEMORY}."
        ),
        "alabi-2012-6": (
            "Radix has nearly caught up with bucket on doubles: the paper's took two and a half "
            "times as long, since it went through all keys for more of its digits."
        ),
        "alabi-2012-7": (
            "Selection's lead over sorting has grown on the most keys, and for radix on the "
            "fewest, as selecting has come to read less; at 2^23, few keys for a newer card, it is "
            "no larger than it was for 32-bit keys, and about a third for bucket on doubles, "
            "because the sort of doubles has gained more than that of floats, and bucket less."
        ),
        "alabi-2012-8": (
            "The lead has grown, but for bucket's at 2^21, and depends little on the distribution "
            "any more, since buckets that divide badly are followed by buckets of equally many "
            "codes, and few digits are counted among all keys."
        ),
        "alabi-2012-9": (
            "On the most keys randomized was level with bucket and takes three fifths of its time "
            "now, as its bracket leaves few candidates after one pass, and a card bound by memory "
            "pays for passes; at 2^23 it takes up to half as long again, as its three kernels and "
            "their launches cost more than the passes that they save."
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
            "The paper's radix bends where floats share their leading digits; ours is as level as "
            "bucket, but for the largest of uniform keys, since only its first digit, of 11 bits, "
            "is counted among all keys."
        ),
        "alabi-2012-figure-6": (
            "As for floats: both are level, within a third, as doubles go through more digits, but "
            "among few keys."
        ),
        "alabi-2012-figure-7": (
            "The half-normal distribution was hard on radix and is not any more, because a second "
            "digit is only counted among the candidates of the first."
        ),
        "alabi-2012-figure-8": (
            "Wide ranges make little difference now, because the first digits that are counted "
            "are longer than what the wider range changes."
        ),
        "alabi-2012-figure-9": (
            "On the GPU neither sorted nor equal keys are adversaries any more: sorted ones take "
            "no longer than others, although neighbours meet in one counter, and equal extremes "
            "are an answer by themselves."
        ),
        "alabi-2012-figure-10": (
            "On the GPU two values, and the Bucket Killer, cost bucket less than twice its usual "
            "time, and it stays well ahead of sorting many keys, since a bad round is followed by "
            "one with buckets of equally many codes."
        ),
        "alabi-2012-figure-11": (
            "On a GPU each method is a few passes over the keys, so radix has caught up with "
            "bucket, and randomized, which needs the fewest passes, is the fastest on many keys; "
            "the cutting plane waits for its host after every pass, and up to four million keys a "
            "sort is faster."
        ),
        "alabi-2012-figure-12": (
            "Both are steady, and with many keys randomized is ahead of bucket even at its worst; "
            "its bracket is wider and misses one time in a hundred, where the paper's missed one "
            "in ten."
        ),
        "blanchard-2015-1": (
            "With the most keys even 8,191 ranks are found sooner than the keys are sorted; with "
            "2^25 keys of 32 bits about half as many pay as did, since no more than 1,024 buckets "
            "are divided at the same time, and more ranks than that are found in two steps."
        ),
        "blanchard-2015-2": (
            "To assign and to reduce were most of it, and are 30 to 170 times faster; identifying "
            "the active buckets takes as long as it did, up to twice as long for many ranks, "
            "because it is mostly a wait, and the extremes are not asked for any more."
        ),
        "blanchard-2015-3": (
            "Only the active buckets are kept, in room for a sixteenth of the keys, and no array "
            "of bucket numbers beside the keys."
        ),
        "blanchard-2015-4": (
            "Sorting and selecting have both gained twenty- to thirtyfold and more, so the ratio "
            "is nearly where it was; the readings are made up, as many and as tied as the paper's."
        ),
        "blanchard-2015-5": (
            "The lead over sorting has grown, 1.9- to 3.7-fold for 2^28 32-bit keys and less for "
            f"doubles, because counting writes next to nothing, and {MEMORY}; for 2^24 of Cauchy's "
            "keys, or of doubles, it is about what it was."
        ),
        "blanchard-2015-figure-1": (
            "As in the paper, ranks that share buckets are the easy ones; the steps of the paper's "
            "search tree are gone, since a table tells which buckets are active, and there is "
            "another one where ranks are more than 1,024, and no longer all divided at the same "
            "time."
        ),
        "blanchard-2015-figure-2": (
            "The times grow more slowly with the number of ranks, as copying a little more costs "
            "little; Cauchy's keys are still the dearest, and whether the paper's jump at 260 "
            "ranks, of a cutoff, is gone cannot be seen at four points."
        ),
        "blanchard-2015-figure-3": (
            "Sixteen million keys gain 27- to 37-fold and sixteen times as many 77- to 96-fold, "
            "since with fewer keys a large card waits for its host."
        ),
        "blanchard-2015-figure-4": (
            "Up to four million keys the buckets are not asked, since to sort so few takes no "
            "longer than to count them; from sixteen million on they win, and with 64 million "
            "nearly fivefold, for Cauchy's keys threefold."
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
