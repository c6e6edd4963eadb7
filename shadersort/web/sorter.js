// Draws sorts in this browser: one context for a page, made when it is needed, and made anew when the
// browser takes it away.

"use strict";

class Sorter {
  // `exported` is what Python exports: glsl and probes. `films` returns a promise of a film.
  constructor(exported, films) {
    Object.assign(this, { exported, films, kept: new Map(), onlost: null });
    this.open();
  }

  open() {
    this.gl = openedContext();
    this.can = capabilitiesOf(this.gl);
    this.executor = new Executor(this.gl, this.exported.glsl);
    this.gl.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.onlost?.();
    });
  }

  // What the driver does to critical keys, probed once for each method and type.
  keeps(method, dtype) {
    const key = `${method} ${dtype}`;
    if (!this.kept.has(key)) this.kept.set(key, probed(this.executor, this.exported.probes, method, dtype));
    return this.kept.get(key);
  }

  // Prepares a sort of keys: a film to be played, and `sorted`, which returns all keys in order.
  async prepared(keys, wanted) {
    const chosen = possible(wanted, this.can), drawnType = chosen.ordinals ? "int32" : chosen.dtype;
    const keeps = this.keeps(chosen.method, drawnType);
    const apart = chosen.ordinals ? { denormals: true, infinities: true } : keeps;
    const aside = setAside(keys, chosen.dtype, apart);
    const drawn = chosen.ordinals ? asOrdinals(aside.drawn) : aside.drawn;
    const texels = Math.max(1, 2 ** Math.ceil(Math.log2(Math.ceil(drawn.length / 4) || 1)));
    const exported = await this.films(wanted.network, chosen.method, texels);
    const input = packed(drawn, texels, drawnType, keeps);
    const film = new LiveFilm(this.executor, exported, input, drawnType, drawn.length);
    if (chosen.ordinals) film.key = (cell) => fromOrdinals(Int32Array.of(cell))[0];
    film.precision = chosen.dtype;
    const sorted = () => {
      const result = merged(this.executor.run(exported.program, input, drawnType), drawn.length, drawnType);
      return putBack(chosen.ordinals ? fromOrdinals(result) : result, aside, chosen.dtype);
    };
    return { ...chosen, film, sorted, aside, count: keys.length };
  }

  // Milliseconds that all passes of a film take here, until the GPU has drawn them. A first run, in
  // which a driver may compile, does not count.
  milliseconds(film) {
    this.timed(film);
    return this.timed(film);
  }

  timed(film) {
    const run = new Run(this.executor, film.program, film.input, film.dtype);
    this.finish(run.buffers.texture, film.dtype);
    const began = performance.now();
    while (run.done < film.length) run.step();
    this.finish(run.buffers[film.program.result], film.dtype);
    const took = performance.now() - began;
    run.release();
    return took;
  }

  // Waits until a buffer is drawn: only what is read must be there.
  finish(buffer, dtype) {
    const { array, format, type } = FORMATS[dtype];
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, buffer.framebuffer);
    this.gl.readPixels(0, 0, 1, 1, this.gl[format], this.gl[type], new array(4));
  }
}
