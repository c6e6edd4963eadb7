"""What a browser gets: pages that draw by the package's own programs and shaders, in WebGL 2.

On the first page of the site WebGPU computes the same sort, by kernels in `scripts/computed/`.

**A page** (`page.py`) is one HTML file that loads nothing: scripts of `scripts/` with the style
sheets beside them, one JSON value, `DATA`, and an empty `<main>`, which a class of JavaScript
fills. A `Piece` (`piece.py`) is such a page that a notebook shows in a frame; `pieces/` has a
function for each. Python computes, and scripts show: no script has a copy of an algorithm. What a
script needs is exported (`export.py`: arrays, colours, texts, GLSL; `films.py`: programs) or
recorded ahead of time.

**A player** (`scripts/page/player.js`) has buttons, a slider, a speed and keys. It calls a
function with the number of a state, from 0 to its length - 1; the function shows the state and
returns its caption. The player knows nothing else, so it plays whatever a page shows: passes of a
sort, windows of a stream, cuts of a search; one player can move two views side by side.

**A film** (`scripts/sort/film.js`) is a sort to be played. Both kinds have `width`, `height`,
`wires`, `dtype`, the different keys in order (`values`), the key that only fills places
(`fill`, or null), and `passes`. Each has what `roles.pass_facts` says, and either what only a
program knows (`films.py`: lines of Python, a shader, a price) or the places of recorded textures.

`textures(at)` returns the keys of the source and of the target before and after a pass, and
`rolesOf(at)` what it does to each texel. A `LiveFilm` draws a program of `films.py`; a
`RecordedFilm` has arrays that `shadersort.pictures` recorded: textures hold ranks among `values`.

**A view** shows one state. `scripts/sort/pass_view.js` shows a pass of a film: panels, keys,
sources, clocks. The page that sorts a reader's keys, the piece and the page of a trace are this
view; `sort_page.js` adds what to sort, and `gpu/sorter.js` draws it; `two_page.js` adds the film of
a computed sort beside it. Pictures of other pieces are in `scripts/charts/`, `scripts/textures/`.

**Folders of scripts**: `page/` is for every page: elements, player, pictures, the link that
restores a state, a text to write. `gpu/` runs programs and packs keys, and shows nothing: an
`Executor` draws in WebGL 2, a `Compute` computes in WebGPU. `kernels/` runs kernels of
`docs/kernel-language.md`, and shows nothing either: `checkKernel` gives the verdict on an exercise,
`traceKernel` every step with its reads and writes, `warpInstructions` what these cost, and
`runOnGpu` the result of the same text by WebGPU. The others show; `microscope/` shows kernels.
"""
