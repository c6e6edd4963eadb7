// Starts the page. On the site it has the theme that its other pages are switched to.

"use strict";

function keptTheme() {
  try {
    return localStorage.getItem("theme") ?? "auto";
  } catch (error) {
    if (error.name !== "SecurityError") throw error;  // this browser keeps nothing for a page
    return "auto";
  }
}

const exportedData = dataOf("exported");
if (exportedData.linked) themed(keptTheme());
const sortPage = new SortPage(document.querySelector("main"), exportedData, filmsIn(dataOf("films"), dataOf("folder")));
