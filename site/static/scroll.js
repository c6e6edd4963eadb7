// What scrolls sideways is reached by the keyboard, too: it gets a place in the order of Tab.

"use strict";

const WIDE = ".table-wrapper, .highlight pre, .output.text_html";

function letWideScroll() {
  for (const box of document.querySelectorAll(WIDE)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

window.addEventListener("load", letWideScroll);
window.addEventListener("resize", letWideScroll);
