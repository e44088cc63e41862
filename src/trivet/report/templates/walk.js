"use strict";
// Where answers lead in a ready tree: the twin of trivet.decide.walk, line by line. A test walks both and holds them equal.

const ROLES = ["build", "research", "ship"];
const PORTFOLIO = "several_frameworks";
// Sums of points are compared give or take this, so that 0.1 + 0.2 is no less than 0.3.
const SLACK = 1e-9;

// The branches of a node that an answer takes, by their places: one, or several where several are given.
function taken(node, answer) {
  const places = [...node.branches.keys()];
  const named = (word) => places.find((place) => node.branches[place].answer === word && node.branches[place].above === null);
  const unknown = named("");
  if (node.question === "" || answer === undefined) return [unknown];
  if (typeof answer === "number") {
    const below = places.filter((place) => node.branches[place].above !== null && node.branches[place].above <= answer);
    return [below.length ? below.reduce((a, b) => (node.branches[b].above > node.branches[a].above ? b : a)) : unknown];
  }
  const words = typeof answer === "boolean" ? [answer ? "yes" : "no"] : [answer].flat();
  return words.length ? [...new Set(words.map((word) => named(word) ?? unknown))] : [unknown];
}

// What a framework has, whoever else is in question.
function points(a, effects, weights) {
  return effects.filter((effect) => effect.framework === a && effect.over === "")
    .reduce((total, effect) => total + weights[effect.dimension] * effect.points, 0);
}

// The points of a over b.
function lead(a, b, effects, weights) {
  let total = points(a, effects, weights) - points(b, effects, weights);
  for (const effect of effects) {
    if (effect.framework === a && effect.over === b) total += weights[effect.dimension] * effect.points;
    if (effect.framework === b && effect.over === a) total -= weights[effect.dimension] * effect.points;
  }
  return total;
}

// Who is chosen by a leaf, on some of the effects.
function settle(tree, choose, effects, weights) {
  const out = {};
  for (const name of tree.frameworks) {
    const reasons = effects.filter((effect) => effect.out && effect.framework === name);
    // A constraint on all parts of the work is one constraint, though each part has its effect.
    if (reasons.length) out[name] = reasons.filter((effect, place) => !reasons.slice(0, place).some((other) => other.reason === effect.reason));
  }
  const left = tree.frameworks.filter((name) => !(name in out));
  const leads = left.flatMap((a) => left.filter((b) => b !== a).map((b) => [a, b, lead(a, b, effects, weights)]));
  const beats = leads.filter(([, , by]) => by + SLACK >= tree.margin);
  let choice = "";
  let open = left;
  if (choose === "leader") {
    choice = left.find((a) => beats.filter(([winner]) => winner === a).length === left.length - 1) ?? "";
    open = left.filter((a) => !beats.some(([, loser]) => loser === a));
    if (choice === "" && open.length < 2) open = left; // They beat each other in a ring.
  } else if (choose === "voices") {
    const spoken = left.filter((a) => points(a, effects, weights) > SLACK);
    if (spoken.length === 1) [choice] = spoken;
    if (spoken.length) open = spoken;
  } else if (left.includes(choose)) {
    choice = choose;
    open = [choose];
  }
  return { choice, open, out, leads };
}

// Each role settled by its own effects alone; empty if that names no two frameworks.
function portfolio(tree, choose, effects, weights) {
  const found = {};
  for (const role of ROLES) {
    const own = effects.filter((effect) => effect.role === role);
    found[role] = own.length ? settle(tree, choose === "voices" ? "voices" : "leader", own, weights).choice : "";
  }
  return new Set(Object.values(found).filter(Boolean)).size > 1 ? found : {};
}

function walk(tree, answers) {
  const path = [];
  const weights = { ease: 1, performance: 1, ecosystem: 1, team: 1 };
  let place = tree.start;
  while (place in tree.nodes) {
    const node = tree.nodes[place];
    const places = taken(node, answers[node.question]);
    const branches = places.map((one) => node.branches[one]);
    for (const branch of branches) for (const [dimension, factor] of Object.entries(branch.weights)) weights[dimension] *= factor;
    path.push({ node: place, branches: places, effects: branches.flatMap((branch) => branch.effects) });
    place = branches[0].next;
  }
  const effects = path.flatMap((step) => step.effects);
  const { choose } = tree.leaves[place];
  return {
    ...settle(tree, choose, effects, weights),
    path,
    leaf: place,
    weights,
    portfolio: answers[PORTFOLIO] === true ? portfolio(tree, choose, effects, weights) : {},
  };
}
