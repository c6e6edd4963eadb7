// Draws with a text that a reader wrote, as one of the package's shaders.

"use strict";

const READER = 0;  // the number of the reader's text in #line directives
const FIRST_LINE = "#line 1\nwrong wrong;\n";  // what is wrong stands on line 1

class CannotDraw extends Error {}
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
    if (!can.halves) throw new NoWebGL("This browser cannot draw into textures of floats, so shaders cannot be run here.");
    this.dtype = can.floats ? "float32" : "float16";
    this.executor = new Executor(this.gl, { ...this.glsl, files: { ...this.glsl.files } });
    this.shift = this.measureShift();
  }

  // What this compiler adds to the numbers of #line directives: some count the next line, some this.
  measureShift() {
    const { gl } = this, shader = gl.createShader(gl.FRAGMENT_SHADER);
    gl.shaderSource(shader, this.glsl.heads.f + FIRST_LINE);
    gl.compileShader(shader);
    const [first] = parseErrors(gl.getShaderInfoLog(shader) ?? "");
    gl.deleteShader(shader);
    return first && first.line >= 0 ? first.line - 1 : 0;
  }

  // The texels that a whole source draws.
  draw(source, program, texels) {
    const { executor, gl } = this;
    executor.shaders.forEach((shader) => gl.deleteProgram(shader.program));
    executor.shaders.clear();
    executor.glsl.files[this.file] = source;
    const frame = executor.run(program, texels, this.dtype);
    if (gl.isContextLost()) throw new Stopped();
    if (gl.getError() !== gl.NO_ERROR) throw new CannotDraw("The text compiles, but it cannot draw. Its output must be four floats: out TEXEL color.");
    return frame;
  }
}
