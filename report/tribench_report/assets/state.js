"use strict";
// The address keeps the reader's choices: #SECTION&workload=edm1&measure=ms&...
const tribench = {};

(() => {
  const sections = [...document.querySelectorAll("main section")].map((section) => section.id);
  const listeners = [];
  let section = "";
  let chosen = new URLSearchParams();
  let timer = 0;

  function read() {
    const [first, ...rest] = decodeFirst(location.hash.slice(1));
    section = sections.includes(first) ? first : "";
    return new URLSearchParams(rest.join("&"));
  }

  // The first word is a section, or empty if there is none.
  function decodeFirst(text) {
    const parts = text.split("&");
    return parts[0].includes("=") ? ["", ...parts] : parts;
  }

  function write() {
    clearTimeout(timer);
    const words = [section, chosen.toString()].filter(Boolean).join("&");
    history.replaceState(null, "", `#${words}`);
  }

  tribench.state = {
    get: (name) => chosen.get(name) ?? "",
    all: (name) => chosen.getAll(name),
    set(name, value) {
      chosen.delete(name);
      for (const one of [value].flat()) if (one !== "" && one !== null) chosen.append(name, one);
      clearTimeout(timer);
      timer = setTimeout(write, 150);  // browsers block pages that change their address on every key press
    },
    // Input: a function that is called when a link, a bookmark or the user changes the address.
    onChange: (listener) => listeners.push(listener),
  };

  function show() {
    document.getElementById(section)?.scrollIntoView();
  }

  addEventListener("hashchange", () => {
    const given = read();
    if ([...given].length) {
      chosen = given;
      for (const listener of listeners) listener();
    }
    show();
    write();  // keeps the choices after a link to a section
  });
  addEventListener("load", show);

  chosen = read();
  const theme = document.getElementById("theme");
  function applyTheme() {
    theme.value = ["light", "dark"].find((name) => name === tribench.state.get("theme")) ?? "";
    document.documentElement.style.colorScheme = theme.value;
  }
  theme.addEventListener("change", () => { tribench.state.set("theme", theme.value); applyTheme(); });
  tribench.state.onChange(applyTheme);
  document.documentElement.classList.add("scripted");
  applyTheme();
})();
