// A page from a file may not read other files: the search then shows titles without excerpts.

"use strict";

const WHY = "These pages were opened as files, from which a browser does not read excerpts: only titles are shown below. A web server shows excerpts, too.";

if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
  window.addEventListener("DOMContentLoaded", () => {
    const told = document.createElement("p");
    told.textContent = WHY;
    document.getElementById("search-results").before(told);
  });
}
