// A sort that Python recorded: every texture as ranks into the sorted keys, each different one once.

"use strict";

class RecordedFilm {
  constructor(trace) {
    Object.assign(this, { title: trace.title, width: trace.width, height: trace.height, wires: trace.wires });
    this.passes = trace.passes;
    this.length = trace.passes.length;
    this.values = unpacked(trace.values);
    this.dtype = trace.values.type;
    this.fill = trace.fill;  // the rank of a cell that is no key, or null
    this.ranks = unpacked(trace.textures);
    this.geometries = trace.geometries.map(({ role, partner }) => ({ role: unpacked(role), partner: unpacked(partner) }));
  }

  // The number of a pass in the program: a slice of a trace does not count anew.
  index(at) {
    return this.passes[at].index;
  }

  caption(at) {
    return this.passes[at].caption;
  }

  blends(at) {
    return this.passes[at].blend !== null;
  }

  buffers(at) {
    return this.passes[at].buffers;
  }

  textures(at) {
    const size = this.width * this.height * 4;
    const texture = (place) => (place === null ? null : this.ranks.subarray(place * size, (place + 1) * size));
    const { source, before, after } = this.passes[at];
    return { source: texture(source), before: texture(before), after: texture(after) };
  }

  rolesOf(at) {
    return this.geometries[this.passes[at].geometry];
  }

  // Textures hold ranks.
  rank(cell) {
    return cell;
  }

  key(cell) {
    return this.values[cell];
  }
}
