// What is told of keys that are not drawn as they are, and of those that only fill a texture up.

"use strict";

const FEW = 3;  // keys that a sentence names

const counted = (count, one, many) => `${numberText(count)} ${count === 1 ? one : many}`;
const listed = (parts) => [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ");
const numberText = (number) => number.toLocaleString("en");

// Which keys are set aside, in a sentence; empty if none is.
function toldAside({ nans, zeros, others }, dtype) {
  const infinite = others.filter((key) => Math.abs(key) === Infinity), tiny = others.filter(Number.isFinite);
  const named = (keys) => `${keys.slice(0, FEW).map((key) => keyText(key, dtype)).join(", ")}${keys.length > FEW ? " …" : ""}`;
  const parts = [
    nans.length && counted(nans.length, "NaN", "NaNs"),
    infinite.length && `${counted(infinite.length, "infinity", "infinities")} (${named(infinite)})`,
    tiny.length && `${counted(tiny.length, "denormal", "denormals")}, too close to 0 for some hardware (${named(tiny)})`,
  ].filter(Boolean);
  const apart = parts.length ? `${numberText(nans.length + others.length)} of the keys ${nans.length + others.length === 1 ? "is" : "are"} set aside, because hardware may change them, and put back after the last pass: ${listed(parts)}.` : "";
  const drawn = zeros ? `${counted(zeros, "key −0 is", "keys −0 are")} drawn as 0, and put back as −0.` : "";
  return [apart, drawn].filter(Boolean).join(" ");
}

// How a texture is filled up that has room for more keys, in a sentence; empty if it is full.
function toldFill({ fills, fill }) {
  if (!fills) return "";
  const places = `The texture has ${counted(fills, "place", "places")} more than there are keys. `;
  return places + (fill === null ? "The largest possible key fills them up, which is one of the keys, too: the two look alike." : "They are filled up with the largest possible key, shown as “fill”, and left out of the sorted keys.");
}
