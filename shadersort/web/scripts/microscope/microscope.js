// The page of the microscope: a kernel to write or to try, its verdict, and every step of it.

const VIEWS = { warps: "warp by warp", threads: "thread by thread" };
const MOST_STEPS = 50_000;
const MORE_KEYS = 2 ** 20, FEWER_KEYS = 2 ** 14;  // for a time on a GPU, and on one that is software

class Microscope {
  constructor(root, { kernels, words }) {
    Object.assign(this, { root, kernels: kernels.map((kernel) => ({ ...kernel, words })), words, texts: new Map(), view: "warps" });
    this.player = new Player((at) => this.show(at), { speeds: [0.5, 1, 2, 4, 8, 16] });
    this.memory = new MemoryView();
    this.gpu = Compute.open();
    this.gpu.then(({ why }) => { document.body.dataset.webgpu = why ? "no" : "yes"; });
    this.link = new Link("link to this kernel", (wanted) => this.follow(wanted));
    this.build();
    this.follow(Link.wanted);
  }

  build() {
    const { kernels, player } = this, names = kernels.map(({ name }) => name), table = (name) => html("table", { "aria-label": name });
    this.menu = menu(sameNames(names), (name) => this.choose(name));
    this.told = html("p");
    this.cases = html("select", { onchange: () => this.restart() });
    this.answer = new Answer("Text of the kernel", "", "Run", (text) => this.read(text));
    [this.lanes, this.costs] = ["What each lane reads and writes", "What each line costs"].map(table);
    this.views = choice("Steps", VIEWS, this.view, (view) => this.look(view));
    this.run = button("Run on this GPU", () => this.measure());
    this.measured = html("p", { role: "status" });
    this.costly = html("div", {}, html("h2", {}, "What each line costs"), scrollBox("Costs", this.costs));
    this.stage = html("section", { "aria-label": "Step by step" }, html("div", { class: "controls" }, label("Data", this.cases)), this.views.element, player.controls, player.caption, scrollBox("Lanes", this.lanes, "lanes"));
    this.below = html("section", { "aria-label": "Memory" }, this.memory.element,
      html("p", { class: "pointed" }, "Eight cells are a sector of 32 bytes, and a place of shared memory is in the bank that 32 leaves over. A dashed frame: read. A full one: written. “?”: nothing was written yet."),
      html("h2", {}, "On your own GPU"), html("div", { class: "controls" }, this.run), this.measured);
    this.root.replaceChildren(kernels.length > 1 ? html("div", { class: "controls" }, label("Kernel", this.menu)) : "", this.told,
      html("div", { class: "sides" }, html("div", {}, ...this.answer.parts, this.answer.hints, this.costly), this.stage), this.below, DATA.linked ? html("p", {}, this.link.element) : "", player.footer());
  }

  follow(wanted) {
    const { kernels } = this, { name } = kernels.find((each) => each.name === wanted.get("kernel")) ?? kernels[0];
    this.menu.value = name;
    this.choose(name);
  }

  // Begins with another kernel; what was written of the last one is kept.
  choose(name) {
    if (this.kernel) this.texts.set(this.kernel, this.answer.text);
    const kernel = this.kernel = this.kernels.find((each) => each.name === name), { cases } = kernel;
    this.told.replaceChildren(...codeParts(kernel.told));
    this.cases.replaceChildren(...cases.map(({ keys, blocks, numbers }, i) => {
      const given = kernel.numbers.map((each, at) => `, ${each} = ${numbers[at]}`).join("");
      return html("option", { value: i }, `${cases.length > 1 ? `case ${i + 1}: ` : ""}${countText(keys.length, "key")}, ${countText(blocks, "block")} of ${kernel.threads} threads${given}`);
    }));
    this.answer.given = kernel.text;
    this.answer.text = this.texts.get(kernel) ?? kernel.text;
    this.answer.showHints(kernel.hints);
    this.link.lead(new URLSearchParams({ kernel: name }));
    this.read(this.answer.text);
  }

  // Judges a text, and shows the case that fails, if any.
  read(text) {
    const { kernel, kernel: { cases } } = this, name = kernel.name.split(": ").at(-1), found = checkKernel(text, kernel), { state, about, number, mistake } = found, free = !cases[0].expected;
    this.found = found;
    if (number) this.cases.value = number - 1;
    const words = free && state === "wrong" ? about.replace(/^in case \d+ of \d+: /, "") : about, looks = mistake ? ` It looks as if ${mistake.said}.` : "";
    if (state === "not yet") this.answer.tell("", UNTRIED);
    else if (state === "right") this.answer.tell("good", free ? "No fault, in four orders of its threads." : `${name}: right, ${about}.`);
    else this.answer.tell("bad", `${name}: wrong, ${words}${/[.?]$/.test(words) ? "" : "."}${looks}`, mistake?.hint);
    document.body.dataset.state = state;
    this.restart();
  }

  // Runs the text with the chosen data, and shows its steps, if there are any.
  restart() {
    const { found: { kernel, about }, answer, kernel: { cases } } = this, [, line] = /^it does not compile: line (\d+)/.exec(about) ?? [];
    this.launch = cases[Number(this.cases.value)];
    const fault = kernel && simulateKernel(kernel, this.launch).faults[0];
    this.runs = kernel && { warps: this.trace(TOGETHER, warpInstructions), threads: this.trace(fault?.order ?? 0, threadInstructions) };
    for (const part of [this.stage, this.costly, this.below]) part.hidden = !this.runs?.warps.steps.length;
    this.player.load(0);
    answer.light(0);
    this.run.disabled = Boolean(fault);
    this.measured.textContent = fault ? "A kernel with a fault runs here only: on your GPU it could do harm." : "";
    const faults = this.runs?.threads.faults.map((each) => ({ line: each.line, words: faultSentence(each, this.words), go: () => this.look("threads", each.step) }));
    answer.explain(faults ?? (line ? [{ line: Number(line), words: "" }] : []));
    if (this.stage.hidden) return;
    fillTable(this.costs, COST_HEAD, costRows(this.runs.warps.instructions));
    this.look(this.view);
  }

  trace(order, instructionsOf) {
    const run = traceKernel(this.found.kernel, this.launch, order, MOST_STEPS);
    return { ...run, instructions: instructionsOf(run.steps, this.kernel.threads) };
  }

  // Shows the steps of warps or of threads, from one of them on.
  look(view, at = 0) {
    this.view = view;
    this.views.check(view);
    this.memory.load(this.found.kernel, this.launch, this.runs[view], this.kernel.unordered);
    this.player.load(this.runs[view].instructions.length, at);
  }

  show(at) {
    const { view, runs: { [view]: run }, found: { kernel: { shared } } } = this, instruction = run.instructions[at];
    this.answer.light(instruction.line);
    this.memory.show(at);
    fillTable(this.lanes, ["lane", "reads", "writes"], laneRows(instruction, run.steps, new Set(shared.filter(({ name }) => !name.array).map(({ name: { name } }) => name))));
    const ends = at + 1 < run.instructions.length ? "" : run.complete ? " · the last step" : ` · only ${numberText(MOST_STEPS)} steps are kept`;
    return instructionSentence(instruction, view === "threads") + ends;
  }

  // Runs the same text by WebGPU; a free kernel with many keys, too.
  async measure() {
    const { launch, kernel, found: { kernel: tree } } = this, gpu = await this.gpu, says = (text) => { if (this.launch === launch && this.found.kernel === tree) this.measured.textContent = text; };
    if (gpu.why) return says(`${gpu.why} So this kernel runs in the simulator only.`);
    says("It runs …");
    const clock = gpu.clock ? "by the GPU's clock" : "by the page's clock, with the way to the GPU", time = (ms) => `${shortText(1000 * ms)} µs ${clock}`;
    try {
      const { result, ms } = await runOnGpu(gpu, tree, launch), [here, there] = [this.runs.threads.result, result].map((each) => inOrder(each, launch, kernel));
      const parts = [`${gpu.name}${gpu.software ? ", which is software," : ""} gives ${sameNumbers(here, there) ? "the same result" : "another result"}: ${time(ms)}.`];
      if (!launch.expected) parts.push(await this.measureMore(gpu, tree, launch, time));
      document.body.dataset.gpu = sameNumbers(here, there) ? "same" : "other";
      says(parts.join(" "));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      says(`WebGPU refuses this kernel: ${error.message}. Perhaps it cannot prove that all threads come to each barrier.`);
    }
  }

  async measureMore(gpu, tree, { keys, result, blocks, numbers }, time) {
    const times = (gpu.software ? FEWER_KEYS : MORE_KEYS) / keys.length, repeat = (list) => Array.from({ length: times * list.length }, (_, i) => list[i % list.length]);
    const { ms } = await runOnGpu(gpu, tree, { keys: repeat(keys), result: repeat(result), blocks: times * blocks, numbers });
    return `With ${numberText(times * keys.length)} keys: ${time(ms)}, which is ${shortText((times * keys.length) / ms / 1e6)} billion keys a second.`;
  }
}
