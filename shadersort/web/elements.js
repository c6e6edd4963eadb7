// Elements of a page, colours, and the words for keys: what all scripts of this folder share.

"use strict";

// Creates an element with attributes and children; `class` is an attribute like others.
function made(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// The parts of a text in which code stands between backquotes.
function coded(text) {
  return text.split("`").map((part, i) => (i % 2 ? made("code", {}, part) : part));
}

const rgb = (hex) => [0, 2, 4].map((at) => parseInt(hex.replace("#", "").slice(at, at + 2), 16));
const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

// The colour at a place from 0 to 1 in a row of colours: two neighbours are mixed.
function mixed(colours, place) {
  const at = place * (colours.length - 1), low = Math.min(Math.floor(at), colours.length - 2);
  return colours[low].map((part, i) => Math.round(part + (at - low) * (colours[low + 1][i] - part)));
}

// The keys of every player, and what each does.
const STEP_KEYS = { space: "play or pause", "←": "back", "→": "forward", Home: "first", End: "last", "+": "faster", "−": "slower" };

// What those keys do to a player, by the names that browsers give them.
const stepActions = (player) => ({
  " ": () => player.toggle(),
  ArrowLeft: () => player.step(-1),
  ArrowRight: () => player.step(1),
  Home: () => player.step(-Infinity),
  End: () => player.step(Infinity),
  "+": () => player.faster(1),
  "-": () => player.faster(-1),
});

const keysTold = (keys) => Object.entries(keys).flatMap(([key, does]) => [made("kbd", {}, key), ` ${does} · `]);

// Selects the text of a field and copies it; says which of the two was possible. A frame may not use
// the newer navigator.clipboard.
function copied(field, what) {
  field.select();
  return document.execCommand("copy") ? `The ${what} is copied.` : `The ${what} is selected: copy it with Ctrl+C.`;
}

// A link to what is seen: a click copies its whole address, and shows it.
class CopiedLink {
  constructor(name) {
    this.link = made("a", { href: "#", onclick: (event) => this.copy(event) }, name);
    this.field = made("input", { type: "text", readonly: true, hidden: true, "aria-label": "The link" });
    this.said = made("span", { "aria-live": "polite" });
    this.element = made("span", { class: "link" }, this.link, " ", this.field, " ", this.said);
  }

  set href(href) {
    if (this.link.getAttribute("href") === href) return;
    this.link.href = href;
    this.field.hidden = true;
    this.said.textContent = "";
  }

  // With a key held down, a link opens as links do.
  copy(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.field.hidden = false;
    this.field.value = this.link.href;
    this.said.textContent = copied(this.field, "link");
  }
}

// The shortest word that is this key.
function keyText(key, dtype) {
  if (Object.is(key, -0)) return "−0";
  if (dtype !== "float32" && dtype !== "float16") return String(key).replace("-", "−");
  for (let digits = 1; digits < 9; digits++) {
    const text = key.toPrecision(digits);
    if (Math.fround(Number(text)) === key) return String(Number(text)).replace("-", "−");
  }
  return String(key).replace("-", "−");
}
