// Films that Python exported: some stand in the page, packed, others in files beside it, which a
// script element loads, because a page that was opened as a file may not fetch.

"use strict";

class FilmMissing extends Error {}

const LOADED = {};  // by name: what those files call `loaded` with
const filmName = (network, method, texels) => `${network}-${method}-${texels}`;

function loaded(name, film) {
  LOADED[name] = film;
}

// Returns the function that finds a film. `inPage` is null if no film stands in the page, `folder` if
// no others are to be had.
function filmsIn(inPage, folder) {
  return async (network, method, texels) => {
    const name = filmName(network, method, texels);
    if (!LOADED[name] && inPage !== null) Object.assign(LOADED, await filmsInPage(inPage));
    if (!LOADED[name] && folder !== null) await scriptLoaded(`${folder}/${name}.js`);
    if (!LOADED[name]) throw new FilmMissing(`The program ${name} could not be loaded: it is in a file beside this page. Fewer keys may need none.`);
    return LOADED[name];
  };
}

function filmsInPage(packed) {
  if (!("DecompressionStream" in window)) throw new FilmMissing("This browser is too old to unpack the programs of this page: current versions of Firefox, Chrome, Edge and Safari do.");
  return unpackedData(packed);
}

function scriptLoaded(source) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = script.onerror = resolve;
    document.head.append(script);
  });
}
