// Buttons, a slider and keys that step through recorded states.

"use strict";

const PACES = [0.5, 1, 2, 4, 8];
const OWN_KEYS = { " ": "button, select, summary, input[type=radio]", "+": "none", "-": "none" };  // elements that use a key themselves
const OWN_ARROWS = "select, input[type=radio], [role=region]";

class RecordedSteps {
  // Calls `show(at)`, which returns a caption, whenever there is something else to be seen.
  constructor(show) {
    Object.assign(this, { show, length: 1, at: 0, playing: false });
    this.build();
    document.addEventListener("keydown", (event) => this.press(event));
  }

  build() {
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
  }

  // What the keys do, and what else there is to know.
  static footer(more) {
    return made("footer", {}, ...keysTold(STEP_KEYS), more);
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
    keepHeight(this.caption);
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
    const { target, key } = event, keys = stepActions(this);
    if (!keys[key] || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.matches?.(OWN_KEYS[key] ?? OWN_ARROWS)) return;
    event.preventDefault();
    keys[key]();
  }
}
