// A sort, pass by pass, as a player shows it: recorded by Python, or drawn here and now. What both have
// is described in shadersort/web/__init__.py.

class Film {
  constructor(facts) {
    Object.assign(this, facts);
  }

  get length() {
    return this.passes.length;
  }

  // The number of a pass in its program, of which a recorded film may have a part.
  index(at) {
    return this.passes[at].index ?? at;
  }

  caption(at) {
    return `pass ${this.index(at)} (last ${this.last ?? this.length - 1}) · ${this.passes[at].does}`;
  }

  word(key) {
    return key === this.fill ? "fill" : keyText(key, this.dtype);
  }

  // How many different keys are smaller than a key of a texture.
  rank(key) {
    let first = 0, last = this.values.length - 1;
    while (first < last) {
      const middle = (first + last) >> 1;
      if (this.values[middle] < key) first = middle + 1;
      else last = middle;
    }
    return first;
  }
}

// The different keys of an array, in order.
const differentKeys = (keys) => keys.slice().sort().filter((key, i, all) => i === 0 || key !== all[i - 1]);

// A sort that Python recorded: every texture as ranks into the sorted keys, each different one once.
class RecordedFilm extends Film {
  constructor({ values, fill, textures, geometries, ...facts }) {
    const keys = decodeArray(values), isKey = fill === null;
    super({ ...facts, dtype: values.type, values: isKey ? keys : keys.subarray(0, fill), fill: isKey ? null : keys[fill] });
    Object.assign(this, { keys, ranks: decodeArray(textures) });
    this.geometries = geometries.map(({ role, partner }) => ({ role: decodeArray(role), partner: decodeArray(partner) }));
  }

  textures(at) {
    const size = this.width * this.height * 4, { source, before, after } = this.passes[at];
    const texture = (place) => place === null ? null : new this.keys.constructor(size).map((_, i) => this.keys[this.ranks[place * size + i]]);
    return { source: texture(source), before: texture(before), after: texture(after) };
  }

  rolesOf(at) {
    return this.geometries[this.passes[at].geometry];
  }
}

// A sort that is drawn here. `film` is what Python exports (films.py).
class LiveFilm extends Film {
  // The keys are sorted, and lie in as many channels; what else is in `input` fills the texture up.
  constructor(executor, film, input, dtype, keys = input, channels = 4) {
    const { width, height, wires } = film.program, padding = input.at(-1), fills = (input.length / 4) * channels - keys.length;
    super({ ...film, width, height, wires, dtype, executor, input, channels, fills, values: differentKeys(keys) });
    this.fill = keys.length < input.length && !keys.includes(padding) ? padding : null;  // null: no key is known to fill up
    this.geometries = new Map();
    this.run = new Run(executor, film.program, input, dtype);
  }

  // The textures of a pass. Their wires lie row by row, wherever the pass keeps them.
  textures(at) {
    const [source, target] = this.passes[at].buffers;
    if (this.run.done > at) {
      this.run.release();
      this.run = new Run(this.executor, this.program, this.input, this.dtype);
    }
    this.run.runTo(at);
    const before = this.readRows(target, at - 1), read = this.readRows(source, at - 1);
    this.run.step();
    return { source: read, before, after: this.readRows(target, at) };
  }

  // A texture of butterflies has its wires in layers: the last pass that wrote it says where.
  readRows(buffer, at) {
    const texels = this.run.read(buffer), { layout } = this.passes.slice(0, at + 1).findLast(({ buffers }) => buffers[1] === buffer) ?? {};
    if (!texels || !layout) return texels;
    const rows = new texels.constructor(texels.length);
    for (let wire = 0; wire < texels.length / 4; wire++) {
      let address = 0;
      layout.forEach((flipped, bit) => { if ((wire >> bit) & 1) address ^= flipped; });
      rows.set(texels.subarray(4 * address, 4 * address + 4), 4 * wire);
    }
    return rows;
  }

  // For each texel its role, and the number of the texel that it is drawn from or compared with.
  rolesOf(at) {
    const { program, whole } = this, [command] = program.passes[at], { rule, role } = this.passes[at], key = [command, rule, role].join();
    if (!this.geometries.has(key)) this.geometries.set(key, this.executor.roles(program, program.commands[command], { rule, role }, whole));
    return this.geometries.get(key);
  }

  // The clocks of a pass: that of the paper's card, by its price and without transfers, and this
  // browser's, if it was measured. If the card cannot draw such keys, it draws halves.
  clocks(at) {
    const { float16 } = this.prices, own = this.prices[this.dtype], halves = !Array.isArray(own), prices = halves ? float16 : own;
    const spent = (count) => shortText(1e3 * prices.slice(0, count).reduce((sum, each) => sum + each, 0));
    const card = Array.isArray(prices) ? `${spent(at + 1)} of ${spent(prices.length)} ms` : prices.split(":")[0].replace(/^\S+ /, "it ");
    const here = this.here === undefined ? [] : [["This browser, all passes", `${shortText(this.here)} ms`]];
    return [[`GeForce 6800 Ultra, by its data sheet${halves ? ", with 16-bit floats" : ""}`, card], ...here];
  }
}
