// Keys as the bits that they are, and as codes: unsigned numbers in the order of the keys. −0 comes before
// 0, and every NaN last; no two bit patterns have one code, so sorted codes are all keys, bit for bit.

const BITS = { float32: 32, float16: 16, int32: 32, uint32: 32 };
const LOWEST = { float32: 0x007fffff, float16: 0x03ff };  // how −∞ is coded before NaNs of both signs move behind ∞
const bitArray = (dtype) => (BITS[dtype] === 16 ? Uint16Array : Uint32Array);

// The bits of keys, as gpu/keys.js has them: halves travel as floats.
function bitsOf(keys, dtype) {
  return dtype === "float16" ? new Uint16Array(Float16Array.from(keys).buffer) : new Uint32Array(keys.slice().buffer);
}

function keysOfBits(bits, dtype) {
  if (dtype === "float16") return Float32Array.from(new Float16Array(bits.buffer));
  return new TYPES[dtype].array(bits.buffer);
}

function codesOf(bits, dtype) {
  const codes = Uint32Array.from(bits), sign = 2 ** (BITS[dtype] - 1), all = 2 * sign - 1;
  if (dtype === "uint32") return codes;
  if (dtype === "int32") return codes.map((each) => each ^ sign);
  return codes.map((each) => ((each & sign ? ~each : each | sign) - LOWEST[dtype]) & all);
}

function bitsOfCode(code, dtype) {
  const sign = 2 ** (BITS[dtype] - 1), all = 2 * sign - 1;
  if (dtype === "uint32") return code;
  if (dtype === "int32") return (code ^ sign) >>> 0;
  const turned = (code + LOWEST[dtype]) & all;
  return ((turned & sign ? turned ^ sign : ~turned) & all) >>> 0;
}

// The bits of sorted keys, in which the NaNs, which are last, have the order of the input.
function withNaNs(sorted, bits, dtype) {
  const keys = keysOfBits(bits, dtype), nans = bits.filter((_, i) => Number.isNaN(keys[i]));
  sorted.set(nans, sorted.length - nans.length);
  return sorted;
}
