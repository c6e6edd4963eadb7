"""The parts of the lessons of `notebooks/`. Everything here needs `shadersort[notebooks]`.

Each lesson has a folder with the name of its source: `drawing/` for
`notebooks/sources/01-drawing.md`. Its `exercises.py` has the exercises, its `pictures.py` the
pictures that are too long to read aloud. What several lessons use is in `shared/`.
"""

from shadersort.lessons.exercises import Exercise, Mistake, Verdict
from shadersort.lessons.shared.pictures import Frames, Picture, film, picture
from shadersort.lessons.shared.records import Record, record
from shadersort.lessons.shared.style import look, subplots

__all__ = [
    "Exercise",
    "Frames",
    "Mistake",
    "Picture",
    "Record",
    "Verdict",
    "film",
    "look",
    "picture",
    "record",
    "subplots",
]
