// Starts the page.

"use strict";

const sortPage = new SortPage(document.querySelector("main"), dataOf("exported"), filmsIn(dataOf("films"), dataOf("folder")));
