// What the search shows of a page: no hint and no answer, which are closed there, too. A page from a
// file may not read other files: the search then shows titles without excerpts.

"use strict";

const WHY = "These pages were opened as files, from which a browser does not read excerpts: only titles are shown below. A web server shows excerpts, too.";

window.addEventListener("DOMContentLoaded", () => {
  const { htmlToText } = Search;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll("details").forEach((closed) => closed.remove());
    return htmlToText(page.documentElement.outerHTML, anchor);
  };
});

if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  window.addEventListener("DOMContentLoaded", () => {
    const told = document.createElement("p");
    told.textContent = WHY;
    document.getElementById("search-results").before(told);
  });
}
