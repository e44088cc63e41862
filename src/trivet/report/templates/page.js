"use strict";
// Draws the charts. Their colours are variables of the page's style, so that light, dark and paper need no new drawing.
const color = (name) => `var(${name})`;
const config = {
  background: null,
  aria: false,
  mark: { aria: false },
  font: getComputedStyle(document.body).fontFamily,
  view: { stroke: null },
  range: {
    category: ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6"].map(color),
    ordinal: ["--p1", "--p2", "--p3", "--p4"].map(color),
  },
  axis: {
    labelColor: color("--ink-2"), titleColor: color("--ink-2"), gridColor: color("--line"), tickColor: color("--line-strong"),
    domainColor: color("--line-strong"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: 400, titlePadding: 8,
    labelLimit: 240,
  },
  axisY: { grid: false, labelColor: color("--ink") },
  axisX: { grid: true },
  rect: { fill: color("--ink-3") },
  rule: { stroke: color("--ink-3") },
  text: { fill: color("--ink-2") },
};

// Workload -> contestants that the reader has switched off there.
const hidden = new Map();

function shown(spec, off) {
  const rows = Object.entries(spec.datasets).map(([name, values]) => [
    name, values.filter((row) => !off.has(row.contestant) && !off.has(row.against)),
  ]);
  return { ...spec, datasets: Object.fromEntries(rows) };
}

async function draw(section) {
  const off = hidden.get(section.id) ?? new Set();
  for (const element of section.querySelectorAll("[data-chart]")) {
    const spec = JSON.parse(document.getElementById(element.dataset.chart).textContent);
    await vegaEmbed(element, shown(spec, off), { config, renderer: "svg", actions: false, tooltip: { theme: "page" } });
  }
}

async function drawAll() {
  for (const section of document.querySelectorAll("[data-workload]")) await draw(section);
  document.documentElement.dataset.drawn = "yes";
}

for (const button of document.querySelectorAll("[data-toggle]")) {
  button.addEventListener("click", () => {
    const section = button.closest("section");
    const off = hidden.get(section.id) ?? new Set();
    const label = button.dataset.toggle;
    if (!off.delete(label)) off.add(label);
    hidden.set(section.id, off);
    button.setAttribute("aria-pressed", String(!off.has(label)));
    draw(section);
  });
}

document.getElementById("save").addEventListener("click", () => {
  const data = document.getElementById("result").textContent;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type: "application/json" }));
  link.download = "result.json";
  link.click();
  URL.revokeObjectURL(link.href);
});

drawAll();
