// The page of a recorded sort: one player.

"use strict";

const film = new RecordedFilm(dataOf("trace"));
const player = new Player(document.querySelector("main"), dataOf("look"));
document.title = film.title;
player.load(film, film.title);
player.followHash();
document.addEventListener("keydown", (event) => event.target === document.body && player.press(event));
