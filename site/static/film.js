// Scrubbers: an input moves a strip of frames behind a window. Nothing moves before it is asked to.

"use strict";

function openFilm(film) {
  const [image, play, slider, told] = ["img", "button", "input", "output"].map((name) => film.querySelector(name));
  const { frames, pace } = film.dataset;
  let timer = 0;

  function show(at) {
    slider.value = at;
    image.style.transform = `translateY(${(-100 * at) / frames}%)`;
    told.value = `${at + 1} of ${frames}`;
    slider.setAttribute("aria-valuetext", told.value);
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function start() {
    if (slider.value === slider.max) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      show(Number(slider.value) + 1);
      if (slider.value === slider.max) pause();
    }, pace);
  }

  slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
  play.addEventListener("click", () => (timer ? pause() : start()));
  show(0);
}

window.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".film").forEach(openFilm));
