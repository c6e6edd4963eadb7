// Pictures in pages, beside the elements of elements.js: lines, boxes and letters of SVG.

"use strict";

const SVG = "http://www.w3.org/2000/svg";

// Creates an element of SVG.
const drawn = (name, attributes = {}, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

// A picture as wide as the page. Its units are pixels, so that 13 is the size of letters on the page.
const picture = (height, attributes = {}) => drawn("svg", { width: "100%", height, style: "display: block", ...attributes });
const widthOf = (svg) => svg.getBoundingClientRect().width || 700;  // it is 0 before it is shown

const written = (x, y, text, attributes = {}) => drawn("text", { x, y, "font-size": 13, fill: "currentColor", ...attributes }, text);
const box = (x, y, width, height, fill, attributes = {}) => drawn("rect", { x, y, width, height, fill, ...attributes });
const stroke = (x1, y1, x2, y2, attributes = {}) => drawn("line", { x1, y1, x2, y2, stroke: "currentColor", ...attributes });

// A choice between a few values, as radio buttons.
function choice(title, options, chosen, onchoose) {
  const name = `choice${(choice.count = (choice.count ?? 0) + 1)}`;
  const labels = Object.entries(options).map(([value, text]) => {
    const radio = made("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchoose(value) });
    return made("label", {}, radio, " ", text);
  });
  const seen = made("span", { "aria-hidden": "true" }, `${title}:`);
  return made("fieldset", {}, made("legend", { class: "hidden" }, title), seen, ...labels);
}

// Entries are pairs of a background, or null, and a text.
function legend(entries) {
  const swatch = (background) => background && made("span", { class: "swatch", style: `background: ${background}` });
  return made("ul", { class: "legend" }, ...entries.map(([background, text]) => made("li", {}, swatch(background), text)));
}

// Fills a table; the first cell of a row says what the row is about.
function tabulate(table, head, rows) {
  const cell = (text, i) => made(i ? "td" : "th", { scope: i ? null : "row" }, String(text));
  const titles = head.map((text) => made("th", { scope: "col" }, text));
  table.replaceChildren(made("tr", {}, ...titles), ...rows.map((cells) => made("tr", {}, ...cells.map(cell))));
}

// A table that may be wider than the page.
function scrolled(label, table) {
  return made("div", { style: "overflow-x: auto; margin: .6rem 0", tabindex: 0, role: "region", "aria-label": label }, table);
}

// Keeps an element as high as it once was, so that what is below it does not move while something
// plays. It starts anew if the page gets another width, or if it is about something else.
function keepHeight(element, about = "") {
  const fits = `${about} ${element.clientWidth}`;
  if (element.dataset.fits !== fits) element.style.minHeight = "0";
  element.dataset.fits = fits;
  element.style.minHeight = `${Math.ceil(element.getBoundingClientRect().height)}px`;
}
