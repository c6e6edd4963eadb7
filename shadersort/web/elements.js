// Elements of a page, colours, and the words for keys: what all scripts of this folder share.

"use strict";

// Creates an element with attributes and children; `class` is an attribute like others.
function made(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// The parts of a text in which code stands between backquotes.
function coded(text) {
  return text.split("`").map((part, i) => (i % 2 ? made("code", {}, part) : part));
}

const rgb = (hex) => [0, 2, 4].map((at) => parseInt(hex.replace("#", "").slice(at, at + 2), 16));
const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

// The colour at a place from 0 to 1 in a row of colours: two neighbours are mixed.
function mixed(colours, place) {
  const at = place * (colours.length - 1), low = Math.min(Math.floor(at), colours.length - 2);
  return colours[low].map((part, i) => Math.round(part + (at - low) * (colours[low + 1][i] - part)));
}

// The shortest word that is this key.
function keyText(key, dtype) {
  if (Object.is(key, -0)) return "−0";
  if (dtype !== "float32" && dtype !== "float16") return String(key).replace("-", "−");
  for (let digits = 1; digits < 9; digits++) {
    const text = key.toPrecision(digits);
    if (Math.fround(Number(text)) === key) return String(Number(text)).replace("-", "−");
  }
  return String(key).replace("-", "−");
}
