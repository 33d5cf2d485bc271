"use strict";
(() => {
  const sections = [...document.querySelectorAll(".ply")];
  const viewer = document.querySelector(".viewer");
  const kinds = document.querySelector(".kind");
  const space = "http://www.w3.org/2000/svg";
  let at = 0;

  const number = (section) => Number(section.id.slice(4));
  const find = (hash) => sections.findIndex((section) => `#${section.id}` === hash);

  function show(index, moved = true) {
    at = Math.max(0, Math.min(sections.length - 1, index));
    sections.forEach((section, i) => section.classList.toggle("current", i === at));
    const ply = number(sections[at]);
    document.querySelectorAll(".moves tr").forEach((row) => {
      row.classList.toggle("current", row.querySelector(`a[href="#ply-${ply}"]`) !== null);
    });
    document.querySelectorAll(".chart").forEach((chart) => {
      const link = chart.querySelector(`a[href="#ply-${ply}"]`);
      const cursor = chart.querySelector(".cursor");
      cursor.style.visibility = link ? "visible" : "hidden";
      if (link) cursor.setAttribute("transform", `translate(${link.dataset.x} 0)`);
    });
    paint();
    if (moved) history.replaceState(null, "", `#ply-${ply}`);
  }

  // Most positions are made when they are looked at.
  function unfold(section) {
    const template = section.querySelector("template");
    if (template) template.replaceWith(template.content);
  }

  function paint() {
    const section = sections[at];
    unfold(section);
    const belief = JSON.parse(section.querySelector(".belief").textContent);
    section.querySelectorAll("figure[data-color]").forEach((figure) => {
      const by = belief[figure.dataset.color];
      const heat = figure.querySelector(".heat");
      const ghosts = figure.querySelector(".ghosts");
      const any = kinds.value === "any";
      ghosts.style.visibility = any ? "visible" : "hidden";
      if (!by) return;
      const total = new Map();
      for (const [symbol, row] of Object.entries(by)) {
        if (!any && symbol.toLowerCase() !== kinds.value) continue;
        for (const [square, value] of Object.entries(row)) total.set(square, (total.get(square) || 0) + value);
      }
      heat.replaceChildren();
      for (const [square, value] of total) {
        const x = 45 * "abcdefgh".indexOf(square[0]);
        const y = 45 * (8 - Number(square[1]));
        const rect = document.createElementNS(space, "rect");
        const all = { x, y, width: 45, height: 45, opacity: Math.min(1, value / 100) };
        for (const [name, what] of Object.entries(all)) rect.setAttribute(name, what);
        heat.append(rect);
        if (value < 5) continue;
        const text = document.createElementNS(space, "text");
        text.setAttribute("x", x + 43);
        text.setAttribute("y", y + 43);
        text.textContent = Math.min(100, value);
        heat.append(text);
      }
    });
  }

  function mistake(step) {
    for (let i = at + step; i >= 0 && i < sections.length; i += step) {
      if (sections[i].querySelector("h3 .mark")) return show(i);
    }
  }

  const moves = {
    first: () => show(0),
    back: () => show(at - 1),
    forward: () => show(at + 1),
    last: () => show(sections.length - 1),
    previous: () => mistake(-1),
    next: () => mistake(1),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

  document.querySelector(".controls").hidden = false;
  viewer.classList.add("stepping");
  document.querySelectorAll("[data-go]").forEach((button) => {
    button.addEventListener("click", () => moves[button.dataset.go]());
  });
  kinds.addEventListener("change", paint);
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = keys[event.key];
    if (!move) return;
    event.preventDefault();
    moves[move]();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#ply-']");
    if (!link) return;
    event.preventDefault();
    const index = find(link.getAttribute("href"));
    if (index < 0) return;
    show(index);
    if (link.closest(".moves")) viewer.scrollIntoView({ behavior: "smooth" });
  });
  show(Math.max(0, find(location.hash)), false);
})();
