// Elements of a page, its controls, colours, and the words for numbers: what all scripts share.

class UserError extends Error {}  // whose message is for the reader

const html = (name, attributes = {}, ...children) => fillElement(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) => fillElement(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// Gives an element attributes, listeners (`onclick` and others) and children; null is left out.
function fillElement(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// The parts of a text in which code stands between backquotes.
function codeParts(text) {
  return text.split("`").map((part, i) => (i % 2 ? html("code", {}, part) : part));
}

// ---- Controls.

const button = (text, onclick, attributes = {}) => html("button", { type: "button", onclick, ...attributes }, text);

// A control with its name before it.
function label(name, control, kind = null) {
  control.setAttribute("aria-label", name);
  return html("label", { class: kind }, `${name} `, control);
}

// A menu of values with their names; `choose` is called with the chosen value.
function menu(options, choose, chosen = null) {
  const option = ([value, text]) => html("option", { value, selected: value === chosen }, text);
  return html("select", { onchange: (event) => choose(event.target.value) }, ...Object.entries(options).map(option));
}

const sameNames = (names) => Object.fromEntries(names.map((name) => [name, name]));

// A choice between a few values by radio buttons. `check` checks one; `texts` are what stands at each.
function choice(title, options, chosen, choose, { hidden = false } = {}) {
  const group = `choice${(choice.count = (choice.count ?? 0) + 1)}`, radios = {}, texts = {};
  const labels = Object.entries(options).map(([value, text]) => {
    radios[value] = html("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => choose(value) });
    texts[value] = html("span", {}, text);
    return html("label", {}, radios[value], " ", texts[value]);
  });
  const name = hidden ? null : html("span", { "aria-hidden": "true" }, `${title}:`);
  const element = html("fieldset", {}, html("legend", { class: "hidden" }, title), name, ...labels);
  return { element, texts, check: (value) => { radios[value].checked = true; } };
}

// ---- What is shown.

// Entries are pairs of a background, or null, and a text.
function legend(entries) {
  const swatch = (background) => background && html("span", { class: background.startsWith("linear") ? "swatch scale" : "swatch", style: `background: ${background}` });
  return html("ul", { class: "legend" }, ...entries.map(([background, text]) => html("li", {}, swatch(background), text)));
}

// Fills a table; the first cell of a row says what the row is about.
function fillTable(table, head, rows) {
  const cell = (text, i) => html(i ? "td" : "th", { scope: i ? null : "row" }, String(text));
  const titles = head.map((text) => html("th", { scope: "col" }, text));
  table.replaceChildren(html("tr", {}, ...titles), ...rows.map((cells) => html("tr", {}, ...cells.map(cell))));
}

// What may be wider than the page.
function scrollBox(name, inside, kind = "wide") {
  return html("div", { class: kind, tabindex: 0, role: "region", "aria-label": name }, inside);
}

// Keeps an element as high as it once was, so that what is below it does not move while something
// plays. It starts anew if the page gets another width, or if it is about something else.
function keepHeight(element, about = "") {
  const fits = `${about} ${element.clientWidth}`;
  if (element.dataset.fits !== fits) element.style.minHeight = "0";
  element.dataset.fits = fits;
  element.style.minHeight = `${Math.ceil(element.getBoundingClientRect().height)}px`;
}

// ---- Numbers and colours.

const clamp = (number, low, high) => Math.max(low, Math.min(high, number));

// The place of the value that is nearest to another one.
const nearest = (values, value) => values.reduce((best, each, i) => (Math.abs(each - value) < Math.abs(values[best] - value) ? i : best), 0);

const rgb = (hex) => [0, 2, 4].map((at) => parseInt(hex.replace("#", "").slice(at, at + 2), 16));

// The colour at a place from 0 to 1 in a row of colours: two neighbours are mixed.
function colourAt(colours, place) {
  const at = place * (colours.length - 1), low = Math.min(Math.floor(at), colours.length - 2);
  return colours[low].map((part, i) => Math.round(part + (at - low) * (colours[low + 1][i] - part)));
}

// What is read best on a colour of keys.
const inkAt = (place) => (place > 0.45 ? "#000000" : "#ffffff");

// ---- Words for numbers.

const numberText = (number) => number.toLocaleString("en");
// A number with three digits.
const shortText = (number) => number >= 100 ? numberText(Math.round(number)) : String(Number(number.toPrecision(3)));
const countText = (count, one, many = `${one}s`) => `${numberText(count)} ${count === 1 ? one : many}`;

// The shortest word that is this key.
function keyText(key, dtype) {
  if (Object.is(key, -0)) return "−0";
  let text = String(key);
  for (let digits = 8; dtype.startsWith("float") && digits; digits--) {
    const shorter = String(Number(key.toPrecision(digits)));
    if (Math.fround(Number(shorter)) === key) text = shorter;
  }
  return text.replace("-", "−");
}
