// Runs programs of passes in WebGL 2. A program is what Program.to_json wrote (docs/programs.md);
// networks, passes, quads, uniforms and shaders all come from Python. What a pass means is defined
// by shadersort/drawing/devices/software.py.

"use strict";

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
    for (const [type, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
        throw new GLSLError(gl.getShaderInfoLog(shader));
      gl.attachShader(this.program, shader);
      gl.deleteShader(shader);  // it lives as long as the program
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new GLSLError(gl.getProgramInfoLog(this.program));
    this.setters = {};
    this.values = {};
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
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl[internal], width, height / layers);
      const part = texels?.subarray((i * texels.length) / layers, ((i + 1) * texels.length) / layers);
      if (part) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height / layers, gl[format], gl[type], part);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, layer, 0);
      return layer;
    });
    gl.drawBuffers(this.layers.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
  }

  // All texels, layer after layer.
  read() {
    const { gl, width, height, layers } = this, { format, type, array } = FORMATS[this.dtype];
    const texels = new array(width * height * 4), part = texels.length / layers.length;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    layers.forEach((_, i) => {
      gl.readBuffer(gl.COLOR_ATTACHMENT0 + i);
      gl.readPixels(0, 0, width, height / layers.length, gl[format], gl[type], texels.subarray(i * part, (i + 1) * part));
    });
    return texels;
  }

  release() {
    this.gl.deleteFramebuffer(this.framebuffer);
    this.layers.forEach((layer) => this.gl.deleteTexture(layer));
  }
}

// Executes programs in a WebGL 2 context. `glsl` holds heads by the kind of number, and the text of
// each shader's file.
class Executor {
  constructor(gl, glsl) {
    Object.assign(this, { gl, glsl, shaders: new Map() });
    gl.bindVertexArray(gl.createVertexArray());  // quads.vert makes its vertices itself
  }

  shader([name, macros], dtype) {
    const { kind } = FORMATS[dtype], key = JSON.stringify([name, macros, kind]);
    if (!this.shaders.has(key)) {
      const defines = Object.entries(macros).map(([macro, value]) => `#define ${macro} ${value}\n`).join("");
      const head = this.glsl.heads[kind];
      const sources = [head + this.glsl.files["quads.vert"], head + defines + this.glsl.files[`${name}.frag`]];
      this.shaders.set(key, new LinkedShader(this.gl, ...sources));
    }
    return this.shaders.get(key);
  }

  // Runs a program on texels and returns those of its result. `observe` gets the number of each pass
  // and a function that reads the texture which the pass left.
  run(program, texels, dtype, observe = null) {
    const run = new Run(this, program, texels, dtype);
    try {
      program.passes.forEach(([, , target], index) => {
        run.step();
        observe?.(index, () => run.read(target));
      });
      return run.read(program.result);
    } finally {
      run.release();
    }
  }

  // What a command does to each texel: its role, and the texel that it is drawn from or compared with.
  roles(program, number, rule, role, whole) {
    const { gl } = this, command = program.commands[number], count = program.width * program.height;
    const shader = this.shader(["sources", { ...this.glsl.roles, STEPS: 1, SKIPS: 1, COPIES: rule ? 0 : 1 }], "int32");
    const untouched = new Int32Array(4 * count).map((_, i) => (i % 4 ? 0 : i / 4));
    const target = new Texture(gl, program.width, program.height, "int32", 1, untouched);
    this.use(shader, target);
    shader.set("log2_width", [Math.log2(program.width)]);
    shader.set("role", [role]);
    if (rule) shader.set("rules", rule);
    const draws = rule ? [[1, whole]] : command.draws.map((place) => this.quads(program, place));
    for (const [instances, quads] of draws) {
      shader.set("quads", quads);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, instances);
    }
    const found = target.read();
    target.release();
    return {
      partner: Uint32Array.from({ length: count }, (_, i) => found[4 * i]),
      role: Uint8Array.from({ length: count }, (_, i) => found[4 * i + 1]),
    };
  }

  quads(program, place) {
    const [count, uniforms] = program.draws[place];
    return [count, uniforms.map((each) => program.uniforms[each]).find(([name]) => name === "quads")[1]];
  }

  use(shader, target) {
    const { gl } = this;
    gl.useProgram(shader.program);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
    gl.viewport(0, 0, target.width, target.height / target.layers.length);
    gl.disable(gl.BLEND);
  }

  // Draws one pass.
  draw(program, command, source, target, dtype) {
    const { gl } = this, shader = this.shader(program.shaders[command.shader], dtype);
    this.use(shader, target);
    source.layers.forEach((layer, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, layer);
    });
    if (command.blend) {
      gl.enable(gl.BLEND);
      gl.blendEquation(command.blend === "min" ? gl.MIN : gl.MAX);
    }
    const set = (place) => shader.set(...program.uniforms[place]);
    command.uniforms.forEach(set);
    for (const place of command.draws) {
      const [count, uniforms] = program.draws[place];
      uniforms.forEach(set);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    }
  }
}

// A program that is being run: its buffers, and the number of passes drawn.
class Run {
  constructor(executor, program, texels, dtype) {
    Object.assign(this, { executor, program, dtype, done: 0 });
    this.buffers = { texture: this.made(1, texels) };
  }

  made(layers, texels = null) {
    const { width, height } = this.program;
    return new Texture(this.executor.gl, width, height, this.dtype, layers, texels);
  }

  // Draws the next pass.
  step() {
    const { executor, program, buffers } = this, [number, source, target] = program.passes[this.done];
    const command = program.commands[number];
    buffers[target] ??= this.made(command.layers ?? 1);
    executor.draw(program, command, buffers[source], buffers[target], this.dtype);
    this.done += 1;
  }

  // The texels of a buffer, or null if nothing was drawn into it yet.
  read(name) {
    return this.buffers[name]?.read() ?? null;
  }

  // What all buffers hold, to go back to.
  saved() {
    const kept = Object.entries(this.buffers).map(([name, buffer]) => [name, buffer.layers.length, buffer.read()]);
    return { done: this.done, kept };
  }

  restore({ done, kept }) {
    this.release();
    this.buffers = Object.fromEntries(kept.map(([name, layers, texels]) => [name, this.made(layers, texels)]));
    this.done = done;
  }

  release() {
    Object.values(this.buffers).forEach((buffer) => buffer.release());
    this.buffers = {};
  }
}
