"use strict";
// The table of runs: sorted, filtered, a few hundred rows at a time.
(() => {
  const { state, runs, rank, distinct, baselines, improvement, digits, element } = tribench;
  const $ = (id) => document.getElementById(id);
  const columns = [
    ["workload", "workload"], ["strategy", "strategy"], ["variant", "variant"], ["block", "block"], ["n", "N"],
    ["ms", "ms"], ["i", baselines(runs).length > 1 ? "I" : improvement(runs)], ["gbs", "GB/s"], ["bound", "% of bound"],
    ["wasted", "wasted blocks"], ["status", "status"],
  ];
  // Without this column, rows of different devices would look alike.
  if (distinct(runs.map((run) => run.device)).length > 1) columns.splice(2, 0, ["device", "device"]);
  const numeric = new Set(["n", "ms", "i", "gbs", "bound", "wasted"]);
  const names = new Map(columns.flatMap(([key, text]) => [[key, key], [text.toLowerCase(), key]]));
  const headings = [...names.keys()].filter((name) => name.includes(" "));
  let limit = 200;

  // ---- order -------------------------------------------------------------------------------------------

  function order() {
    const [key, way] = state.get("sort").split(",");
    return columns.some(([name]) => name === key) ? { key, down: way === "down" } : { key: "workload", down: false };
  }

  function comparison() {
    const { key, down } = order();
    return (a, b) => {
      const [x, y] = [a[key], b[key]];
      if (x === y) return a.n - b.n || rank(a.strategy) - rank(b.strategy);
      if (x === null) return 1;  // missing values come last in either direction
      if (y === null) return -1;
      const way = key === "strategy" ? rank(x) - rank(y) : numeric.has(key) ? x - y
        : x.localeCompare(y, "en", { numeric: true });
      return down ? -way : way;
    };
  }

  // ---- filter ------------------------------------------------------------------------------------------

  const grouped = /^[0-9]{1,3}(,[0-9]{3})+$/;
  const plain = (word) => (grouped.test(word) ? word.replaceAll(",", "") : word);
  const compared = /^([a-z/%]+)(<=|>=|<|>|=)([0-9.,e+-]+)$/;
  const tests = { "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b,
    "=": (a, b) => a === b };

  // Input: one word of the filter. Output: a test of a run and of its text.
  function test(word) {
    const [, name, sign, value] = compared.exec(word) || [];
    const key = names.get(name);
    const number = Number(plain(value ?? ""));
    if (numeric.has(key) && !Number.isNaN(number)) return (run) => run[key] !== null && tests[sign](run[key], number);
    // Match whole numbers only, otherwise 1024 would find 10240.
    if (/^[0-9]+$/.test(plain(word))) {
      const whole = new RegExp(`(?<![0-9.])${plain(word)}(?![0-9]|\\.[0-9])`);
      return (run, text) => whole.test(text);
    }
    return (run, text) => text.includes(word);
  }

  const texts = new Map(runs.map((run) => [run, [run.workload, run.strategy, run.variant, run.n, run.block, run.setting,
    run.status, run.device].join(" ").toLowerCase()]));

  // The words of the filter. A comparison is one word, even if a heading has spaces: "wasted blocks > 0".
  function words() {
    let text = $("filter").value.toLowerCase().replace(/\s*([<>]=?|=)\s*/g, "$1");
    for (const name of headings) {
      for (const sign of "<>=") text = text.replaceAll(name + sign, names.get(name) + sign);
    }
    return text.split(/\s+/).filter(Boolean);
  }

  function kept() {
    const all = words().map(test);
    return runs.filter((run) => all.every((passes) => passes(run, texts.get(run))));
  }

  // ---- rows --------------------------------------------------------------------------------------------

  function cell(run, key) {
    const value = run[key];
    if (!numeric.has(key)) return value;
    return value === null ? "–" : key === "n" || key === "wasted" ? value.toLocaleString("en-US")
      : key === "i" ? value.toFixed(3) : digits(value, 4);
  }

  function list() {
    const found = kept().sort(comparison());
    $("runs").tBodies[0].replaceChildren(...found.slice(0, limit).map((run) => {
      const row = element("tr");
      row.append(...columns.map(([key, text]) => element("td",
        { "data-label": text, ...(numeric.has(key) && { class: "number" }) }, cell(run, key))));
      return row;
    }));
    const rows = Math.min(limit, found.length);
    $("count").textContent = `${rows.toLocaleString("en-US")} of ${found.length.toLocaleString("en-US")} runs`;
    $("more").hidden = found.length <= limit;
  }

  function mark() {
    const { key, down } = order();
    for (const th of $("runs").tHead.querySelectorAll("th")) {
      if (state.get("sort") && th.dataset.key === key) th.setAttribute("aria-sort", down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    }
  }

  function head() {
    const row = element("tr");
    for (const [key, text] of columns) {
      const th = element("th", { scope: "col", class: numeric.has(key) ? "number" : "text", "data-key": key });
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => {
        state.set("sort", th.getAttribute("aria-sort") === "ascending" ? `${key},down` : key);
        mark();
        list();
      });
      th.append(button);
      row.append(th);
    }
    $("runs").tHead.append(row);
    tribench.roving(row)();
  }

  function update() {
    $("filter").value = state.get("filter");
    mark();
    list();
  }

  $("filter").addEventListener("input", () => { state.set("filter", $("filter").value); list(); });
  $("more").addEventListener("click", () => { limit += 1000; list(); });
  state.onChange(update);
  head();
  update();
})();
