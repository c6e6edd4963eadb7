"""The names of series of streams, as the lessons have them, too."""

from shadersort.lessons.shared.series import PAPERS, by_sorter, label_of

__all__ = ["PAPERS", "by_sorter", "label_of"]
