// What a browser's WebGL 2 can draw, and what is drawn instead of what it cannot: { method, dtype,
// ordinals, why }. `why` is a sentence for the reader; it is empty if nothing was replaced.

"use strict";

class NoWebGL extends Error {}

const NO_WEBGL = "This browser has no WebGL 2, or it is switched off, so nothing can be drawn here. Try a current Firefox, Chrome, Edge or Safari, or another machine; the lessons and their pictures work without it.";

// Opens a context on a canvas that nobody sees.
function openedContext() {
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true });
  if (!gl) throw new NoWebGL(NO_WEBGL);
  return gl;
}

function capabilitiesOf(gl) {
  const floats = gl.getExtension("EXT_color_buffer_float") !== null;
  return {
    floats,
    halves: floats || gl.getExtension("EXT_color_buffer_half_float") !== null,
    blends: floats && gl.getExtension("EXT_float_blend") !== null,
    layers: gl.getParameter(gl.MAX_DRAW_BUFFERS),
    side: gl.getParameter(gl.MAX_TEXTURE_SIZE),
  };
}

function possible(wanted, can) {
  let { method, dtype } = wanted, ordinals = false;
  const whys = [];
  if (method === "fused" && can.layers < 8) {
    method = "fragment";
    whys.push(`This browser draws into ${can.layers} textures at once, and method fused needs 8: method fragment is shown instead.`);
  }
  const drawn = dtype === "float16" ? can.halves : dtype === "float32" ? can.floats : true;
  if (!drawn) {
    ordinals = true;
    if (method === "blend") method = "fragment";
    whys.push(`This browser cannot draw into textures of ${dtype}: the keys are drawn as integers in the same order, by method ${method}, and come out as the same keys.`);
  } else if (method === "blend" && dtype === "float32" && !can.blends) {
    method = "fragment";
    whys.push("This browser cannot blend 32-bit floats: method fragment is shown instead. With type float16 it blends, as the card of 2005 did.");
  } else if (method === "blend" && !isFloat(dtype)) {
    method = "fragment";
    whys.push(`Only floats blend: ${dtype} keys are drawn by method fragment.`);
  }
  return { method, dtype, ordinals, why: whys.join(" ") };
}

// Floats as integers in the same order, −0.0 before 0.0; and back.
function asOrdinals(keys) {
  const bits = new Int32Array(Float32Array.from(keys).buffer);
  return bits.map((each) => (each < 0 ? each ^ 0x7fffffff : each));
}

function fromOrdinals(ordinals) {
  const bits = ordinals.map((each) => (each < 0 ? each ^ 0x7fffffff : each));
  return new Float32Array(bits.buffer);
}
