// Arrays and packed data that Python wrote into the page: their bytes in base64 (export.py).

const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array, float32: Float32Array };

const bytesOf = (data) => Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
const decodeArray = ({ type, data }) => new ARRAYS[type](bytesOf(data).buffer);

// Returns a promise of what was packed.
function unpackJson(data) {
  const stream = new Blob([bytesOf(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
