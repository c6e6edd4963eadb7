// The page of a recorded sort.

const film = new RecordedFilm(DATA.film);
const link = new Link("link to this pass", (wanted) => view.follow(wanted));
const view = new PassView(document.querySelector("main"), DATA.look, { more: [link.element], onshow: () => link.lead(view.place) });
view.load(film, document.title);
view.follow(Link.wanted);
