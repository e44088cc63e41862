"use strict";
// Lets the answers be changed: the verdict, the points, the lit path and all else that follows from them is shown anew.

const decision = JSON.parse(document.getElementById("decision").textContent);
const { given, titles, colors } = decision;
const byId = (id) => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const controls = all("fieldset[data-question]");
const dimensions = all("#verdict .legend:first-of-type span").map((one) => one.textContent);
const MOST_LINKS = 6;
const MOST_REASONS = 6;

// What is set now: answers, and the flip whose evidence is at its other end.
let answers = { ...given };
let patch = "";

function trees() {
  const [first, ...others] = decision.trees;
  const nodes = { ...first.nodes, ...decision.patches[patch] };
  return [{ ...first, nodes }, ...others];
}

const amount = (value) => String(Number(value.toPrecision(3)));
const signed = (value) => {
  const rounded = Math.round(value * 100) / 100;
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
};
// As trivet.decide.words has it: short times in minutes and seconds.
function quantity(value, unit) {
  if (unit !== "h" || value <= 0 || value >= 0.1) return `${amount(value)} ${unit}`.trim();
  return value >= 1 / 60 ? `${amount(60 * value)} min` : `${amount(3600 * value)} s`;
}
const either = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names.join(""));

function make(tag, { text = "", ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...(text ? [text] : []), ...children);
  return element;
}

// A change that changes nothing is not announced again.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function alone(outcome) {
  if (outcome.choice) return titles[outcome.choice];
  if (!outcome.open.length) return "None is left";
  return `Undecided: ${either(outcome.open.map((name) => titles[name]))}`;
}

// As trivet.decide.words has it: who builds and who ships, where these may be different frameworks.
const ROLE_WORDS = { build: "to build in", research: "for research", ship: "to ship with" };
function headline(outcome) {
  const parts = Object.entries(ROLE_WORDS).filter(([role]) => outcome.portfolio[role]).map(([role, said]) => `${titles[outcome.portfolio[role]]} ${said}`);
  const one = alone(outcome);
  if (!parts.length) return one;
  return `${parts.join(", ")}; if it must be one: ${outcome.choice ? one : one[0].toLowerCase() + one.slice(1)}`;
}

function standing(tree, outcome) {
  const out = Object.keys(outcome.out).map((name) => titles[name]);
  const ruled = out.length ? ` ${out.join(" and ")} ${out.length > 1 ? "break" : "breaks"} a hard constraint.` : "";
  if (!outcome.choice && !outcome.open.length) return "Every framework breaks a hard constraint.";
  const { choose } = tree.leaves[outcome.leaf];
  if (choose === "voices") return `${outcome.choice ? "It alone is spoken for." : "The answers speak for no single one."}${ruled}`;
  if (choose !== "leader") return `${tree.leaves[outcome.leaf].text}${ruled}`;
  if (!outcome.choice) return `Nobody leads all others by ${amount(tree.margin)}.${ruled}`;
  const rivals = outcome.leads.filter(([a]) => a === outcome.choice).sort((a, b) => a[2] - b[2]);
  if (!rivals.length) return `It is the only one left.${ruled}`;
  const [, rival, points] = rivals[0];
  return `${signed(points)} over ${titles[rival]}, the runner-up; ${amount(tree.margin)} would do.${ruled}`;
}

// The links of effects, each once, as the page has them beside their sentences.
function links(effects) {
  const found = new Map();
  for (const { id } of effects) {
    for (const link of all(`[data-effect="${id}"] .trace a`)) found.set(link.getAttribute("href"), link.cloneNode(true));
  }
  return [...found.values()];
}

// Puts links into a place; many are folded.
function trace(place, found) {
  const folded = found.length > MOST_LINKS + 1 ? found.slice(MOST_LINKS) : [];
  for (const link of found) link.classList.toggle("rest", folded.includes(link));
  place.replaceChildren(...found.flatMap((link) => [link, " "]));
  if (folded.length) place.append(make("button", { type: "button", class: "unfold", text: `and ${folded.length} more` }));
  return place;
}

// Where a path has no effects, what it went by are the answers to its questions.
function asked(outcome) {
  const on = new Set(outcome.path.map((step) => step.node));
  const steps = all("[data-step]", byId(`tree${outcome.place}`)).filter((step) => on.has(step.dataset.step));
  const found = steps.flatMap((step) => all(":scope > .trace > a", step)).map((link) => [link.getAttribute("href"), link.cloneNode(true)]);
  return [...new Map(found).values()];
}

const effectsOf = (outcome) => outcome.path.flatMap((step) => step.effects);

function basis(outcome) {
  const found = links(effectsOf(outcome).filter((effect) => effect.out || effect.points !== 0));
  return found.length ? found : asked(outcome);
}

function showHeadline(tree, outcome) {
  const text = headline(outcome);
  const place = byId("headline");
  if (place.textContent !== text || !place.querySelector(".dot")) {
    const names = outcome.choice ? [outcome.choice] : outcome.open;
    place.replaceChildren(...names.map((name) => make("span", { class: "dot", style: `background: var(${colors[name]})` })), text);
  }
  say(byId("standing"), standing(tree, outcome));
  trace(byId("rests"), basis(outcome));
}

function showLeads(tree, outcome) {
  const pairs = outcome.leads.filter(([a, b, points]) => points > 0 || (points === 0 && a < b)).sort((a, b) => b[2] - a[2]);
  const parts = pairs.map(([a, b]) => dimensions.map((dimension) => lead(a, b, effectsOf(outcome).filter((one) => one.dimension === dimension), outcome.weights)));
  const reach = 1.02 * Math.max(1.2 * tree.margin, 1e-9, ...parts.map((its) => Math.max(sum(its, 1), sum(its, -1))));
  const lows = 1.02 * Math.max(0.3 * tree.margin, ...parts.map((its) => sum(its, -1)));
  const at = (points) => (100 * (points + lows)) / (reach + lows);
  const weighs = tree.leaves[outcome.leaf].choose === "leader";
  byId("leads").replaceChildren(...pairs.map(([a, b, points], place) => {
    const bars = make("div", { class: "bars", "aria-hidden": "true" });
    const bar = (name, from, to, style = "") => bars.append(make("span", { class: name, style: `left: ${at(from)}%; width: ${at(to) - at(from)}%; ${style}` }));
    if (weighs) bar("margin", Math.max(-lows, -tree.margin), Math.min(reach, tree.margin));
    let [up, down] = [0, 0];
    parts[place].forEach((part, dimension) => {
      const from = part > 0 ? up : down + part;
      if (part) bar("part", from, from + Math.abs(part), `background: var(--d${dimension + 1})`);
      if (part > 0) up += part; else down += part;
    });
    bars.append(make("span", { class: "zero", style: `left: ${at(0)}%` }), make("span", { class: "net", style: `left: ${at(points)}%` }));
    const words = dimensions.map((dimension, one) => `${dimension} ${signed(parts[place][one])}`).join(", ");
    const its = effectsOf(outcome).filter((effect) => lead(a, b, [effect], outcome.weights) !== 0);
    return make("div", { class: "lead told" }, make("span", { text: `${titles[a]} over ${titles[b]}` }), bars,
      make("span", { class: "amount", text: signed(points) }), make("span", { class: "unseen", text: words }),
      trace(make("span", { class: "trace" }), its.length ? links(its) : basis(outcome)));
  }), ...Object.entries(outcome.out).map(([name, its]) => make("div", { class: "lead told" }, make("span", { text: titles[name] }),
    make("b", { class: "bad", text: "out" }), make("span"), trace(make("span", { class: "trace" }), links(its)))));
  say(byId("band"), pairs.length && weighs ? `grey: less than the ${amount(tree.margin)} that a choice takes; upright line: all in all` : "");
}

const sum = (values, sign) => values.reduce((total, value) => total + Math.max(0, sign * value), 0);

function showEffects(outcomes) {
  const found = new Map();
  for (const outcome of outcomes) {
    for (const effect of effectsOf(outcome)) {
      const before = found.get(effect.id) ?? { points: 0 };
      found.set(effect.id, { out: effect.out, points: before.points + effect.points * outcome.weights[effect.dimension] });
    }
  }
  for (const element of all("[data-effect]")) {
    const its = found.get(element.dataset.effect);
    element.hidden = !its;
    if (its) element.querySelector(".points").textContent = its.out ? "out" : signed(its.points);
  }
}

function showFigures(outcome) {
  for (const place of all(".figure")) {
    const its = effectsOf(outcome).filter((effect) => effect.framework === place.dataset.framework && effect.dimension === place.dataset.dimension);
    const sums = new Map();
    for (const effect of its) if (!effect.out) sums.set(effect.over, (sums.get(effect.over) ?? 0) + effect.points * outcome.weights[effect.dimension]);
    const words = [...sums].map(([over, points]) => signed(points) + (over ? ` over ${titles[over]}` : ""));
    if (its.some((effect) => effect.out)) words.unshift("out");
    place.textContent = words.join(", ") || "–";
  }
  for (const heading of all("#dimensions th[data-framework]")) heading.querySelector("[data-out]").hidden = !(heading.dataset.framework in outcome.out);
}

function showPath(tree, outcome, section) {
  const on = new Map(outcome.path.map((step) => [step.node, step.branches]));
  const among = (element, places = []) => element.dataset.branches.split(" ").some((place) => places.includes(Number(place)));
  for (const box of all("[data-box]", section)) box.classList.toggle("lit", on.has(box.dataset.box) || box.dataset.box === outcome.leaf);
  for (const pill of all(".pill", section)) pill.classList.toggle("lit", among(pill, on.get(pill.dataset.node)));
  for (const edge of all(".edge", section)) edge.classList.toggle("lit", among(edge, on.get(edge.dataset.from)?.slice(0, 1)));
  for (const step of all("[data-step]", section)) {
    step.hidden = !on.has(step.dataset.step);
    const node = tree.nodes[step.dataset.step];
    say(step.querySelector("[data-answer]"), inWords(node.question, answers));
    const factors = (on.get(step.dataset.step) ?? []).flatMap((place) => Object.entries(node.branches[place].weights));
    say(step.querySelector("[data-weights]"), factors.map(([name, factor]) => `${name} × ${factor}, in all ${amount(outcome.weights[name])} times`).join("; "));
  }
  say(section.querySelector("[data-result]"), `${headline(outcome)}. ${standing(tree, outcome)}`);
  const found = basis(outcome);
  trace(section.querySelector("[data-rests]"), found);
  const source = section.querySelector("[data-source]");
  if (source) source.hidden = found.some((link) => link.href === source.querySelector("a").href);
}

function showPortfolio(outcome) {
  byId("portfolio").hidden = !Object.keys(outcome.portfolio).length && !(untouched() && byId("portfolio").querySelector("[data-as-given] .told"));
  for (const place of all("[data-role]")) {
    const name = outcome.portfolio[place.dataset.role];
    place.hidden = name === undefined;
    const its = effectsOf(outcome).filter((effect) => effect.role === place.dataset.role);
    place.querySelector("dd").replaceChildren(make("b", { text: name ? titles[name] : "undecided" }), " ",
      trace(make("span", { class: "trace" }), its.length ? links(its) : basis(outcome)));
  }
}

// Why, while other answers are tried: what rules out, then what speaks most for whoever is still in question.
function showWhy(outcome) {
  for (const one of all("[data-as-given]")) one.hidden = !untouched();
  byId("why").hidden = untouched();
  if (untouched()) return;
  const its = new Map();
  for (const effect of effectsOf(outcome)) {
    const before = its.get(effect.id) ?? { effect, points: 0 };
    its.set(effect.id, { effect, points: before.points + effect.points * outcome.weights[effect.dimension] });
  }
  const each = [...its.values()];
  const speaking = each.filter(({ effect, points }) => outcome.open.includes(effect.framework) && points > 0).sort((a, b) => b.points - a.points);
  const reasons = [...each.filter(({ effect }) => effect.out), ...speaking.slice(0, MOST_REASONS)].map(({ effect }) => effect);
  byId("why").replaceChildren(...reasons.map((effect) => {
    const copy = byId("dimensions").querySelector(`[data-effect="${effect.id}"]`).cloneNode(true);
    copy.removeAttribute("data-effect");
    copy.prepend(make("b", { text: titles[effect.framework] }), " ");
    return copy;
  }));
}

function showChanges() {
  byId("changed").hidden = untouched();
  const changes = controls.filter((control) => !same(answers[control.dataset.question], given[control.dataset.question]));
  const parts = changes.flatMap((control) => {
    const id = control.dataset.question;
    const text = `${control.querySelector("legend").textContent} ${inWords(id, answers)} (given: ${inWords(id, given)}) `;
    const link = byId("answers").querySelector(`[data-answer-of="${CSS.escape(id)}"]`);
    return [text, make("a", { href: `#${link.id}`, text: link.id }), ". "];
  });
  if (patch) parts.push(...all(`[data-patch="${patch}"] + .told`).map((one) => one.cloneNode(true)));
  byId("changes").replaceChildren(...parts);
}

function showControl(control, current) {
  const id = control.dataset.question;
  const tree = current.find((one) => Object.values(one.nodes).some((node) => node.question === id));
  control.classList.toggle("other", !same(answers[id], given[id]));
  if (decision.questions[id].kind === "number") showStrip(control, tree);
}

// Along a slider: who would be chosen, all other answers as they are.
function showStrip(control, tree) {
  const { low, high, edges } = range(control);
  const begins = [low, ...edges.filter((edge) => edge > low && edge < high)];
  const spans = [];
  for (const [place, begin] of begins.entries()) {
    const text = alone(walk(tree, { ...answers, [control.dataset.question]: begin })).replace("Undecided: ", "undecided, ");
    const end = begins[place + 1] ?? high;
    if (spans.at(-1)?.text === text) spans.at(-1).end = end;
    else spans.push({ text, begin, end });
  }
  const at = (value) => (100 * Math.log(value / low)) / Math.log(high / low);
  control.querySelector(".strip").replaceChildren(...spans.map(({ text, begin, end }) => {
    const name = Object.keys(titles).find((one) => titles[one] === text);
    const color = name ? `--chosen: var(${colors[name]})` : "";
    return make("i", { text, style: `left: ${at(begin)}%; width: ${at(end) - at(begin)}%; ${color}` });
  }));
}

const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const untouched = () => !patch && controls.every((control) => same(answers[control.dataset.question], given[control.dataset.question]));

function inWords(id, its) {
  if (!id) return "";
  const answer = its[id];
  if (answer === undefined) return "don't know";
  if (typeof answer === "number") return quantity(answer, decision.questions[id].unit);
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  const control = controls.find((one) => one.dataset.question === id);
  return [answer].flat().map((word) => all("input", control).find((input) => input.value === word)?.parentElement.textContent.trim() ?? word).join(", ");
}

function range(control) {
  return { low: Number(control.dataset.low), high: Number(control.dataset.high), edges: JSON.parse(control.dataset.edges) };
}

function position(control, value) {
  const { low, high } = range(control);
  return 400 * Math.min(1, Math.max(0, Math.log(Math.max(value, low) / low) / Math.log(high / low)));
}

// Puts an answer into its control.
function put(control) {
  const answer = answers[control.dataset.question];
  if (decision.questions[control.dataset.question].kind !== "number") {
    const word = answer === true ? "yes" : answer === false ? "no" : answer ?? "";
    for (const input of all("input", control)) input.checked = [word].flat().includes(input.value);
    return;
  }
  const [slider, number, unknown] = all("input", control);
  unknown.checked = answer === undefined;
  number.value = answer ?? "";
  slider.value = answer === undefined ? 0 : position(control, answer);
  slider.setAttribute("aria-valuetext", inWords(control.dataset.question, answers));
}

// Reads the answer out of a control of which one part has been changed.
function read(control, changed) {
  const { kind } = decision.questions[control.dataset.question];
  if (kind === "number") {
    const { low, high } = range(control);
    if (changed.type === "range") return Number((low * (high / low) ** (changed.value / 400)).toPrecision(3));
    if (changed.type === "number") return changed.value === "" || !changed.validity.valid ? undefined : Number(changed.value);
    return changed.checked ? undefined : low;
  }
  const words = all("input:checked", control).map((input) => input.value).filter(Boolean);
  if (kind === "yes_no") return words.length ? words[0] === "yes" : undefined;
  if (kind === "one") return words[0];
  const before = given[control.dataset.question] ?? [];
  return words.length ? [...before.filter((word) => words.includes(word)), ...words.filter((word) => !before.includes(word))] : undefined;
}

function answer(question, value) {
  if (value === undefined || value === null) delete answers[question];
  else answers[question] = value;
}

function show() {
  const current = trees();
  const outcomes = current.map((tree, place) => ({ ...walk(tree, answers), place }));
  showEffects(outcomes);
  current.forEach((tree, place) => showPath(tree, outcomes[place], byId(`tree${place}`)));
  showFigures(outcomes[0]);
  showHeadline(current[0], outcomes[0]);
  showLeads(current[0], outcomes[0]);
  showPortfolio(outcomes[0]);
  showWhy(outcomes[0]);
  showChanges();
  for (const control of controls) showControl(control, current);
}

for (const control of controls) {
  control.addEventListener("input", (event) => {
    answer(control.dataset.question, read(control, event.target));
    if (decision.questions[control.dataset.question].kind === "number") {
      const typed = event.target.type === "number" ? event.target.value : null;
      put(control);
      if (typed !== null) event.target.value = typed;
    }
    show();
  });
}

for (const button of all("[data-try]")) {
  button.addEventListener("click", () => {
    answers = { ...given };
    patch = button.dataset.patch;
    if (!patch) answer(button.dataset.subject, JSON.parse(button.dataset.try));
    controls.forEach(put);
    show();
  });
}

byId("reset").addEventListener("click", () => {
  answers = { ...given };
  patch = "";
  controls.forEach(put);
  show();
  byId("headline").scrollIntoView({ block: "nearest" });
});

// What a link points at may be folded, and links themselves.
addEventListener("click", (event) => {
  if (event.target.matches?.(".unfold")) event.target.parentElement.classList.add("unfolded");
  const link = event.target.closest?.('a[href^="#"]');
  const folded = link && byId(link.getAttribute("href").slice(1))?.closest("details");
  if (folded) folded.open = true;
});

controls.forEach(put);
show();
document.documentElement.dataset.drawn = "yes";
