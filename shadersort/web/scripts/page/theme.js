// On the site the page has the theme that its other pages are switched to.
function storedTheme() {
  try {
    return localStorage.getItem("theme") ?? "auto";
  } catch (error) {
    if (error.name !== "SecurityError") throw error;  // this browser keeps nothing for a page
    return "auto";
  }
}

if (DATA.linked) useTheme(storedTheme());
