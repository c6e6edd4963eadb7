// What a driver does to keys that no standard protects: denormals and infinities. A device of
// shadersort finds it out in the same way (shadersort/drawing/devices/probe.py), with the same keys.

"use strict";

class WrongDriver extends Error {}

// Probes one method for one type of key. `probes` is what Python exports: programs by method, each
// over windows of some wires, and critical keys by type. Returns { denormals, infinities }.
function probed(executor, probes, method, dtype) {
  const exact = (kind) => probes.programs[method].every((program) => sortsPairs(executor, program, unpacked(probes.keys[dtype][kind]), dtype));
  if (!exact("finite")) throw new WrongDriver(`This browser's graphics driver compares ${dtype} keys wrongly by method “${method}”.`);
  return isFloat(dtype) ? { denormals: exact("denormal"), infinities: exact("infinite") } : { denormals: true, infinities: true };
}

// Whether each ordered pair of keys, repeated on all wires of a window, is sorted bit for bit.
function sortsPairs(executor, program, keys, dtype) {
  const { array } = FORMATS[dtype], windows = (program.width * program.height) / program.wires;
  const texels = new array(4 * program.width * program.height);
  for (let window = 0; window < windows; window++)
    for (let wire = 0; wire < program.wires; wire++) {
      const pair = window % (keys.length * keys.length);
      const key = keys[wire % 2 ? Math.floor(pair / keys.length) : pair % keys.length];
      texels.fill(key, 4 * (window * program.wires + wire), 4 * (window * program.wires + wire + 1));
    }
  const expected = texels.slice(), length = 4 * program.wires;
  for (let at = 0; at < expected.length; at += length) expected.subarray(at, at + length).sort();
  const found = executor.run(program, texels, dtype);
  return found.every((key, i) => Object.is(key, expected[i]));
}
