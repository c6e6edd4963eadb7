// Draws sorts in this browser: one context for a page, made when it is needed.

class Sorter extends Executor {
  // `findFilm` returns a promise of a film.
  constructor(glsl, findFilm, onlost) {
    super(glsl, onlost);
    this.findFilm = findFilm;
  }

  // Sorts keys; returns a film to be played, all keys in order, and what is to be said. With one channel, a texel
  // holds one key. The drawn keys are compared with those of a sort without a GPU, because drivers differ.
  async sort(keys, { network, method: wanted, dtype, channels = 4 }) {
    const { method, why } = possibleMethod(wanted, dtype, this.can), aside = setAside(keys, dtype), { drawn } = aside;
    const count = channels === 1 ? keys.length : Math.ceil(drawn.length / channels), texels = 2 ** Math.ceil(Math.log2(count || 1));
    const film = await this.findFilm(network, method, texels), input = packTexels(drawn, texels, dtype, channels);
    const ordered = mergeChannels(this.run(film.program, input, dtype), drawn.length, dtype), right = TYPES[dtype].array.from(drawn).sort();
    if (!ordered.every((key, i) => key === right[i]) && !this.gl.isContextLost()) throw new UserError(`This browser's graphics driver compares ${dtype} keys wrongly by method “${method}”.`);
    return { method, why, aside, sorted: putBack(ordered, aside, dtype), film: new LiveFilm(this, film, input, dtype, drawn, channels) };
  }

  // Milliseconds that all passes of a film take here, until the GPU has drawn them. They were drawn
  // before, so a driver has compiled all shaders.
  milliseconds({ program, input, dtype }) {
    const run = new Run(this, program, input, dtype);
    run.buffers.texture.read(1, 1);
    const began = performance.now();
    run.runTo(program.passes.length).buffers[program.result].read(1, 1);
    const took = performance.now() - began;
    run.release();
    return took;
  }

  // Bytes a millisecond that copies from texture to texture read and write here.
  bandwidth() {
    const { gl } = this, side = 1024, [from, to] = [0, 1].map(() => new Texture(gl, side, side, "int32"));
    let repeats = 1, took = 0;
    for (to.read(1, 1); took < 5 && repeats < 1000; repeats *= 4) {
      const began = performance.now();
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from.framebuffer);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to.framebuffer);
      for (let i = 0; i < repeats; i++) gl.blitFramebuffer(0, 0, side, side, 0, 0, side, side, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      to.read(1, 1);
      took = performance.now() - began;
    }
    [from, to].forEach((texture) => texture.release());
    return ((repeats / 4) * 2 * 16 * side * side) / took;
  }
}

// The method that draws keys of a type here, and a sentence for the reader if it is not the wanted one.
function possibleMethod(method, dtype, can) {
  const instead = (why) => ({ method: "fragment", why: `${why}: method fragment is shown instead.` });
  if ((dtype === "float16" && !can.halves) || (dtype === "float32" && !can.floats))
    throw new UserError(`This browser cannot draw into textures of ${dtype}. It can draw integers: choose type int32 or uint32.`);
  if (method === "fused" && can.layers < 8) return instead(`This browser draws into ${can.layers} textures at once, and method fused needs 8`);
  if (method !== "blend") return { method, why: "" };
  if (!isFloat(dtype)) return instead(`Only floats blend, and these keys are ${dtype}`);
  if (dtype === "float32" && !can.blends) return instead("This browser blends only 16-bit floats (type float16), as the card of 2005 did");
  return { method, why: "" };
}
