// What the theme leaves to do for readers who use the keyboard or a screen reader.

"use strict";

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

window.addEventListener("DOMContentLoaded", nameSidebars);
window.addEventListener("DOMContentLoaded", followTheme);
window.addEventListener("load", letWideScroll);
window.addEventListener("resize", letWideScroll);
