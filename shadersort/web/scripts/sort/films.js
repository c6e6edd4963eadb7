// Films that Python exported, packed: those of a piece stand in the page, others in files beside it,
// which a script element loads, because a page that was opened as a file may not fetch.

const FILMS = {};  // by name
let added = null;  // a promise that films which were packed are there

// A file beside the page calls this, too.
function addFilms(packed) {
  added = unpackJson(packed).then((films) => Object.assign(FILMS, films));
}

// Returns the function that finds a film. `packed` is null if no film stands in the page, `folder` if
// no others are to be had.
function filmFinder(packed, folder) {
  if (packed) addFilms(packed);
  return async (network, method, texels) => {
    const name = `${network}-${method}-${texels}`;
    const load = (resolve) => document.head.append(html("script", { src: `${folder}/${name}.js`, onload: resolve, onerror: resolve }));
    if (!FILMS[name] && folder) await new Promise(load);
    await added;
    if (!FILMS[name]) throw new UserError(`The program ${name} could not be loaded: it is in a file beside this page. Fewer keys may need none.`);
    return FILMS[name];
  };
}
