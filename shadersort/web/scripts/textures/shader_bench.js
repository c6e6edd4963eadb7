// Draws with a text that a reader wrote, as one of the package's shaders.

const READER = 0;  // the number of the reader's text in #line directives

class Stopped extends Error {}  // the browser took the context away

class ShaderBench {
  // The text stands in place of a file. `onlost` is called when a drawing was stopped.
  constructor(glsl, file, onlost) {
    Object.assign(this, { glsl, file, onlost });
    this.open();
  }

  open() {
    this.gl = openContext(() => { this.open(); this.onlost(); });
    const can = capabilitiesOf(this.gl);
    if (!can.halves) throw new UserError("This browser cannot draw into textures of floats, so shaders cannot be run here.");
    this.dtype = can.floats ? "float32" : "float16";
    this.executor = new Executor(this.gl, { ...this.glsl, files: { ...this.glsl.files } });
  }

  // The texels that a whole source draws.
  draw(source, program, texels) {
    const { executor, gl } = this;
    executor.shaders.forEach((shader) => gl.deleteProgram(shader.program));
    executor.shaders.clear();
    executor.glsl.files[this.file] = source;
    const frame = executor.run(program, texels, this.dtype);
    if (gl.isContextLost()) throw new Stopped();
    if (gl.getError() !== gl.NO_ERROR) throw new UserError("The text compiles, but it cannot draw. Its output must be four floats: out TEXEL color.");
    return frame;
  }
}
