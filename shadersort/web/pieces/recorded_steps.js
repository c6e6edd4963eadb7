// Buttons, a slider and keys that step through recorded states; and the makers of elements.

"use strict";

const SVG = "http://www.w3.org/2000/svg";
const PACES = [0.5, 1, 2, 4, 8];

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Creates an element of HTML, and one of SVG.
const made = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
const drawn = (name, attributes = {}, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

// A text in a picture. Pictures have the size of their pixels, so that 13 is the size on the page.
const written = (x, y, text, attributes = {}) => drawn("text", { x, y, "font-size": 13, fill: "currentColor", ...attributes }, text);

// A choice between a few values, as radio buttons that say what they choose.
function choice(legend, options, chosen, onchoose) {
  const name = `choice${(choice.count = (choice.count ?? 0) + 1)}`;
  const labels = Object.entries(options).map(([value, text]) =>
    made("label", {}, made("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchoose(value) }), " ", text));
  return made("fieldset", {}, made("legend", { class: "hidden" }, legend), made("span", { "aria-hidden": "true" }, `${legend}:`), ...labels);
}

// A row of a table; its first cell says what the row is about.
const rowOf = (cells, name = "td") => made("tr", {}, ...cells.map((text, i) => made(i ? name : "th", { scope: name === "th" ? "col" : i ? null : "row" }, String(text))));

// A table that may be wider than the page.
const scrolled = (label, table) => made("div", { style: "overflow-x: auto; margin: .6rem 0", tabindex: 0, role: "region", "aria-label": label }, table);

class RecordedSteps {
  // Calls `show(at)` whenever there is something else to be seen.
  constructor(show) {
    Object.assign(this, { show, length: 1, at: 0, playing: false });
    const button = (symbol, label, action) => made("button", { type: "button", "aria-label": label, title: label, onclick: action }, symbol);
    this.slider = made("input", { type: "range", min: 0, step: 1, oninput: () => this.to(Number(this.slider.value)) });
    this.pace = made("select", {}, ...PACES.map((pace) => made("option", { selected: pace === 1 }, String(pace))));
    this.play = made("button", { type: "button", class: "play", title: "Play or pause (space)", onclick: () => this.toggle() });
    this.caption = made("p", { class: "caption", "aria-live": "polite" });
    this.controls = made("div", { class: "controls", role: "group", "aria-label": "Player" },
      button("|◀", "First step (Home)", () => this.step(-Infinity)),
      button("◀", "One step back (←)", () => this.step(-1)),
      this.play,
      button("▶", "One step forward (→)", () => this.step(1)),
      button("▶|", "Last step (End)", () => this.step(Infinity)),
      made("label", { class: "seek" }, "Step ", this.slider),
      made("label", {}, "Steps a second ", this.pace));
    document.addEventListener("keydown", (event) => this.press(event));
  }

  static footer(...more) {
    const keys = [["space", "play or pause"], ["←", "back"], ["→", "forward"], ["Home", "first"], ["End", "last"], ["+", "faster"], ["−", "slower"]];
    return made("footer", {}, ...keys.flatMap(([key, does], i) => [i ? " · " : "", made("kbd", {}, key), ` ${does}`]), ...more.flatMap((text) => [" · ", text]));
  }

  // Other states are to be stepped through from now on.
  load(length, at = 0) {
    this.length = length;
    this.slider.max = length - 1;
    this.pause();
    this.go(at);
  }

  go(to) {
    this.at = Math.max(0, Math.min(this.length - 1, to));
    this.slider.value = this.at;
    this.caption.ariaLive = this.playing ? "off" : "polite";  // a screen reader cannot keep up
    this.play.textContent = this.playing ? "Pause" : "Play";
    this.caption.textContent = this.show(this.at);
    this.slider.setAttribute("aria-valuetext", this.caption.textContent);
  }

  to(at) {
    this.pause();
    this.go(at);
  }

  step(by) {
    this.to(this.at + by);
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
  }

  toggle() {
    if (this.playing) return this.to(this.at);
    this.playing = true;
    this.go(this.at === this.length - 1 ? 0 : this.at);
    this.await();
  }

  await() {
    this.timer = setTimeout(() => {
      if (this.at + 2 >= this.length) return this.to(this.at + 1);
      this.go(this.at + 1);
      this.await();
    }, 1000 / Number(this.pace.value));
  }

  faster(by) {
    this.pace.selectedIndex = Math.max(0, Math.min(PACES.length - 1, this.pace.selectedIndex + by));
  }

  press(event) {
    const { target, key } = event, keys = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      "+": () => this.faster(1),
      "-": () => this.faster(-1),
    };
    if (!keys[key] || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const own = { " ": "button, select, summary, input[type=radio]", "+": "none", "-": "none" }[key] ?? "select, input[type=radio], [role=region]";  // what uses the key itself
    if (target.matches?.(own)) return;
    event.preventDefault();
    keys[key]();
  }
}
