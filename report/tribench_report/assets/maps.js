"use strict";
// Shows one picture at a time, frames the squares that belong together, and plays the launch.
(() => {
  const find = (name) => document.getElementById(name);
  const step = find("step"), play = find("play"), pick = find("map");
  const pictures = [...document.querySelectorAll("svg")];
  // The blocks (or threads) of each picture, with what each says and the number of its block in the order of the launch.
  const all = pictures.map((svg) => [...svg.querySelectorAll("[data-block]")]);
  const number = (element) => Number(element.dataset.block);
  let elements = [];  // of the picture that is shown
  let chosen = null, timer = 0;

  function choose(element) {
    if (element === chosen) return;
    chosen?.classList.remove("chosen");
    chosen = element;
    if (chosen === null) return;
    chosen.classList.add("chosen");
    chosen.parentNode.append(chosen);  // draws its frame on top
    find("told").textContent = chosen.getAttribute("aria-label");
  }

  function launch(blocks) {
    step.value = blocks;
    for (const element of elements) element.classList.toggle("later", number(element) >= blocks);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play the launch";
  }

  function forward() {
    const block = Number(step.value);
    choose(elements.find((element) => number(element) === block));
    launch(block + 1);
    if (block + 1 >= step.max) stop();
  }

  function show() {
    stop();
    choose(null);
    pictures.forEach((svg, k) => svg.classList.toggle("shown", k === pick.selectedIndex));
    elements = all[pick.selectedIndex];
    step.max = Math.max(...elements.map(number)) + 1;
    launch(step.max);
    history.replaceState(null, "", `#${pick.value}`);
  }

  // The address names the map that is shown, so that it can be linked to: #rb-b,8
  function fromAddress() {
    pick.value = decodeURI(location.hash.slice(1));
    if (pick.selectedIndex < 0) pick.selectedIndex = Math.max(0, [...pick.options].findIndex((one) => one.value.endsWith(",8")));
    show();
  }

  play.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(step.value) >= step.max) launch(0);
    play.textContent = "Pause";
    timer = setInterval(forward, Math.max(30, Math.min(250, 12000 / step.max)));
  });
  step.addEventListener("input", () => { stop(); choose(null); launch(Number(step.value)); });
  // Not pointerover, which also comes when a square is drawn anew below a pointer that rests.
  addEventListener("pointermove", (event) => {
    const element = event.target.closest("[data-block]");
    if (element && !timer) choose(element);
  });
  addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined || event.target.localName !== "svg") return;
    event.preventDefault();
    choose(elements.at((elements.indexOf(chosen) + by) % elements.length));
  });
  pick.addEventListener("change", show);
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
