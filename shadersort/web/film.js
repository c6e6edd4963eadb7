// A sort, pass by pass: textures that a browser draws now, or that Python recorded. A player shows
// either, by the same few questions.

"use strict";

const MOST_SAVED_BYTES = 1 << 26;  // of states to go back to

// A sort that is drawn here. `film` is what Python exports: a program and what is told of its passes.
class LiveFilm {
  // The first `count` keys are sorted; those after them fill the texture up.
  constructor(executor, film, texels, dtype, count = texels.length) {
    const { program, told } = film;
    Object.assign(this, { executor, program, told, dtype, precision: dtype, input: texels });
    Object.assign(this, { width: program.width, height: program.height, wires: program.wires, length: program.passes.length });
    const keys = texels.subarray(0, count), padding = texels.at(-1);
    this.fills = texels.length - count;
    this.fill = this.fills && !keys.includes(padding) ? padding : null;  // null: no cell is known to fill up
    this.values = distinct(keys);
    this.saved = [];
    this.every = Math.max(1, Math.ceil((this.length * texels.byteLength * 2) / MOST_SAVED_BYTES));
    this.roles = new Map();
    this.run = new Run(executor, program, texels, dtype);
    this.shown = { index: -1 };
  }

  index(at) {
    return at;
  }

  caption(at) {
    return `pass ${at} (last ${this.length - 1}) · ${this.told.captions[this.told.passes[at][0]]}`;
  }

  blends(at) {
    return "blend" in this.program.commands[this.program.passes[at][0]];
  }

  buffers(at) {
    return this.program.passes[at].slice(1);
  }

  // The lines of Python that made a pass: [file, number].
  lines(at) {
    return this.told.lines[this.told.passes[at][2]];
  }

  shader(at) {
    const command = this.program.commands[this.program.passes[at][0]];
    return `${this.program.shaders[command.shader][0]}.frag`;
  }

  // The textures of a pass: that which it reads, and its target before and after it. Their wires lie
  // row by row, wherever the pass keeps them.
  textures(at) {
    if (this.shown.index !== at) {
      const [source, target] = this.buffers(at);
      this.goBefore(at);
      const before = this.rowByRow(this.run.read(target), at - 1, target);
      this.run.step();
      const after = this.rowByRow(this.run.read(target), at, target);
      this.shown = { index: at, source: this.rowByRow(this.run.read(source), at - 1, source), before, after };
    }
    return this.shown;
  }

  // Draws until just before a pass, from the last saved state before it if that is nearer.
  goBefore(at) {
    const saved = this.saved.filter(({ done }) => done <= at).at(-1);
    if (this.run.done > at) {
      if (saved) this.run.restore(saved);
      else {
        this.run.release();
        this.run = new Run(this.executor, this.program, this.input, this.dtype);
      }
    } else if (saved && saved.done > this.run.done) this.run.restore(saved);
    while (this.run.done < at) {
      this.run.step();
      const known = this.saved.some(({ done }) => done === this.run.done);
      if (this.run.done % this.every === 0 && !known) {
        this.saved.push(this.run.saved());
        this.saved.sort((a, b) => a.done - b.done);
      }
    }
  }

  // A texture of butterflies has its wires in layers: the last pass that wrote it says where.
  rowByRow(texels, at, buffer) {
    if (!texels) return null;
    while (at >= 0 && this.program.passes[at][2] !== buffer) at -= 1;
    const layout = at < 0 ? null : this.told.layouts[this.told.passes[at][3]];
    if (!layout) return texels;
    const found = new texels.constructor(texels.length);
    for (let wire = 0; wire < texels.length / 4; wire++) {
      let address = 0;
      layout.forEach((flipped, bit) => { if ((wire >> bit) & 1) address ^= flipped; });
      for (let channel = 0; channel < 4; channel++) found[4 * wire + channel] = texels[4 * address + channel];
    }
    return found;
  }

  // For each texel its role, and the number of the texel that it is drawn from or compared with.
  rolesOf(at) {
    const [command] = this.program.passes[at], place = this.told.passes[at][1], key = `${command} ${place}`;
    if (!this.roles.has(key)) {
      const { rule, role } = this.told.roles[place];
      this.roles.set(key, this.executor.roles(this.program, command, rule, role, this.told.whole));
    }
    return this.roles.get(key);
  }

  // The prices of such keys on the paper's card; if it cannot draw them, those of halves.
  get prices() {
    const { prices } = this.told;
    return prices[this.precision]?.seconds ? prices[this.precision] : prices.float16;
  }

  // Milliseconds on the paper's card until a pass is over, without transfers; null if it cannot draw
  // the program at all.
  milliseconds(at) {
    const { seconds, passes } = this.prices;
    if (!seconds) return null;
    this.clock ??= passes.map((sum => (place) => (sum += 1e3 * seconds[place]))(0));
    return this.clock[at];
  }

  // The clocks of a pass: the card's by its price, and this browser's, if it was measured.
  clocks(at) {
    const spent = this.milliseconds(at), halves = this.prices === this.told.prices.float16 ? ", with 16-bit floats" : "";
    const card = spent === null ? this.prices.refused.split(":")[0].replace(/^\S+ /, "it ")
      : `${short(spent)} of ${short(this.milliseconds(this.length - 1))} ms`;
    const here = this.here === undefined ? [] : [["This browser, all passes", `${short(this.here)} ms`]];
    return [[`GeForce 6800 Ultra, by its data sheet${halves}`, card], ...here];
  }

  // Textures hold keys; a rank counts the different keys that are smaller.
  rank(cell) {
    let first = 0, last = this.values.length - 1;
    while (first < last) {
      const middle = (first + last) >> 1;
      if (this.values[middle] < cell) first = middle + 1;
      else last = middle;
    }
    return first;
  }

  key(cell) {
    return cell;
  }

  release() {
    this.run.release();
  }
}

// A number with three digits.
function short(number) {
  return number >= 100 ? Math.round(number).toLocaleString("en") : String(Number(number.toPrecision(3)));
}

// The different keys of texels, in order.
function distinct(texels) {
  return texels.slice().sort().filter((key, i, keys) => i === 0 || key !== keys[i - 1]);
}
