// What a browser's WebGL 2 can draw, and what is drawn instead of what it cannot.

// Opens a context on a canvas that nobody sees. The browser may take it away, as it does when a laptop
// sleeps: then `onlost` is called.
function openContext(onlost) {
  const gl = document.createElement("canvas").getContext("webgl2", { antialias: false, depth: false, alpha: true });
  if (!gl) throw new UserError("This browser has no WebGL 2, or it is switched off, so nothing can be drawn here. Try a current Firefox, Chrome, Edge or Safari, or another machine; the lessons and their pictures work without it.");
  gl.canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    onlost();
  });
  return gl;
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
