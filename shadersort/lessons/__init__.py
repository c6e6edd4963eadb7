"""What the lessons of `notebooks/` stand on: exercises, pictures, records, one style.

One module here belongs to one lesson, and bears the name of its source: `drawing` to
`notebooks/sources/01-drawing.py`. It holds the lesson's exercises and the pictures that are too
long to read aloud. The other modules are shared. Everything needs `shadersort[notebooks]`.
"""

from shadersort.lessons.exercise import Exercise, Verdict
from shadersort.lessons.pictures import Frames, Picture, film, picture
from shadersort.lessons.records import Record, record
from shadersort.lessons.style import look, subplots

__all__ = [
    "Exercise",
    "Frames",
    "Picture",
    "Record",
    "Verdict",
    "film",
    "look",
    "picture",
    "record",
    "subplots",
]
