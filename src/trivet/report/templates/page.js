"use strict";
// Draws the charts in the page's colours, again when the reader switches between light and dark.
const dark = matchMedia("(prefers-color-scheme: dark)");

function theme() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: null,
    font,
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
    legend: { labelColor: color("--ink-2"), titleColor: color("--ink-2"), labelFontSize: 12, symbolStrokeColor: color("--ink-2"), labelLimit: 240 },
    rect: { fill: color("--ink-3") },
  };
}

async function draw() {
  const config = theme();
  for (const element of document.querySelectorAll("[data-chart]")) {
    const spec = JSON.parse(document.getElementById(element.dataset.chart).textContent);
    await vegaEmbed(element, spec, {
      config, renderer: "svg", actions: false, tooltip: { theme: dark.matches ? "dark" : "light" },
    });
  }
  document.documentElement.dataset.drawn = "yes";
}

document.getElementById("save").addEventListener("click", () => {
  const data = document.getElementById("result").textContent;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type: "application/json" }));
  link.download = "result.json";
  link.click();
  URL.revokeObjectURL(link.href);
});

dark.addEventListener("change", draw);
draw();
