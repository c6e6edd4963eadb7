// The address of a page restores what is seen; a link copies it.

class Link {
  // Calls `follow` with the parameters of the address whenever another one is entered.
  constructor(name, follow) {
    this.noted = location.hash;
    this.link = html("a", { href: "#", onclick: (event) => this.copy(event) }, name);
    this.field = html("input", { type: "text", readonly: true, hidden: true, "aria-label": "The link" });
    this.said = html("span", { "aria-live": "polite" });
    this.element = html("span", { class: "link" }, this.link, " ", this.field, " ", this.said);
    addEventListener("hashchange", () => {
      if (location.hash === this.noted) return;
      this.noted = location.hash;
      follow(Link.wanted);
    });
  }

  static get wanted() {
    return new URLSearchParams(location.hash.slice(1));
  }

  // Leads to what is seen now, which a text restores. The address of a page of the site has it after a moment,
  // unless it changes all the time: a browser would complain.
  lead(text, { shown = true, moving = false } = {}) {
    const hash = `#${text}`;
    this.element.hidden = !shown || hash.length > 8000;  // browsers cut longer addresses
    if (this.link.getAttribute("href") !== hash) this.field.hidden = this.said.hidden = true;
    this.link.href = hash;
    clearTimeout(this.writing);
    if (DATA.linked && !moving && !this.element.hidden) this.writing = setTimeout(() => this.write(hash), 200);
  }

  write(hash) {
    if (location.hash !== this.noted) return;  // another address was entered, and is followed in a moment
    try {
      history.replaceState(null, "", hash);
      this.noted = location.hash;
    } catch (error) {
      if (error.name !== "SecurityError") throw error;  // in a frame without a place of its own
    }
  }

  // A click copies the whole address, and shows it. With a key held down, a link opens as links do.
  copy(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.field.hidden = this.said.hidden = false;
    this.field.value = this.link.href;
    this.field.select();
    const copied = document.execCommand("copy");  // a frame may not use the newer navigator.clipboard
    this.said.textContent = copied ? "The link is copied." : "The link is selected: copy it with Ctrl+C.";
  }
}
