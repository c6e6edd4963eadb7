// A player: buttons, a slider, a speed and keys that step through states, whatever they are of.

const OWN_KEYS = { " ": "button, select, summary, input[type=radio], input[type=checkbox]", "+": "none", "-": "none" };  // elements that use a key themselves
const OWN_ARROWS = "select, input[type=radio], input[type=range], [role=region]";
const TYPES_TEXT = "textarea, input[type=text], input[type=number]";

class Player {
  // Calls `show(at)`, which returns a caption, whenever there is something else to be seen. States are
  // called `unit`; `keys` are more keys of the page: [name, what it does, action] of each.
  constructor(show, { unit = "Step", speeds = [0.5, 1, 2, 4, 8], speed = 1, keys = [] } = {}) {
    Object.assign(this, { show, unit, length: 0, at: 0, playing: false });
    this.slider = html("input", { type: "range", min: 0, step: 1, oninput: () => this.to(Number(this.slider.value)) });
    this.speed = html("select", {}, ...speeds.map((each) => html("option", { selected: each === speed }, String(each))));
    this.play = button("Play", () => this.toggle(), { class: "play", title: "Play or pause (space)" });
    this.caption = html("p", { class: "caption", "aria-live": "polite" });
    const small = unit.toLowerCase(), sign = (symbol, title, by) => button(symbol, () => this.step(by), { "aria-label": title, title });
    this.controls = html("div", { class: "controls", role: "group", "aria-label": "Player" },
      sign("|◀", `First ${small} (Home)`, -Infinity), sign("◀", `One ${small} back (←)`, -1), this.play,
      sign("▶", `One ${small} forward (→)`, 1), sign("▶|", `Last ${small} (End)`, Infinity),
      label(unit, this.slider, "seek"), label(`${unit === "Pass" ? "Passes" : `${unit}s`} a second`, this.speed));
    this.keys = [
      ["space", "play or pause", () => this.toggle(), " "], ["←", "back", () => this.step(-1), "ArrowLeft"], ["→", "forward", () => this.step(1), "ArrowRight"],
      ["Home", "first", () => this.step(-Infinity)], ["End", "last", () => this.step(Infinity)], ["+", "faster", () => this.faster(1)], ["−", "slower", () => this.faster(-1), "-"], ...keys,
    ];
    document.addEventListener("keydown", (event) => this.press(event));
  }

  // What the keys do, and what else there is to know.
  footer(...more) {
    return html("footer", {}, ...this.keys.flatMap(([name, does], i) => [i ? " · " : "", html("kbd", {}, name), ` ${does}`]), ...more.flatMap((each) => [" · ", each]));
  }

  // Other states are to be stepped through from now on.
  load(length, at = 0) {
    this.pause();
    this.length = length;
    this.slider.max = length - 1;
    this.go(at);
  }

  go(to = this.at) {
    if (!this.length) return;
    this.at = clamp(to, 0, this.length - 1);
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

  // Plays on, or from the first state after the last; at a speed of the list, if one is named.
  start(speed = this.speed.value) {
    this.speed.value = String(speed);
    this.playing = true;
    this.go(this.at === this.length - 1 ? 0 : this.at);
    this.wait();
  }

  toggle() {
    if (this.playing) this.to(this.at);
    else this.start();
  }

  wait() {
    this.timer = setTimeout(() => {
      if (this.at + 2 >= this.length) return this.step(1);
      this.go(this.at + 1);
      this.wait();
    }, 1000 / Number(this.speed.value));
  }

  faster(by) {
    this.speed.selectedIndex = clamp(this.speed.selectedIndex + by, 0, this.speed.length - 1);
  }

  press(event) {
    const { target, key } = event, [, , action] = this.keys.find(([name, , , code = name]) => code === key) ?? [];
    if (!action || !this.length || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.matches?.(TYPES_TEXT) || target.matches?.(OWN_KEYS[key] ?? OWN_ARROWS)) return;
    event.preventDefault();
    action();
  }
}
