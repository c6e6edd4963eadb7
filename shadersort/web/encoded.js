// Arrays and packed data that Python wrote into the page: their bytes in base64 (encoded.py).

"use strict";

const ARRAYS = {
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array, float32: Float32Array,
};

const bytesOf = (data) => Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));

function unpacked({ type, data }) {
  return new ARRAYS[type](bytesOf(data).buffer);
}

// Returns a promise of what was packed.
function unpackedData(data) {
  const stream = new Blob([bytesOf(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
