// Arrays that Python wrote into the page: their bytes in base64 (encoded.py).

"use strict";

const ARRAYS = {
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array, float32: Float32Array,
};

function unpacked({ type, data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new ARRAYS[type](bytes.buffer);
}
