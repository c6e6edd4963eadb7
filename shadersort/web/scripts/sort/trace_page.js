// The page of a recorded sort.

class TracePage {
  constructor(root, { film, look }) {
    const link = new Link("link to this pass", (wanted) => this.view.follow(wanted));
    this.view = new PassView(root, look, { more: [link.element], onshow: () => link.lead(this.view.place) });
    this.view.load(new RecordedFilm(film), document.title);
    this.view.follow(Link.wanted);
  }
}
