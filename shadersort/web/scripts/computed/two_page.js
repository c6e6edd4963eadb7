// The page on which two GPUs sort a reader's keys: on the left they are drawn, on the right computed. One
// player moves both, and both results are compared, bit for bit.

const FEW_KEYS = 64;  // one to a texel, so that both halves run the same network on the same wires
const MOST_SHOWN = 1 << 14;  // keys whose steps are all kept, to be played
const FACTS = ["on both GPUs", "commands", "bytes moved", "time (whose clock)", "copy bandwidth", "share of that limit", "by the 6800 Ultra's data sheet"];
const PASSES = ["pass", "passes"];

class TwoPage extends SortPage {
  static kinds = { ...KINDS, hard: "NaN, ±0, denormals" };

  build() {
    super.build();
    const { view, stage } = this, title = html("h2"), caption = html("p", { class: "caption" });
    const heading = (text) => html("p", { class: "kind" }, text);
    this.panels = new Panels(this.look, () => {}, () => {}, ["lower and higher", "memory"]);
    this.right = { title, caption, heading: heading("Computed, as today (WebGPU)") };
    this.verdict = html("p", { class: "verdict", role: "status" });
    this.facts = html("table");
    this.rank = html("input", { type: "number", min: 0, step: 1, placeholder: "middle", onchange: () => this.sort() });
    this.answer = html("p");
    this.rounds = html("table");
    stage.replaceChildren(view.player.controls,
      html("div", { class: "halves" },
        html("section", { "aria-label": "Drawn" }, heading("Drawn, as in 2005 (WebGL 2)"), view.title, view.player.caption, view.panels.element, view.views.element),
        html("section", { "aria-label": "Computed" }, this.right.heading, title, caption, this.panels.element)),
      view.legend, view.pointed, view.room, view.player.footer());
    const selected = html("section", { "aria-label": "Selected" }, html("h2", {}, "Selected: one key, without a sort"),
      label("Rank, from 0", this.rank), this.answer, scrollBox("Rounds of the selection", this.rounds));
    stage.after(this.verdict, scrollBox("What both GPUs did", this.facts), selected);
    this.shown = [stage, this.verdict, this.facts.parentNode, selected];
    this.words.addEventListener("input", () => this.tell("ready"));
    this.gpu = KeyCompute.open(this.wgsl);
    this.gpu.then(({ why }) => { document.body.dataset.webgpu = why ? "no" : "yes"; });
    this.steps = unpackJson(this.steps);
  }

  // Says on the page's body how far it is: for tests, and for pages that embed it.
  tell(state, digests = {}) {
    const { dataset } = document.body;
    for (const name of ["drawn", "computed"]) delete dataset[name];
    Object.assign(dataset, { state, ...digests });
  }

  follow(wanted, plays) {
    this.rank.value = wanted.get("rank") ?? "";
    super.follow(wanted, plays);
  }

  keys() {
    this.tell("ready");
    const { chosen, chosen: { kind, dtype, seed }, count, rank, limits } = this;
    if (kind === "hard") {
      chosen.count = wholeNumber(count.value, 1, limits.most, "a number of keys", limits.more);
      this.bits = hardBits(chosen.count, seed, dtype);
    } else this.bits = bitsOf(super.keys(), dtype);
    const { length } = this.bits;
    if (!length) throw new UserError("There are no keys: type at least one number.");
    if (rank.value || rank.validity.badInput) wholeNumber(rank.value, 0, length - 1, "a rank of these keys");
    chosen.channels = length <= FEW_KEYS ? 1 : CHANNELS.length;
    return keysOfBits(this.bits, dtype);
  }

  show(found, count, wanted) {
    this.computed = null;
    this.shown.forEach((part) => { part.hidden = false; });
    super.show(found, count, wanted);
    const { ticket } = this;
    this.compute(found, ticket).catch((error) => ticket === this.ticket && this.fail(new UserError(`This browser's WebGPU failed: ${error.message}`)));
  }

  // Nothing that was sorted before is seen beside a complaint.
  fail(error) {
    super.fail(error);
    this.shown.forEach((part) => { part.hidden = true; });
    this.why.textContent = this.result.value = "";
    this.tell("failed");
  }

  keepPlace() {
    super.keepPlace(this.rank.value ? { rank: this.rank.value } : {});
    this.showComputed();
  }

  // Computes what was drawn, and shows and compares both.
  async compute({ sorted, film }, ticket) {
    const { bits, chosen: { network, dtype } } = this, drawn = withNaNs(bitsOf(sorted, dtype), bits, dtype), gpu = await this.gpu;
    this.copies ??= this.sorter.bandwidth();
    const run = gpu.why ? null : await this.runOn(gpu, bits, network, dtype), digests = { drawn: await hexDigest(drawn) };
    const computed = run && withNaNs(bits.map((_, i) => bitsOfCode(run.states.at(-1)[i], dtype)), bits, dtype);
    if (run) digests.computed = await hexDigest(computed);
    if (ticket !== this.ticket) return;
    const differs = run ? computed.findIndex((each, i) => each !== drawn[i]) : -1;
    if (differs >= 0) return this.fail(new UserError(`The two results differ, first at key ${numberText(differs)}: a driver of this browser is wrong.`));
    const software = gpu.software ? " This GPU is software: there, barriers make computing slower than drawing. On a real GPU it is the other way round." : "";
    this.verdict.textContent = run ? `Both results are the same, bit for bit: ${countText(bits.length, "key")}, ${countText(drawn.byteLength, "byte")}.${software}`
      : `${gpu.why} So the right half shows a recorded run of other keys, and only the drawn result is of your keys.`;
    this.right.heading.textContent = run ? `Computed, as today (WebGPU: ${run.name})` : `Recorded on another machine (WebGPU: ${this.recorded.name})`;
    this.rank.disabled = !run;
    this.showRun(film, run ?? this.recorded, run ? ["computed", "selected"] : ["recorded: computed", "recorded: selected"]);
    this.tell("sorted", digests);
  }

  // Sorts and selects on a GPU: what `recorded.json` has of another one.
  async runOn(gpu, bits, network, dtype) {
    const { length } = bits, { steps, rank: { value } } = this, wires = 2 ** Math.ceil(Math.log2(length)), rank = value ? Number(value) : (length - 1) >> 1;
    const codes = new Uint32Array(wires).fill(2 ** 32 - 1), [own, ranges] = Object.values(await steps).map((each) => each[network][Math.log2(wires)]);
    codes.set(codesOf(bits, dtype));
    const { sorted, ...sort } = await gpu.sort(codes, own, ranges), select = await gpu.select(codes, rank, BITS[dtype]);
    const states = wires > MOST_SHOWN ? [codes, sorted] : [...(await gpu.states(codes, own)).slice(0, -1), sorted];
    gpu.copies ??= await gpu.bandwidth();
    this.run = { name: gpu.name, clock: gpu.clock, copies: gpu.copies, network, dtype, count: length, rank, steps: own, states, sort, select };
    return this.run;
  }

  // Shows a run in the right half and below both.
  showRun(film, { network, dtype, states, steps, count, rank, sort, select, copies, clock }, words) {
    this.computed = new ComputedFilm(states.map((each) => Uint32Array.from(each)), steps, dtype, count);
    this.right.title.textContent = `${network}: ${numberText(count)} ${dtype} keys, ${countText(states[0].length, "wire")}`;
    this.panels.load(this.computed);
    this.showComputed();
    this.showFacts(film, [sort, select].map((each) => ({ ...each, commands: each.dispatches, copies, clock: clock ? "GPU" : "page" })), words);
    const same = select.code === states.at(-1)[rank] ? "the same key" : "another key";
    this.answer.textContent = `Rank ${numberText(rank)} of ${countText(count, "key")} is ${this.computed.word(select.code)}. The sort has ${same} there.`;
    this.showRounds(select.rounds, count, BITS[dtype]);
  }

  // The state of the computed sort that belongs to the pass which is shown of the drawn one.
  showComputed() {
    const { computed, view: { player } } = this;
    if (!computed) return;
    const share = player.length ? (player.at + 1) / player.length : 1, at = Math.floor(share * (computed.length - 1) + 1e-9), codes = computed.states[at];
    const texels = Uint32Array.from({ length: 4 * codes.length }, (_, i) => (i % 4 ? 0 : codes[i / 4])), roles = computed.rolesOf(at);
    this.panels.show({ texels, roles, outlined: roles.role, texel: -1 });
    this.right.caption.textContent = computed.caption(at);
  }

  // What was run on each side: drawn, computed, selected; then what was recorded of more keys.
  showFacts(film, runs, words) {
    const { recorded } = this, card = film.length ? film.clocks(film.length - 1)[0][1].split(" of ").at(-1) : "0 ms";
    const drawn = { commands: film.length, bytes: film.bytes * (BITS[film.dtype] / 16), ms: film.here, copies: this.copies, clock: "page" };
    const row = (name, { commands, bytes, ms, copies = recorded.copies, clock }, unit = ["dispatch", "dispatches"], old = "cannot compute") => [name, countText(commands, ...unit),
      bytesText(bytes), `${shortText(ms)} ms (${clock})`, `${shortText(copies / 1e6)} GB/s`, ms ? `${shortText((100 * bytes) / ms / copies)} %` : "–", old];
    const many = recorded.rows.map(({ keys, what, network, method, ...run }) => (what === "draw" ? row(`${numberText(keys)} keys drawn (${network}, ${method})`, run, PASSES, "–")
      : row(`${numberText(keys)} keys ${network ? `computed (${network})` : "selected"}`, run)));
    fillTable(this.facts, FACTS, [row("drawn", drawn, PASSES, card), ...runs.map((run, i) => row(words[i], run)), [`recorded on ${recorded.name}`, ...FACTS.slice(1).fill("")], ...many]);
  }

  showRounds(rounds, count, bits) {
    const sizes = [count, ...rounds.map(({ among }) => among)];
    fillTable(this.rounds, ["histogram by", "codes counted", "digit of the rank", "below it", "left"], rounds.map(({ digit, below, among }, i) =>
      [`bits ${bits - 8 * i - 1} to ${bits - 8 * i - 8}`, numberText(sizes[i]), `0x${digit.toString(16).padStart(2, "0")}`, numberText(below), numberText(among)]));
  }
}

const bytesText = (bytes) => bytes >= 1e6 ? `${shortText(bytes / 1e6)} MB` : bytes >= 1e4 ? `${shortText(bytes / 1e3)} kB` : `${numberText(bytes)} bytes`;

// Bits of keys that hardware may change: NaNs with payloads, infinities, denormals and zeros of both signs.
function hardBits(count, seed, dtype) {
  const draw = random(seed), all = 2 ** BITS[dtype] - 1, sign = 2 ** (BITS[dtype] - 1), exponent = { float32: 0x7f800000, float16: 0x7c00 }[dtype] ?? 0;
  return bitArray(dtype).from({ length: count }, (_, i) => {
    const word = Math.floor(draw() * 2 ** 32) & all;
    return [word, word | exponent, word & ~exponent, word & sign][i % 4];
  });
}

// SHA-256; an empty text where the browser has none, as on pages that do not come by https.
async function hexDigest(bits) {
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bits);
  return digest ? Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
}
