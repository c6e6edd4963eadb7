// Elements of drawings.

"use strict";

// Creates an element of a drawing, as `made` creates one of a page.
function madeSvg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
