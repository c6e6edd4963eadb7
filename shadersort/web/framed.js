// In a frame, a page tells the page around it how high it is, and takes its theme. `Piece.frame`
// listens to the one, and the site tells the other.

"use strict";

if (window.parent !== window) {
  const told = () => ({ heightOfPiece: Math.ceil(document.body.getBoundingClientRect().height) });
  new ResizeObserver(() => window.parent.postMessage(told(), "*")).observe(document.body);
  window.addEventListener("message", ({ source, data }) => {
    if (source === window.parent && data?.themeOfSite) themed(data.themeOfSite);
  });
}
