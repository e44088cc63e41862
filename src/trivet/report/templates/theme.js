"use strict";
// What every page does: light or dark, and unfolded on paper.

// Light or dark as the system says, until the reader chooses.
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = document.getElementById("theme");

function current() {
  return document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
}

function offer() {
  theme.textContent = current() === "dark" ? "light" : "dark";
  theme.setAttribute("aria-label", `show the page in ${theme.textContent} colours`);
}

theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
  offer();
});
dark.addEventListener("change", offer);
offer();
theme.hidden = false;

// Paper cannot be unfolded.
const folded = () => document.querySelectorAll("details:not([open])");
let unfolded = [];
addEventListener("beforeprint", () => { unfolded = [...folded()]; for (const one of unfolded) one.open = true; });
addEventListener("afterprint", () => { for (const one of unfolded) one.open = false; });
