// What every page does: it reads its data, is light or dark, and in a frame tells how high it is.

const DATA = JSON.parse(document.getElementById("data").textContent);

// Arrays and packed data: their bytes in base64 (export.py).
const ARRAYS = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array, float32: Float32Array };
const bytesOf = (data) => Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
const decodeArray = ({ type, data }) => new ARRAYS[type](bytesOf(data).buffer);

// Returns a promise of what was packed.
const unpackJson = (data) => new Response(new Blob([bytesOf(data)]).stream().pipeThrough(new DecompressionStream("deflate"))).json();

const DARK = "(prefers-color-scheme: dark)";
const DARK_RULES = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media?.mediaText === DARK);

// Makes the page "light" or "dark"; with "auto" it is as the system has it.
function useTheme(theme) {
  document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
  for (const rule of DARK_RULES) rule.media.mediaText = { light: "not all", dark: "all" }[theme] ?? DARK;
}

// On the site a page has the theme that its other pages are switched to.
if (DATA.linked) {
  try {
    useTheme(localStorage.getItem("theme") ?? "auto");
  } catch (error) {
    if (error.name !== "SecurityError") throw error;  // this browser keeps nothing for a page
  }
}

// `Piece.frame` listens for the height; the site tells its theme.
if (window.parent !== window) {
  const height = () => ({ heightOfPiece: Math.ceil(document.body.getBoundingClientRect().height) });
  const tell = () => window.parent.postMessage(height(), "*");
  new ResizeObserver(() => requestAnimationFrame(tell)).observe(document.body);  // when pictures have their width, too
  window.addEventListener("message", ({ source, data }) => {
    if (source === window.parent && data?.themeOfSite) useTheme(data.themeOfSite);
  });
}
