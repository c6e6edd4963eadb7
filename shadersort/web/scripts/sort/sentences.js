// What is said of keys that are not drawn as they are, and of those that only fill a texture up.

const FEW = 3;  // keys that a sentence names

// Which keys are set aside, in a sentence; empty if none is.
function asideSentence({ nans, zeros, others }, dtype) {
  const infinite = others.filter((key) => Math.abs(key) === Infinity), tiny = others.filter(Number.isFinite);
  const some = (keys) => `(${keys.slice(0, FEW).map((key) => keyText(key, dtype)).join(", ")}${keys.length > FEW ? " …" : ""})`;
  const parts = [
    nans.length && countText(nans.length, "NaN"),
    infinite.length && `${countText(infinite.length, "infinity", "infinities")} ${some(infinite)}`,
    tiny.length && `${countText(tiny.length, "denormal")}, too close to 0 for some hardware ${some(tiny)}`,
  ].filter(Boolean);
  const list = [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and "), count = nans.length + others.length;
  return [
    list && `${numberText(count)} of the keys ${count === 1 ? "is" : "are"} set aside, because hardware may change them, and put back after the last pass: ${list}.`,
    zeros && `${countText(zeros, "key −0 is", "keys −0 are")} drawn as 0, and put back as −0.`,
  ].filter(Boolean).join(" ");
}

// How a texture is filled up that has room for more keys, in a sentence; empty if it is full.
function fillSentence({ fills, fill }) {
  if (!fills) return "";
  return `The texture has ${countText(fills, "place")} more than there are keys. ` + (fill === null
    ? "The largest possible key fills them up, which is one of the keys, too: the two look alike."
    : "They are filled up with the largest possible key, shown as “fill”, and left out of the sorted keys.");
}
