// A page from a file may not read other files: the search then shows titles without excerpts.

"use strict";

if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
