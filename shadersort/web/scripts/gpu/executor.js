// Runs programs of passes in WebGL 2. A program is what Program.to_json wrote (docs/programs.md);
// networks, passes, quads, uniforms and shaders all come from Python. What a pass means is defined
// by shadersort/drawing/devices/software.py.

const FORMATS = {
  float32: { internal: "RGBA32F", format: "RGBA", type: "FLOAT", array: Float32Array, kind: "f" },
  // halves travel as floats that are halves exactly
  float16: { internal: "RGBA16F", format: "RGBA", type: "FLOAT", array: Float32Array, kind: "f" },
  int32: { internal: "RGBA32I", format: "RGBA_INTEGER", type: "INT", array: Int32Array, kind: "i" },
  uint32: { internal: "RGBA32UI", format: "RGBA_INTEGER", type: "UNSIGNED_INT", array: Uint32Array, kind: "u" },
};

class GLSLError extends Error {}

// A shader linked with quads.vert. It remembers its uniforms, and sets one only when it changes.
class LinkedShader {
  constructor(gl, vertexSource, fragmentSource) {
    this.gl = gl;
    this.program = gl.createProgram();
    const check = (parameter, log) => { if (!parameter && !gl.isContextLost()) throw new GLSLError(log); };
    for (const [type, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      check(gl.getShaderParameter(shader, gl.COMPILE_STATUS), gl.getShaderInfoLog(shader));
      gl.attachShader(this.program, shader);
      gl.deleteShader(shader);  // it lives as long as the program
    }
    gl.linkProgram(this.program);
    check(gl.getProgramParameter(this.program, gl.LINK_STATUS), gl.getProgramInfoLog(this.program));
    Object.assign(this, { setters: {}, values: {} });
    const count = gl.getProgramParameter(this.program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; i++) {
      const { name, type } = gl.getActiveUniform(this.program, i);
      const place = gl.getUniformLocation(this.program, name);
      const set = { [gl.INT_VEC2]: "uniform2iv", [gl.INT_VEC4]: "uniform4iv" }[type] ?? "uniform1iv";
      this.setters[name.replace("[0]", "")] = (numbers) => gl[set](place, numbers);
    }
  }

  // The numbers of a uniform are one list of the program's table, so a list stands for its content.
  set(name, numbers) {
    if (this.values[name] === numbers) return;
    this.values[name] = numbers;
    this.setters[name]?.(numbers);
  }
}

// A texture of four channels, cut into layers one below the other, and the framebuffer that draws
// into it.
class Texture {
  constructor(gl, width, height, dtype, layers = 1, texels = null) {
    Object.assign(this, { gl, width, height, dtype });
    const { internal, format, type } = FORMATS[dtype];
    this.framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    this.layers = Array.from({ length: layers }, (_, i) => {
      const layer = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, layer);
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl[internal], width, height / layers);
      const part = texels?.subarray((i * texels.length) / layers, ((i + 1) * texels.length) / layers);
      if (part) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height / layers, gl[format], gl[type], part);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, layer, 0);
      return layer;
    });
    gl.drawBuffers(this.layers.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
  }

  // All texels, layer after layer; or those in the corner of each layer, to wait until all is drawn.
  read(width = this.width, height = this.height / this.layers.length) {
    const { gl } = this, { format, type, array } = FORMATS[this.dtype], size = width * height * 4;
    const texels = new array(size * this.layers.length);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    this.layers.forEach((_, i) => {
      gl.readBuffer(gl.COLOR_ATTACHMENT0 + i);
      gl.readPixels(0, 0, width, height, gl[format], gl[type], texels.subarray(i * size, (i + 1) * size));
    });
    return texels;
  }

  release() {
    this.gl.deleteFramebuffer(this.framebuffer);
    this.layers.forEach((layer) => this.gl.deleteTexture(layer));
  }
}

// Executes programs in a WebGL 2 context of its own, on a canvas that nobody sees. `glsl` holds heads by the kind
// of number, and the text of each shader's file. The browser may take the context away, as it does when a laptop
// sleeps: then `onlost` is called.
class Executor {
  constructor(glsl, onlost) {
    const gl = document.createElement("canvas").getContext("webgl2", { antialias: false, depth: false, alpha: true });
    if (!gl) throw new UserError("This browser has no WebGL 2, or it is switched off, so nothing can be drawn here. Try a current Firefox, Chrome, Edge or Safari, or another machine; the lessons and their pictures work without it.");
    gl.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      onlost();
    });
    Object.assign(this, { gl, glsl, shaders: new Map(), can: capabilitiesOf(gl) });
    gl.bindVertexArray(gl.createVertexArray());  // quads.vert makes its vertices itself
  }

  shader([name, macros], dtype) {
    const { kind } = FORMATS[dtype], key = JSON.stringify([name, macros, kind]);
    if (!this.shaders.has(key)) {
      const { heads: { [kind]: head }, files } = this.glsl, defines = Object.entries(macros).map(([macro, value]) => `#define ${macro} ${value}\n`).join("");
      this.shaders.set(key, new LinkedShader(this.gl, head + files["quads.vert"], head + defines + files[`${name}.frag`]));
    }
    return this.shaders.get(key);
  }

  // Runs a program on texels and returns those of its result.
  run(program, texels, dtype) {
    const run = new Run(this, program, texels, dtype);
    try {
      return run.runTo(program.passes.length).read(program.result);
    } finally {
      run.release();
    }
  }

  use(shader, target) {
    const { gl } = this;
    gl.useProgram(shader.program);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
    gl.viewport(0, 0, target.width, target.height / target.layers.length);
    gl.disable(gl.BLEND);
  }

  // Draws the quads of a command by a shader. Of the uniforms, one that it does not know is left out.
  drawQuads(program, command, shader) {
    const set = (place) => shader.set(...program.uniforms[place]);
    command.uniforms.forEach(set);
    for (const place of command.draws) {
      const [count, uniforms] = program.draws[place];
      uniforms.forEach(set);
      this.gl.drawArraysInstanced(this.gl.TRIANGLE_STRIP, 0, 4, count);
    }
  }

  // What a pass does to each texel: its role, and the texel that it is drawn from or compared with.
  // `whole` is a quad over everything.
  roles(program, command, { rule, role }, whole) {
    const { gl } = this, { width, height } = program, count = width * height;
    const shader = this.shader(["sources", { ...this.glsl.roles, STEPS: 1, SKIPS: 1, COPIES: rule ? 0 : 1 }], "int32");
    const untouched = new Int32Array(4 * count).map((_, i) => (i % 4 ? 0 : i / 4));
    const target = new Texture(gl, width, height, "int32", 1, untouched);
    this.use(shader, target);
    shader.set("log2_width", [Math.log2(width)]);
    shader.set("role", [role]);
    if (rule) {
      shader.set("rules", rule);
      shader.set("quads", whole);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 1);
    } else this.drawQuads(program, command, shader);
    const texels = target.read(), channel = (c) => (_, i) => texels[4 * i + c];
    target.release();
    return { partner: Uint32Array.from({ length: count }, channel(0)), role: Uint8Array.from({ length: count }, channel(1)) };
  }
}

function capabilitiesOf(gl) {
  const floats = gl.getExtension("EXT_color_buffer_float") !== null;
  return {
    floats,
    halves: floats || gl.getExtension("EXT_color_buffer_half_float") !== null,
    blends: floats && gl.getExtension("EXT_float_blend") !== null,
    layers: gl.getParameter(gl.MAX_DRAW_BUFFERS),
  };
}

// A program that is being run: its buffers, and the number of passes drawn.
class Run {
  constructor(executor, program, texels, dtype) {
    Object.assign(this, { executor, program, dtype, done: 0 });
    this.buffers = { texture: this.newTexture(1, texels) };
  }

  newTexture(layers, texels = null) {
    const { width, height } = this.program;
    return new Texture(this.executor.gl, width, height, this.dtype, layers, texels);
  }

  // Draws passes until so many are drawn.
  runTo(count) {
    while (this.done < count) this.step();
    return this;
  }

  step() {
    const { executor, program, buffers } = this, { gl } = executor, [number, source, target] = program.passes[this.done];
    const command = program.commands[number], shader = executor.shader(program.shaders[command.shader], this.dtype);
    buffers[target] ??= this.newTexture(command.layers ?? 1);
    executor.use(shader, buffers[target]);
    buffers[source].layers.forEach((layer, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, layer);
    });
    if (command.blend) {
      gl.enable(gl.BLEND);
      gl.blendEquation(command.blend === "min" ? gl.MIN : gl.MAX);
    }
    executor.drawQuads(program, command, shader);
    this.done += 1;
  }

  // The texels of a buffer, or null if nothing was drawn into it yet.
  read(name) {
    return this.buffers[name]?.read() ?? null;
  }

  release() {
    Object.values(this.buffers).forEach((buffer) => buffer.release());
    this.buffers = {};
  }
}
