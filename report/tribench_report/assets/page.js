"use strict";
// The chart and the table of runs. Text from the data only ever becomes a text node, never markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const names = ["workload", "strategy", "variant", "n", "block", "setting", "ms", "msLow", "msHigh",
    "i", "iLow", "iHigh", "gbs", "bound", "wasted", "status", "device"];
  const runs = data.rows.map((row) => Object.fromEntries(row.map((value, k) => [names[k], value])));
  const dashes = ["", "7 3", "2 3", "9 3 2 3"];
  const measures = {
    i: { label: "improvement I", low: "iLow", high: "iHigh", log: false },
    ms: { label: "time [ms]", low: "msLow", high: "msHigh", log: true },
    gbs: { label: "GB/s", low: "gbs", high: "gbs", log: true },
    bound: { label: "% of bound", low: "bound", high: "bound", log: false },
  };
  const $ = (id) => document.getElementById(id);
  const hidden = new Set();

  function element(tag, attributes, text) {
    const svg = ["svg", "path", "circle", "line", "text", "g"].includes(tag);
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const distinct = (list) => [...new Set(list)];
  const rank = (strategy) => data.order.indexOf(strategy);
  const label = (run) => (run.variant ? `${run.strategy} (${run.variant})` : run.strategy);
  const digits = (value, count) => (value === null ? "–" : Number(value.toPrecision(count)).toLocaleString("en-US",
    { maximumSignificantDigits: count }));

  // ---- chart -----------------------------------------------------------------------------------------

  function fill(select, values, texts) {
    const before = select.value;
    select.replaceChildren(...values.map((value, k) => element("option", { value }, (texts || values)[k])));
    if (values.includes(before)) select.value = before;
  }

  function chosen() {
    const measure = $("measure").value;
    return runs.filter((run) => run.workload === $("workload").value && run.setting === $("setting").value &&
      run[measure] !== null && run[measure] !== undefined);
  }

  function groups(points) {
    const found = new Map();
    for (const run of points) {
      const name = label(run);
      if (!found.has(name)) found.set(name, []);
      found.get(name).push(run);
    }
    const sorted = [...found].sort(([a, x], [b, y]) => rank(x[0].strategy) - rank(y[0].strategy) ||
      a.localeCompare(b, "en", { numeric: true }));
    const seen = new Map();  // the how-manieth line of one colour: told apart by its dash
    return sorted.map(([name, list]) => {
      const colour = data.colours[list[0].strategy] || "#555555";
      const place = seen.get(colour) || 0;
      seen.set(colour, place + 1);
      return { name, colour, dash: dashes[place % dashes.length], points: list.sort((a, b) => a.n - b.n) };
    });
  }

  function scale(low, high, from, to, log) {
    const f = log ? Math.log : (v) => v;
    const span = f(high) - f(low) || 1;
    return (value) => from + (f(value) - f(low)) / span * (to - from);
  }

  function ticks(low, high, log) {
    const found = [];
    if (log && high / low > 3) {
      for (let k = Math.floor(Math.log10(low)); k <= Math.ceil(Math.log10(high)); k += 1) {
        for (const m of high / low > 300 ? [1] : [1, 2, 5]) found.push(m * 10 ** k);
      }
    } else {
      const raw = (high - low) / 8 || high / 8 || 1;
      const power = 10 ** Math.floor(Math.log10(raw));
      const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
      for (let v = Math.ceil(low / step) * step; v <= high + step / 1e6; v += step) found.push(v);
    }
    return found.filter((v) => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9));
  }

  function powersOfTwo(low, high) {
    const found = [];
    for (let v = 1; v <= high; v *= 2) if (v >= low) found.push(v);
    return found.length > 1 ? found : ticks(low, high, false);
  }

  function draw() {
    const key = $("measure").value;
    const measure = measures[key];
    const lines = groups(chosen());
    const shown = lines.filter((line) => !hidden.has(line.name));
    const all = shown.flatMap((line) => line.points);
    const svg = $("svg");
    svg.replaceChildren();
    hide();
    drawToggles(lines);
    if (!all.length) {
      svg.append(element("text", { x: 450, y: 200, "text-anchor": "middle" }, "nothing to show"));
      return;
    }
    const ns = all.map((run) => run.n);
    const logN = measure.log && Math.max(...ns) > Math.min(...ns);
    let [left, right] = [Math.min(...ns), Math.max(...ns)];
    if (left === right) [left, right] = [left * 0.5, right * 1.5];
    let low = Math.min(...all.map((run) => run[measure.low] ?? run[key]), key === "i" ? 1 : Infinity);
    let high = Math.max(...all.map((run) => run[measure.high] ?? run[key]), key === "i" ? 1 : -Infinity);
    const pad = measure.log ? 1.1 : 0.05 * (high - low || 1);
    [low, high] = measure.log ? [low / pad, high * pad] : [low - pad, high + pad];
    const x = scale(left, right, 70, 880, logN);
    const y = scale(low, high, 370, 15, measure.log);
    for (const tick of ticks(low, high, measure.log)) {
      svg.append(element("line", { x1: 70, x2: 880, y1: y(tick), y2: y(tick), stroke: "#e2e2e2" }),
        element("text", { x: 62, y: y(tick) + 4, "text-anchor": "end" }, digits(tick, 4)));
    }
    for (const tick of logN ? powersOfTwo(left, right) : ticks(left, right, false)) {
      svg.append(element("line", { x1: x(tick), x2: x(tick), y1: 370, y2: 375, stroke: "#333" }),
        element("text", { x: x(tick), y: 390, "text-anchor": "middle" }, digits(tick, 6)));
    }
    svg.append(element("line", { x1: 70, x2: 880, y1: 370, y2: 370, stroke: "#333" }),
      element("text", { x: 475, y: 412, "text-anchor": "middle" }, "N"),
      element("text", { x: 14, y: 190, "text-anchor": "middle", transform: "rotate(-90 14 190)" }, measure.label));
    if (key === "i") {
      svg.append(element("line", { x1: 70, x2: 880, y1: y(1), y2: y(1), stroke: "#777", "stroke-dasharray": "5 4" }));
    }
    for (const line of shown) drawLine(svg, line, key, measure, x, y);
  }

  function drawLine(svg, line, key, measure, x, y) {
    const corners = line.points.map((run) => `${x(run.n).toFixed(1)} ${y(run[key]).toFixed(1)}`);
    const path = `M${corners.join("L")}`;
    const part = element("g", { class: "series", "data-name": line.name });
    part.append(element("path", { d: path, fill: "none", stroke: line.colour, "stroke-width": 1.8,
      "stroke-dasharray": line.dash }));
    for (const run of line.points) {
      if (run[measure.low] !== null && run[measure.high] !== null) {
        part.append(element("line", { x1: x(run.n), x2: x(run.n), y1: y(run[measure.low]), y2: y(run[measure.high]),
          stroke: line.colour, "stroke-width": 1.2 }));
      }
      const dot = element("circle", { cx: x(run.n), cy: y(run[key]), r: line.points.length > 40 ? 2 : 3.5, fill: line.colour, tabindex: 0 });
      dot.addEventListener("mouseenter", () => show(dot, run));
      dot.addEventListener("focus", () => show(dot, run));
      dot.addEventListener("mouseleave", hide);
      dot.addEventListener("blur", hide);
      part.append(dot);
    }
    svg.append(part);
  }

  const interval = (value, low, high) => (value === null ? "–" : low === null ? digits(value, 4)
    : `${digits(value, 4)} [${digits(low, 4)}, ${digits(high, 4)}]`);

  function show(dot, run) {
    const tip = $("tip");
    tip.textContent = [label(run), `N = ${run.n.toLocaleString("en-US")}`,
      `${interval(run.ms, run.msLow, run.msHigh)} ms`, `I = ${interval(run.i, run.iLow, run.iHigh)}`,
      `${digits(run.gbs, 4)} GB/s`, `${digits(run.bound, 3)} % of bound`].join("\n");
    tip.hidden = false;
    const [at, frame] = [dot.getBoundingClientRect(), $("plot").getBoundingClientRect()];
    const x = Math.min(at.left - frame.left + 12, frame.width - tip.offsetWidth);
    const above = at.top - frame.top - tip.offsetHeight - 8;
    tip.style.left = `${Math.max(0, x)}px`;
    tip.style.top = `${above < 0 ? at.bottom - frame.top + 8 : above}px`;
  }

  function hide() {
    $("tip").hidden = true;
  }

  function drawToggles(lines) {
    const focused = document.activeElement?.dataset?.name;
    $("toggles").replaceChildren(...lines.map((line) => {
      const button = element("button", { type: "button", "aria-pressed": String(!hidden.has(line.name)) });
      button.dataset.name = line.name;
      const sample = element("svg", { viewBox: "0 0 36 14" });
      sample.append(element("path", { d: "M0 7L36 7", stroke: line.colour, "stroke-width": 3,
        "stroke-dasharray": line.dash }));
      button.append(sample, document.createTextNode(line.name));
      button.addEventListener("click", () => {
        if (!hidden.delete(line.name)) hidden.add(line.name);
        draw();
      });
      return button;
    }));
    for (const button of $("toggles").children) if (focused && button.dataset.name === focused) button.focus();
  }

  // The block sizes that the papers used come first, as they are what most readers look for.
  const usual = (setting) => (/\b(16x16|8x8x8)\b/.test(setting) ? 0 : 1);
  const bySetting = (a, b) => usual(a) - usual(b) || a.localeCompare(b, "en", { numeric: true });

  // A reader meets a comparison over N first, not a workload of which one size was measured.
  function mostLines(here) {
    const lines = (name) => {
      const mine = here.filter((run) => run.workload === name);
      const sizes = (strategy) => distinct(mine.filter((run) => run.strategy === strategy).map((run) => run.n)).length;
      return distinct(mine.map((run) => run.strategy)).filter((strategy) => sizes(strategy) > 1).length;
    };
    return [...$("workload").options].map((option) => option.value)
      .reduce((best, name) => (lines(name) > lines(best) ? name : best));
  }

  function update() {
    const here = runs.filter((run) => run.ms !== null);
    const first = !$("workload").value;
    fill($("workload"), distinct(here.map((run) => run.workload)).sort());
    if (first) $("workload").value = mostLines(here);
    const mine = here.filter((run) => run.workload === $("workload").value);
    fill($("setting"), distinct(mine.map((run) => run.setting)).sort(bySetting));
    const inside = mine.filter((run) => run.setting === $("setting").value);
    const present = Object.keys(measures).filter((key) => inside.some((run) => run[key] !== null));
    fill($("measure"), present, present.map((key) => measures[key].label));
    draw();
  }

  // ---- table -----------------------------------------------------------------------------------------

  const columns = [
    ["workload", "workload"], ["strategy", "strategy"], ["variant", "variant"], ["block", "block"], ["n", "N"],
    ["ms", "ms"], ["i", "I"], ["gbs", "GB/s"], ["bound", "% of bound"],
    ["wasted", "wasted blocks"], ["status", "status"],
  ];
  // Rows of several devices would look alike without.
  if (distinct(runs.map((run) => run.device)).length > 1) columns.splice(2, 0, ["device", "device"]);
  const numeric = new Set(["n", "ms", "i", "gbs", "bound", "wasted"]);
  let order = { key: "workload", down: false };
  let limit = 200;

  function compare(a, b) {
    const [x, y] = [a[order.key], b[order.key]];
    if (x === y) return a.n - b.n || rank(a.strategy) - rank(b.strategy);
    if (x === null) return 1;  // what was not measured comes last, whichever way
    if (y === null) return -1;
    const way = order.key === "strategy" ? rank(x) - rank(y) : numeric.has(order.key) ? x - y
      : String(x).localeCompare(String(y), "en", { numeric: true });
    return order.down ? -way : way;
  }

  function cell(run, key) {
    const value = run[key];
    if (!numeric.has(key)) return String(value);
    return value === null ? "–" : key === "n" || key === "wasted" ? value.toLocaleString("en-US")
      : key === "i" ? value.toFixed(3) : digits(value, 4);
  }

  function list() {
    const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = runs.filter((run) => {
      const parts = [run.workload, run.strategy, run.variant, run.n, run.block, run.setting, run.status, run.device];
      const text = parts.join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    }).sort(compare);
    const body = $("runs").tBodies[0];
    body.replaceChildren(...kept.slice(0, limit).map((run) => {
      const row = element("tr");
      for (const [key] of columns) {
        row.append(element("td", numeric.has(key) ? { class: "number" } : {}, cell(run, key)));
      }
      return row;
    }));
    $("count").textContent = `${Math.min(limit, kept.length)} of ${kept.length} runs`;
    $("more").hidden = kept.length <= limit;
  }

  function head() {
    const row = element("tr");
    for (const [key, text] of columns) {
      const th = element("th", { scope: "col", class: numeric.has(key) ? "number" : "text", "data-key": key });
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        order = { key, down: order.key === key && !order.down };
        for (const other of row.children) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", order.down ? "descending" : "ascending");
        list();
      });
      th.append(button);
      row.append(th);
    }
    $("runs").tHead.append(row);
  }

  for (const id of ["workload", "setting", "measure"]) $(id).addEventListener("change", update);
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  $("filter").addEventListener("input", list);
  $("more").addEventListener("click", () => { limit += 1000; list(); });
  head();
  list();
  update();
})();
