// Light or dark: as the system has it, or as the site is switched.

"use strict";

const DARK = "(prefers-color-scheme: dark)";
const DARK_RULES = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media?.mediaText === DARK);

// `theme` is "light", "dark" or "auto".
function themed(theme) {
  document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
  for (const rule of DARK_RULES) rule.media.mediaText = { light: "not all", dark: "all" }[theme] ?? DARK;
}
