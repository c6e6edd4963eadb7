// How the search orders what it finds: pages with a wanted word in their own title come first. The
// numbers are Sphinx's own, but for what `score` adds.

"use strict";

const WANTED = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
const PAGE_TITLE = 20;  // more than the full name of a function

var Scorer = {  // Sphinx declares it once more, so it is no const
  score: ([, title, , , score, , kind]) => score + (kind === "text" && WANTED.some((word) => title.toLowerCase().includes(word)) ? PAGE_TITLE : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
