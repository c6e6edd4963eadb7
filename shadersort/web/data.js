// Data that Python wrote into the page.

"use strict";

const dataOf = (name) => JSON.parse(document.getElementById(name).textContent);
