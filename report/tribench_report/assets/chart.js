"use strict";
// The chart: one line per strategy or variant over N, drawn with D3.
(() => {
  const { state, runs, colours, rank, distinct, label, improvement, digits, interval, element } = tribench;
  const $ = (id) => document.getElementById(id);
  const dashes = ["", "7 3", "2 3", "9 3 2 3", "14 3", "9 3 2 3 2 3", "4 6", "14 3 2 3"];
  const measures = {
    i: { label: "I", low: "iLow", high: "iHigh", log: false },
    ms: { label: "time [ms]", low: "msLow", high: "msHigh", log: true },
    gbs: { label: "GB/s", low: "gbs", high: "gbs", log: true },
    bound: { label: "% of bound", low: "bound", high: "bound", log: false },
  };
  const svg = d3.select("#svg");
  const grid = svg.append("g").attr("class", "grid");
  const xAxis = svg.append("g").attr("class", "x");
  const yAxis = svg.append("g").attr("class", "y");
  const clip = svg.append("clipPath").attr("id", "inside").append("rect");
  const inside = svg.append("g").attr("clip-path", "url(#inside)");
  const brushed = svg.append("g").attr("class", "brush");
  const xName = svg.append("text").attr("text-anchor", "middle").text("N");
  const yName = svg.append("text").attr("text-anchor", "middle");
  const nothing = svg.append("text").attr("text-anchor", "middle").text("nothing to show");

  let lines = [];    // all lines of the current choice, hidden ones too
  let x = null;      // scales of the visible part
  let y = null;
  let at = null;     // the point in the tooltip: {line, place}

  // ---- which lines there are ---------------------------------------------------------------------------

  const hidden = () => new Set(state.all("off"));
  const shown = () => lines.filter((line) => !hidden().has(line.name));

  // A colour that is readable on white is too dark on black: invert its lightness there.
  function bothSchemes(colour) {
    const dark = d3.lab(colour);
    dark.l = Math.max(dark.l, 96 - dark.l / 2);
    return `light-dark(${colour}, ${dark.hex()})`;
  }

  function group(points) {
    const found = d3.nest().key(label).entries(points).sort((a, b) =>
      rank(a.values[0].strategy) - rank(b.values[0].strategy) || a.key.localeCompare(b.key, "en", { numeric: true }));
    const seen = new Map();  // colour -> the number of lines that have it; dashes tell these apart
    return found.map(({ key, values }) => {
      const colour = colours[values[0].strategy] || "#555555";
      const place = seen.get(colour) || 0;
      seen.set(colour, place + 1);
      return { name: key, colour: bothSchemes(colour), dash: dashes[place % dashes.length],
        points: values.sort((a, b) => a.n - b.n) };
    });
  }

  // ---- scales ------------------------------------------------------------------------------------------

  const key = () => $("measure").value;
  const low = (run) => run[measures[key()].low] ?? run[key()];
  const high = (run) => run[measures[key()].high] ?? run[key()];

  function extents(points) {
    let [left, right] = d3.extent(points, (run) => run.n);
    if (left === right) [left, right] = [left * 0.5, right * 1.5];
    const [bottom, top] = d3.extent(points, (run) => run[key()]);  // not of the intervals: a long one flattens the rest
    if (measures[key()].log) return { x: [left, right], y: [bottom / 1.1, top * 1.1] };
    const [from, to] = key() === "i" ? [Math.min(bottom, 1), Math.max(top, 1)] : [bottom, top];
    const pad = 0.08 * (to - from || 1);
    return { x: [left, right], y: [from - pad, to + pad] };
  }

  function zoomed(name) {
    const ends = state.get(name).split(":").map(Number);
    return ends.length === 2 && ends.every((end) => Number.isFinite(end) && end > -1e15) && ends[0] < ends[1] &&
      !(measures[key()].log && ends[0] <= 0) ? ends : null;
  }

  // A logarithmic scale has ticks at powers only, and a narrow range may contain none.
  function ticks(scale, count) {
    const found = scale.ticks(count);
    if (scale.base && found.length > count) return found.filter((v) => Number.isInteger(Math.log10(v)));
    return found.length > 2 ? found : d3.ticks(...scale.domain(), count);
  }

  function scales(points, box) {
    const whole = extents(points);
    const isLog = measures[key()].log;
    x = (isLog ? d3.scaleLog().base(2) : d3.scaleLinear()).domain(zoomed("x") || whole.x).range([box.left, box.right]);
    y = (isLog ? d3.scaleLog() : d3.scaleLinear()).domain(zoomed("y") || whole.y).range([box.bottom, box.top]);
  }

  // ---- drawing -----------------------------------------------------------------------------------------

  function frame() {
    const width = Math.max(260, $("plot").clientWidth);
    const height = width < 600 ? 340 : 430;
    svg.attr("viewBox", `0 0 ${width} ${height}`);
    return { left: 64, right: width - 16, top: 12, bottom: height - 48, width, height };
  }

  function axes(box) {
    const across = ticks(x, Math.round(box.width / 90));
    const up = ticks(y, 8);
    grid.attr("transform", `translate(${box.left},0)`)
      .call(d3.axisLeft(y).tickValues(up).tickSize(box.left - box.right).tickFormat(""));
    xAxis.attr("transform", `translate(0,${box.bottom})`)
      .call(d3.axisBottom(x).tickValues(across).tickFormat((v) => digits(v, 6)));
    yAxis.attr("transform", `translate(${box.left},0)`)
      .call(d3.axisLeft(y).tickValues(up).tickFormat((v) => digits(v, 4)));
    xName.attr("x", (box.left + box.right) / 2).attr("y", box.height - 8);
    yName.attr("transform", `translate(14,${(box.top + box.bottom) / 2}) rotate(-90)`).text(measures[key()].label);
    clip.attr("x", box.left - 5).attr("y", box.top - 5).attr("width", box.right - box.left + 10)
      .attr("height", box.bottom - box.top + 10);
  }

  function whiskers(line) {
    return line.points.filter((run) => high(run) > low(run))
      .map((run) => `M${x(run.n)},${y(low(run))}V${y(high(run))}`).join("");
  }

  function drawLines() {
    const path = d3.line().x((run) => x(run.n)).y((run) => y(run[key()]));
    inside.selectAll("*").remove();
    if (key() === "i") {
      inside.append("line").attr("class", "one").attr("x1", x.range()[0]).attr("x2", x.range()[1])
        .attr("y1", y(1)).attr("y2", y(1));
    }
    const parts = inside.selectAll("g").data(shown()).enter().append("g").attr("class", "series")
      .attr("data-name", (line) => line.name);
    parts.append("path").attr("d", (line) => path(line.points)).attr("fill", "none").attr("stroke-width", 1.8)
      .attr("stroke-dasharray", (line) => line.dash).style("stroke", (line) => line.colour);
    parts.append("path").attr("d", whiskers).attr("stroke-width", 1.2).style("stroke", (line) => line.colour);
    parts.each(function dots(line) {
      d3.select(this).selectAll("circle").data(line.points).enter().append("circle")
        .attr("cx", (run) => x(run.n)).attr("cy", (run) => y(run[key()])).attr("r", line.points.length > 40 ? 2 : 3.5)
        .style("fill", line.colour);
    });
  }

  function draw() {
    hide();
    const box = frame();
    const points = shown().flatMap((line) => line.points);
    for (const part of [grid, xAxis, yAxis, xName, yName, inside, brushed]) {
      part.style("display", points.length ? null : "none");
    }
    nothing.style("display", points.length ? "none" : null).attr("x", box.width / 2).attr("y", box.height / 2);
    svg.attr("aria-label", `${measures[key()]?.label ?? "nothing"} against N, ${$("workload").value}, ` +
      `${shown().length} of ${lines.length} lines shown`);
    if (!points.length) return;
    scales(points, box);
    axes(box);
    drawLines();
    brush.extent([[box.left, box.top], [box.right, box.bottom]]);
    brushed.call(brush);
  }

  // ---- zoom --------------------------------------------------------------------------------------------

  function zoomTo(across, up) {
    const text = (ends) => ends && ends.map((end) => Number(end.toPrecision(6))).join(":");
    state.set("x", text(across));
    state.set("y", text(up));
    draw();
  }

  const whole = () => zoomTo(null, null);

  // Input: factor, by which the visible range grows; shift, as a fraction of that range.
  function zoomBy(factor, shift = 0) {
    if (!x) return;
    const part = (scale, move) => {
      const [from, to] = scale.range();
      const [middle, half] = [(from + to) / 2 + move * (to - from), (to - from) / 2 * factor];
      return [scale.invert(middle - half), scale.invert(middle + half)];
    };
    zoomTo(part(x, shift), part(y, 0));
  }

  const brush = d3.brush().filter(() => !d3.event.button && !d3.event.touches).on("end", () => {
    const drawn = d3.event.selection;
    if (!drawn) return;
    const [[left, top], [right, bottom]] = drawn;
    brushed.call(brush.move, null);
    if (right - left > 4 && bottom - top > 4) zoomTo([left, right].map(x.invert), [bottom, top].map(y.invert));
  });

  // ---- values of a point -------------------------------------------------------------------------------

  function show(line, place) {
    const run = line.points[place];
    at = { line, place };
    $("tip").textContent = [line.name, `N = ${run.n.toLocaleString("en-US")}`,
      `${interval(run.ms, run.msLow, run.msHigh)} ms`, `${improvement([run])} = ${interval(run.i, run.iLow, run.iHigh)}`,
      `${digits(run.gbs, 4)} GB/s`, `${digits(run.bound, 3)} % of bound`].join("\n");
    $("tip").hidden = false;
    inside.selectAll(".series").classed("faded", (other) => other !== line)
      .selectAll("circle").classed("chosen", (other) => other === run);
    place_tip(x(run.n), y(run[key()]));
  }

  function place_tip(left, top) {
    const [tip, box, plot] = [$("tip"), $("svg").getBoundingClientRect(), $("plot").getBoundingClientRect()];
    const scale = box.width / $("svg").viewBox.baseVal.width;
    const start = Math.min(left * scale + 12, plot.width - tip.offsetWidth);
    const above = box.top - plot.top + top * scale - tip.offsetHeight - 10;
    tip.style.left = `${Math.max(0, start)}px`;
    tip.style.top = `${above < 0 ? box.top - plot.top + top * scale + 12 : above}px`;
  }

  function hide() {
    at = null;
    $("tip").hidden = true;
    inside.selectAll(".series").classed("faded", false).selectAll("circle").classed("chosen", false);
  }

  const isInside = (run) => {
    const [left, right] = x.domain();
    const [bottom, top] = y.domain();
    return run.n >= left && run.n <= right && run[key()] >= bottom && run[key()] <= top;
  };

  function nearest(event) {
    const [mx, my] = d3.clientPoint($("svg"), event);
    let best = null;
    let least = 30;  // pixels
    for (const line of x ? shown() : []) {
      line.points.forEach((run, place) => {
        const distance = Math.hypot(x(run.n) - mx, y(run[key()]) - my);
        if (distance < least && isInside(run)) [best, least] = [{ line, place }, distance];
      });
    }
    return best;
  }

  function point(event) {
    const found = nearest(event);
    if (!found) hide();
    else if (!at || found.line !== at.line || found.place !== at.place) show(found.line, found.place);
  }

  function step(along, across) {
    const all = shown();
    if (!all.length) return;
    if (!at) { show(all[0], 0); return; }
    const line = all[(all.indexOf(at.line) + across + all.length) % all.length];
    const n = at.line.points[at.place].n;
    const same = across ? d3.scan(line.points, (a, b) => Math.abs(a.n - n) - Math.abs(b.n - n)) : at.place + along;
    show(line, Math.max(0, Math.min(line.points.length - 1, same)));
  }

  const keys = {
    ArrowRight: () => step(1, 0), ArrowLeft: () => step(-1, 0), ArrowDown: () => step(0, 1), ArrowUp: () => step(0, -1),
    "+": () => zoomBy(0.5), "=": () => zoomBy(0.5), "-": () => zoomBy(2), 0: whole, Escape: hide,
    PageUp: () => zoomBy(1, -0.5), PageDown: () => zoomBy(1, 0.5),
  };

  // ---- names of the lines ------------------------------------------------------------------------------

  function setHidden(names) {
    state.set("off", [...names]);
    drawToggles();
    draw();
  }

  function toggle(name) {
    const off = hidden();
    if (!off.delete(name)) off.add(name);
    setHidden(off);
  }

  // Shows this line alone; if it already is alone, shows all lines again.
  function isolate(name) {
    const others = lines.map((line) => line.name).filter((other) => other !== name);
    const off = hidden();
    setHidden(!off.has(name) && others.every((other) => off.has(other)) ? [] : others);
  }

  function chip(line) {
    const button = element("button", { type: "button", "aria-pressed": String(!hidden().has(line.name)) });
    button.dataset.name = line.name;
    d3.select(button).append("svg").attr("viewBox", "0 0 36 14").attr("aria-hidden", "true").append("path")
      .attr("d", "M0 7L36 7").attr("stroke-width", 3).attr("stroke-dasharray", line.dash).style("stroke", line.colour);
    button.append(line.name);
    button.addEventListener("click", (event) => (event.shiftKey ? isolate : toggle)(line.name));
    button.addEventListener("dblclick", () => isolate(line.name));
    return button;
  }

  const firstToggle = tribench.roving($("toggles"));
  function drawToggles() {
    const focused = $("toggles").contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
    const made = lines.map(chip);
    const all = element("button", { type: "button" }, "all");
    all.addEventListener("click", () => setHidden([]));
    const none = element("button", { type: "button" }, "none");
    none.addEventListener("click", () => setHidden(lines.map((line) => line.name)));
    $("toggles").replaceChildren(...made, ...(lines.length > 2 ? [all, none] : []));
    firstToggle();
    made.find((button) => button.dataset.name === focused)?.focus();
  }

  // ---- choices -----------------------------------------------------------------------------------------

  const measured = runs.filter((run) => run.ms !== null);

  // Input: wanted, the preferred values; the first one that exists is chosen.
  function fill(select, values, wanted, texts = values) {
    select.replaceChildren(...values.map((value, k) => element("option", { value }, texts[k])));
    select.value = wanted.find((value) => values.includes(value)) ?? values[0] ?? "";
  }

  // The block sizes of the papers come first, because most readers look for them.
  const usual = (setting) => (/\b(16x16|8x8x8)\b/.test(setting) ? 0 : 1);
  const bySetting = (a, b) => usual(a) - usual(b) || a.localeCompare(b, "en", { numeric: true });

  // Start with a comparison over N, not with a workload or a setting that was measured at one size.
  function richest(name, list) {
    const found = d3.nest().key((run) => run[name]).key((run) => run.setting).key((run) => run.strategy)
      .rollup((same) => distinct(same.map((run) => run.n)).length).entries(list);
    const linesOf = (setting) => setting.values.filter((strategy) => strategy.value > 1).length - usual(setting.key) / 2;
    const best = d3.scan(found, (a, b) => d3.max(b.values, linesOf) - d3.max(a.values, linesOf));
    return found[best]?.key;
  }

  function update() {
    const names = distinct(measured.map((run) => run.workload)).sort();
    fill($("workload"), names, [state.get("workload"), richest("workload", measured)]);
    const mine = measured.filter((run) => run.workload === $("workload").value);
    fill($("setting"), distinct(mine.map((run) => run.setting)).sort(bySetting),
      [state.get("setting"), richest("setting", mine)]);
    const here = mine.filter((run) => run.setting === $("setting").value);
    measures.i.label = `improvement ${improvement(here)}`;
    const present = Object.keys(measures).filter((name) => here.some((run) => run[name] !== null));
    fill($("measure"), present, [state.get("measure")], present.map((name) => measures[name].label));
    lines = group(here.filter((run) => run[key()] !== null));
    drawToggles();
    draw();
  }

  for (const id of ["workload", "setting", "measure"]) {
    $(id).addEventListener("change", () => {
      state.set(id, $(id).value);
      state.set("x", null);
      state.set("y", null);
      update();
    });
  }
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  $("svg").addEventListener("mousemove", point);
  $("svg").addEventListener("mouseleave", hide);
  $("svg").addEventListener("blur", hide);
  $("svg").addEventListener("dblclick", whole);
  $("svg").addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  tribench.roving($("zoom"))();
  $("zoom").addEventListener("click", (event) => {
    const way = event.target.dataset.zoom;
    if (way) ({ in: () => zoomBy(0.5), out: () => zoomBy(2), all: whole })[way]();
  });
  state.onChange(update);
  addEventListener("resize", draw);
  update();
})();
