// Keys on their way into textures and back, as shadersort.sort packs them: what must not be drawn is
// set aside, the others fill four channels, and the four sorted channels are merged. The twins are
// shadersort/keys/undrawable.py, sorting/texture_sort.py and sorting/merge.py.

const TYPES = {
  float32: { array: Float32Array, tiny: 2 ** -126, padding: (2 - 2 ** -23) * 2 ** 127, what: "a number" },
  float16: { array: Float32Array, tiny: 2 ** -14, padding: 65504, what: "a number" },
  int32: { array: Int32Array, padding: 2 ** 31 - 1, smallest: -(2 ** 31), what: "an integer from −2147483648 to 2147483647" },
  uint32: { array: Uint32Array, padding: 2 ** 32 - 1, smallest: 0, what: "an integer from 0 to 4294967295" },
};

const isFloat = (dtype) => dtype.startsWith("float");

// The keys of a text: words that are numbers, between spaces, commas or semicolons.
function parseKeys(text, dtype) {
  const numbers = text.split("\n").flatMap((line, row) => line.split(/[\s,;]+/).filter(Boolean).map((word) => {
    const number = numberOf(word, dtype);
    if (number === null) throw new UserError(`line ${row + 1}: “${word}” is not ${TYPES[dtype].what}`);
    return number;
  }));
  return keysOf(numbers, dtype);
}

function numberOf(word, dtype) {
  const plain = word.replace("−", "-").toLowerCase();
  if (!isFloat(dtype)) {
    const key = /^[+-]?\d+$/.test(plain) ? Number(plain) : NaN;
    return key >= TYPES[dtype].smallest && key <= TYPES[dtype].padding ? key + 0 : null;
  }
  if (/^[+-]?nan$/.test(plain)) return NaN;
  if (/^[+-]?inf(inity)?$/.test(plain)) return plain[0] === "-" ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(plain) ? Number(plain) : null;
}

// Numbers as keys of a type; floats are rounded, to halves by way of float32.
function keysOf(numbers, dtype) {
  const keys = TYPES[dtype].array.from(numbers);
  if (dtype !== "float16") return keys;
  if (!Math.f16round) throw new UserError("This browser is too old for 16-bit floats: choose another type.");
  return keys.map(Math.f16round);
}

// Sets aside what hardware may change: NaNs, denormals and infinities.
function setAside(keys, dtype) {
  if (!isFloat(dtype)) return { drawn: keys, nans: [], zeros: 0, others: [] };
  const { tiny } = TYPES[dtype], drawn = [], nans = [], others = [];
  let zeros = 0;
  for (const key of keys) {
    const size = Math.abs(key);
    if (Number.isNaN(key)) nans.push(key);
    else if (Object.is(key, -0)) zeros++;
    else if ((size > 0 && size < tiny) || size === Infinity) others.push(key);
    else drawn.push(key);
  }
  for (let i = 0; i < zeros; i++) drawn.push(0);  // a 0.0 is drawn in place of each −0.0
  others.sort((a, b) => a - b);
  return { drawn: Float32Array.from(drawn), nans, zeros, others };
}

// All keys in order, given the drawn ones in order.
function putBack(ordered, { nans, zeros, others }, dtype) {
  const all = new TYPES[dtype].array(ordered.length + others.length + nans.length);
  let at = 0, other = 0, rest = zeros;
  for (const key of ordered) {
    while (others[other] < key) all[at++] = others[other++];
    all[at++] = key === 0 && rest-- > 0 ? -0 : key;
  }
  all.set([...others.slice(other), ...nans], at);
  return all;
}

// The texels of a texture of one window: keys fill its texels, as many to each as channels, and then padding.
function packTexels(drawn, texels, dtype, channels) {
  const { array, padding } = TYPES[dtype], full = new array(4 * texels).fill(padding);
  if (channels === 4) full.set(drawn);
  else drawn.forEach((key, i) => { full[4 * i] = key; });
  return full;
}

// The first `count` keys of four sorted channels, merged.
function mergeChannels(texels, count, dtype) {
  const ordered = new TYPES[dtype].array(count), at = [0, 1, 2, 3];
  for (let i = 0; i < count; i++) {
    let least = -1;
    for (let channel = 0; channel < 4; channel++)
      if (at[channel] < texels.length && (least < 0 || texels[at[channel]] < texels[at[least]])) least = channel;
    ordered[i] = texels[at[least]];
    at[least] += 4;
  }
  return ordered;
}
