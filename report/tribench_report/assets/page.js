// Draws the charts, and fills the table of runs: it is filtered by words and sorted by any column.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const runs = data.rows.map((row) => Object.fromEntries(data.columns.map((name, k) => [name, row[k]])));
const rows = runs.map((run) => data.table.map((name) => run[name]));

data.specs[0].datasets = { runs };
const options = { ast: true, renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } };
document.querySelectorAll(".chart").forEach((place, k) => vegaEmbed(place, data.specs[k], options));

const ROWS_AT_ONCE = 200;
const table = document.getElementById("runs");
const filter = document.getElementById("filter");
const more = document.getElementById("more");
let order = { column: 0, down: false };
let shown = ROWS_AT_ONCE;

function text(value) {
  return value === null ? "" : typeof value === "number" ? value.toLocaleString("en-US", { maximumSignificantDigits: 12 }) : value;
}

const names = [...table.querySelectorAll("th")].map((head) => head.textContent.toLowerCase());
const words = rows.map((row) => row.filter((cell) => typeof cell === "string").join("\n").toLowerCase());
const comparisons = {
  ">=": (a, b) => a >= b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, "<": (a, b) => a < b, "=": (a, b) => a === b,
};

// A word must occur; a number, such as 30,720, as a whole; and N>=8,192 compares the column of that name.
function matches(row, k, word) {
  const number = Number(word.replaceAll(",", ""));
  if (!Number.isNaN(number)) return row.some((cell) => cell === number) || words[k].includes(word);
  const [, name, sign, value] = word.match(/^([^<>=]+)([<>]=?|=)([\d.,e+-]+)$/) ?? [];
  const cell = row[names.indexOf(name)];
  if (names.includes(name)) return cell !== null && comparisons[sign](cell, Number(value.replaceAll(",", "")));
  return words[k].includes(word);
}

// What has no value comes last, whichever the order.
function compared(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  const way = order.down ? -1 : 1;
  return way * (typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true }));
}

function show() {
  const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row, k) => wanted.every((word) => matches(row, k, word)));
  found.sort((one, other) => compared(one[order.column], other[order.column]));
  const body = document.createElement("tbody");
  for (const row of found.slice(0, shown)) {
    const line = body.insertRow();
    for (const cell of row) {
      const place = line.insertCell();
      place.textContent = text(cell);
      if (typeof cell === "number") place.className = "number";
    }
  }
  table.tBodies[0].replaceWith(body);
  document.getElementById("count").textContent = `${found.length.toLocaleString("en-US")} of ${rows.length.toLocaleString("en-US")} runs`;
  more.hidden = found.length <= shown;
  table.querySelectorAll("th").forEach((head, k) =>
    head.setAttribute("aria-sort", k !== order.column ? "none" : order.down ? "descending" : "ascending"));
}

table.querySelectorAll("th button").forEach((button, column) => button.addEventListener("click", () => {
  order = { column, down: order.column === column && !order.down };
  show();
}));
filter.addEventListener("input", () => { shown = ROWS_AT_ONCE; show(); });
more.addEventListener("click", () => { shown *= 4; show(); });
show();
