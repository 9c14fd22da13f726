"use strict";
// The runs, and helpers for chart and table. Text from the data is only ever inserted as a text node.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { words, numbers, spreads } = data;
  const order = data.order;

  // An interval is stored as the distances of its ends from the value, in parts of 100,000.
  const end = (value, parts) => (value === null || parts === null ? null : value * (1 + parts / 1e5));
  tribench.runs = Array.from({ length: data.count }, (_, k) => {
    const run = {};
    for (const [name, column] of Object.entries(words)) run[name] = column.words[column.rows[k]];
    for (const [name, column] of Object.entries(numbers)) run[name] = column[k];
    for (const [name, [low, high]] of Object.entries(spreads)) {
      run[`${name}Low`] = end(run[name], low[k]);
      run[`${name}High`] = end(run[name], high[k]);
    }
    return run;
  });

  tribench.colours = data.colours;
  tribench.rank = (strategy) => order.indexOf(strategy);
  const distinct = tribench.distinct = (list) => [...new Set(list)];
  tribench.label = (run) => (run.variant ? `${run.strategy} (${run.variant})` : run.strategy);
  // The baselines of I in these runs.
  tribench.baselines = (list) => distinct(list.map((run) => run.baseline).filter(Boolean));
  tribench.improvement = (list) => ["I", tribench.baselines(list).join(" and ")].filter(Boolean).join(" over ");
  tribench.digits = (value, count) => (value === null ? "–" : (value + 0).toLocaleString("en-US",  // + 0: no "-0"
    { maximumSignificantDigits: count }));
  tribench.interval = (value, low, high) => (value === null || low === null ? tribench.digits(value, 4)
    : `${tribench.digits(value, 4)} [${tribench.digits(low, 4)}, ${tribench.digits(high, 4)}]`);

  tribench.element = (tag, attributes = {}, text = "") => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  };

  // Makes a row of buttons a single stop of the Tab key; the arrow keys move within it.
  tribench.roving = (container) => {
    const buttons = () => [...container.querySelectorAll("button")];
    const settle = (chosen) => buttons().forEach((button) => { button.tabIndex = button === chosen ? 0 : -1; });
    container.addEventListener("focusin", (event) => settle(event.target));
    container.addEventListener("keydown", (event) => {
      const all = buttons();
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      all[Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement) + step))].focus();
    });
    return () => settle(buttons()[0]);
  };
})();
