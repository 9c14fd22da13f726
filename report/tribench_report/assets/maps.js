"use strict";
// Draws one map at a time. The data already has the position of each square and the work of each block.
(() => {
  const { shades, maps } = JSON.parse(document.getElementById("data").textContent);
  const find = (name) => document.getElementById(name);
  const svg = find("picture"), step = find("step"), play = find("play"), pick = find("map");
  let map = null;     // the map that is shown
  let order = [];     // block numbers in launch order; the squares of a grid with one number are one GPU block
  let blocks = [];    // the squares of the grids
  let tiles = [];     // the squares of the domain
  let chosen = -1;    // the index of a square of the grids
  let timer = 0;

  function add(kind, attributes, words) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (words !== undefined) made.textContent = words;
    svg.append(made);
    return made;
  }

  const square = (x, y, data) => {
    const made = add("rect", { x, y, width: 1, height: 1, rx: 0.08 });
    Object.assign(made.dataset, data);
    return made;
  };

  function draw() {
    svg.replaceChildren();
    svg.setAttribute("viewBox", `-0.2 -0.2 ${map.width + 0.4} ${map.height + 0.4}`);
    svg.style.maxWidth = `${42 * map.width}px`;
    svg.style.minWidth = `${10 * map.width}px`;
    const pixels = svg.clientWidth / map.width;  // the side of a square
    svg.style.setProperty("--letters", `${Math.min(0.62, 14 / pixels)}px`);
    blocks = map.blocks.map(([x, y, launch, ...rest], k) =>
      square(x, y, { block: k, launch, element: rest.slice(0, 3) }));
    tiles = map.tiles.map(([x, y, px, py, pz, block]) => square(x, y, { block, place: [px, py, pz] }));
    for (const [x1, y1, x2, y2] of map.lines) add("line", { x1, y1, x2, y2 });
    for (const [x, y, words] of map.labels) add("text", { x, y }, words);
    for (const [x, y, words] of map.headings) add("text", { x, y, class: "heading" }, words);
    order = [...new Set(map.blocks.map((block) => block[6]))].sort((a, b) => a - b);
    find("words").textContent = map.words;
    step.max = order.length;
    step.value = order.length;
    chosen = -1;
    paint();
  }

  function paint() {
    const launched = Number(step.value);
    const works = new Set(map.tiles.map((tile) => tile[5]));
    const colour = (element, block) => {
      const number = map.blocks[block][6];
      const later = number >= launched;
      element.classList.toggle("later", later);
      element.classList.toggle("wasted", !later && !works.has(block));
      element.classList.toggle("chosen", block === chosen);
      element.style.fill = later || !works.has(block) ? "" : shades[map.shades[number]];
    };
    blocks.forEach(colour);
    tiles.forEach((tile, k) => colour(tile, map.tiles[k][5]));
    for (const one of svg.querySelectorAll(".chosen")) svg.append(one);  // draws its frame on top
  }

  const name = (launch) => (map.launches > 1 ? `launch ${String.fromCharCode(65 + launch % 26)}, ` : "");
  const unit = () => (map.maps === "block" ? ["block", "tile"] : ["thread", "cell"]);

  // (2, 1) in a two-dimensional grid, 2 in a one-dimensional one.
  function elementName([, , launch, ...element]) {
    const grid = map.blocks.filter((block) => block[2] === launch);
    const used = [3, 4, 5].filter((axis) => axis === 3 || grid.some((block) => block[axis] > 0)).length;
    return used === 1 ? element[0] : `(${element.slice(0, used).join(", ")})`;
  }

  function tell() {
    const block = map.blocks[chosen];
    const mine = map.tiles.filter((tile) => tile[5] === chosen);
    const [worker, place] = unit();
    const [, , x, y, z] = mine[0] ?? [];
    const xs = mine.length > 1 ? `${x} to ${x + mine.length - 1}` : x;  // several places form a row
    const what = mine.length
      ? `works on the ${place}${mine.length > 1 ? "s" : ""} at ${map.dimension === 3 ? `x ${xs}, y ${y}, z ${z}` : `row ${y}, column ${x}`}`
      : `finds no ${place} and returns${worker === "block" ? ": it is wasted" : ""}`;
    find("told").textContent = `${name(block[2])}${worker} ${elementName(block)} ${what}`;
  }

  function choose(block) {
    if (block === chosen) return;
    chosen = block;
    paint();
    if (chosen >= 0) tell();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play the launch";
  }

  function forward() {
    step.value = Number(step.value) + 1;
    const newest = map.blocks.findIndex((block) => block[6] === order[Number(step.value) - 1]);
    choose(newest);
    paint();
    if (Number(step.value) >= order.length) stop();
  }

  play.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(step.value) >= order.length) step.value = 0;
    play.textContent = "Pause";
    timer = setInterval(forward, Math.max(30, Math.min(250, 12000 / order.length)));
    paint();
  });
  step.addEventListener("input", () => { stop(); chosen = -1; paint(); });
  svg.addEventListener("pointerover", (event) => {
    if (event.target.dataset.block !== undefined && !timer) choose(Number(event.target.dataset.block));
  });
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose((chosen + by + blocks.length) % blocks.length);
  });

  function show() {
    stop();
    map = maps[pick.selectedIndex];
    history.replaceState(null, "", `#${pick.value}`);
    draw();
  }

  // The address names the map that is shown, so that it can be linked to: #rb-b,8
  function fromAddress() {
    pick.value = decodeURI(location.hash.slice(1));
    if (pick.selectedIndex < 0) pick.selectedIndex = Math.max(0, maps.findIndex((one) => one.n === 8));
    show();
  }

  pick.addEventListener("change", show);
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
