// What the theme leaves to do for readers who use the keyboard or a screen reader.

"use strict";

const PATIENCE = 10_000;
const WIDE = ".table-wrapper, .highlight pre, .output.text_html";

// What scrolls sideways is reached by Tab.
function letWideScroll() {
  for (const box of document.querySelectorAll(WIDE)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

// Parts of the sidebar are headings of a level, and the two sidebars have names.
function nameSidebars() {
  for (const caption of document.querySelectorAll('.caption[role="heading"]')) caption.ariaLevel = "2";
  document.querySelector(".sidebar-drawer").ariaLabel = "All pages";
  document.querySelector(".toc-drawer").ariaLabel = "This page";
}

// Frames are as light or dark as the page: they are told when they open, and when it is switched.
function tellTheme(frame) {
  frame.postMessage({ themeOfSite: document.body.dataset.theme || "auto" }, "*");
}

function followTheme() {
  const frames = () => [...document.querySelectorAll("iframe")].map((each) => each.contentWindow);
  window.addEventListener("message", ({ source, data }) => data?.heightOfPiece && tellTheme(source));
  new MutationObserver(() => frames().forEach(tellTheme)).observe(document.body, { attributeFilter: ["data-theme"] });
}

// On a narrow screen pages in frames are higher; a frame tells its own height when it is seen.
function fitFrames() {
  for (const frame of document.querySelectorAll("iframe[data-narrow]")) {
    if (frame.clientWidth < 600) frame.height = frame.dataset.narrow;
  }
}

// The place that a link leads to stays where it is while what is above it loads: until the reader moves
// something, and at most for PATIENCE milliseconds.
function keepPlace() {
  const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!place) return;
  const watch = new ResizeObserver(() => place.scrollIntoView({ behavior: "instant" }));
  watch.observe(document.querySelector("article"));
  for (const moved of ["wheel", "touchmove", "keydown", "pointerdown", "blur"]) window.addEventListener(moved, () => watch.disconnect(), { once: true, passive: true });
  setTimeout(() => watch.disconnect(), PATIENCE);
}

// Long names in tables wrap after their parts.
function letNamesWrap() {
  for (const name of document.querySelectorAll("td code .pre")) {
    name.replaceChildren(...name.textContent.split(/(?<=[/_])/).flatMap((part) => [part, document.createElement("wbr")]));
  }
}

window.addEventListener("DOMContentLoaded", nameSidebars);
window.addEventListener("DOMContentLoaded", letNamesWrap);
window.addEventListener("DOMContentLoaded", fitFrames);
window.addEventListener("DOMContentLoaded", keepPlace);
window.addEventListener("hashchange", keepPlace);
window.addEventListener("DOMContentLoaded", followTheme);
window.addEventListener("load", letWideScroll);
window.addEventListener("resize", letWideScroll);
