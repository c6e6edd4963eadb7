// In a frame, a page tells the page around it how high it is. `Piece.frame` listens.

"use strict";

if (window.parent !== window) {
  const told = () => ({ heightOfPiece: Math.ceil(document.body.getBoundingClientRect().height) });
  new ResizeObserver(() => window.parent.postMessage(told(), "*")).observe(document.body);
}
